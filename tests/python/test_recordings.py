"""Recordings, pages and studies."""

import concurrent.futures
import os
import pathlib
import subprocess

import numpy
import pytest

import carom

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    scene = carom.Scene(title="two balls", step=0.01, duration=1.0)
    scene.set("record", impulses=True)
    scene.add_ball([0, 0], radius=0.5, velocity=[1, 0])
    scene.add_ball([1.5, 0], radius=0.5)
    return scene.record(tmp_path_factory.mktemp("recording") / "two.h5")


def test_a_recording_is_read_lazily(recording):
    again = carom.open(recording.path)
    assert len(again) == 101 and again.status == "finished"
    assert again.positions.shape == (101, 2, 2)
    assert again.positions[-1] == pytest.approx(numpy.array([[0.5, 0], [2.0, 0]]), abs=0.011)  # a step
    assert again.positions[10:20:2, 0].shape == (5, 2)
    assert numpy.asarray(again.velocities).shape == (101, 2, 2)
    assert again["kinetic"] == pytest.approx(numpy.full(101, 0.5))
    assert len(again.events) == 1 and abs(again.events[0]["impulse"][0]) == pytest.approx(1.0)
    with pytest.raises(IndexError):
        again.positions[101]
    with pytest.raises(carom.InputError, match="did you mean 'kinetic'"):
        again["kinetik"]
    with pytest.raises(carom.InputError):
        carom.open(recording.path.with_name("nothing.h5"))


def test_tables_plots_and_pages(recording, tmp_path):
    pandas = pytest.importorskip("pandas")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    table = recording.to_pandas("time", "kinetic")
    assert isinstance(table, pandas.DataFrame) and len(table) == 101
    assert recording.plot("kinetic").get_xlabel() == "time (s)"
    page = carom.page([recording, recording])
    assert page.save(tmp_path / "page.html").stat().st_size > 100_000
    assert recording._repr_html_().startswith("<iframe")


def moving():
    scene = carom.Scene(step=0.01, duration=0.1)
    scene.add_ball([0, 0], radius=1, velocity=[1, 0], name="a")
    return scene


def test_a_study_has_the_rows_of_the_command_line_wherever_it_runs(tmp_path):
    path = ROOT / "gallery" / "M1-break.toml"
    keys = {"time.duration": [0.02, 0.04], "impact.tolerance": [1e-10, 1e-9]}
    study = carom.study(path, keys, ["energy_drift"], path=tmp_path / "study.csv")
    assert len(study) == 4 and study.finished == 4
    command = pathlib.Path(os.environ["CAROM_BINARY_DIR"]) / "apps/carom/carom"
    done = subprocess.run([command, "sweep", path, "--vary", "time.duration=0.02,0.04", "--vary",
                           "impact.tolerance=1e-10,1e-09", "--measure", "energy_drift", "--output",
                           tmp_path / "cli", "--quiet"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

    def rows(text):
        return [line for line in text.splitlines() if line[:1].isdigit()]

    assert rows(study.to_csv()) == rows((tmp_path / "cli.csv").read_text())
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        other = carom.study(path, keys, ["energy_drift"], executor=pool)
    assert other.to_csv() == study.to_csv() == (tmp_path / "study.csv").read_text()


def test_a_study_goes_on_where_it_was(tmp_path):
    values, path = {"body.a.velocity": [[1, 0], [2, 0], [3, 0]]}, tmp_path / "table.csv"
    whole = carom.study(moving(), values, "a.x", path=path)
    assert whole["a.x"] == pytest.approx([0.1, 0.2, 0.3])
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    asked = []

    class Counting(concurrent.futures.ThreadPoolExecutor):
        def submit(self, *arguments):
            asked.append(arguments[-1])
            return super().submit(*arguments)

    again = carom.study(moving(), values, "a.x", path=path, executor=lambda: Counting(1))
    assert asked == [2] and again.to_csv() == whole.to_csv()
    with pytest.raises(carom.InputError):
        carom.study(moving(), {"body.a.mass": [1]}, "a.x", path=path)


def dies_once(flag, function, arguments, number):
    if number == 3 and not os.path.exists(flag):
        pathlib.Path(flag).touch()
        os.kill(os.getpid(), 9)
    return function(arguments, number)


def test_a_killed_worker_costs_only_its_own_run(tmp_path):
    flag, pools = str(tmp_path / "killed"), []

    class Fragile(concurrent.futures.ProcessPoolExecutor):
        def submit(self, function, arguments, number):
            return super().submit(dies_once, flag, function, arguments, number)

    def make():
        pools.append(1)
        return Fragile(2)

    study = carom.study(moving(), {"body.a.velocity": [[k, 0] for k in range(1, 9)]}, "a.x", executor=make)
    assert os.path.exists(flag) and len(pools) == 2
    assert study["a.x"] == pytest.approx([0.1 * k for k in range(1, 9)])


def falling():
    scene = carom.Scene(gravity=[0, -1], step=0.01, duration=1.0)
    scene.add_wall([0, 0], [0, 1], name="floor")
    scene.add_ball([0, 0.5], radius=0.5, velocity=[1, 0], name="a")
    scene.add_ball([3, 0.6], radius=0.5, name="b")
    return scene


def test_bodies_come_and_go_in_a_recording(tmp_path):
    simulation = falling().start()
    with simulation.record(tmp_path / "run.h5", every=10, impulses=True) as written:
        assert "goes on" in repr(written)
        simulation.run(0.2)
        with simulation.edit() as edit:
            ball = edit.add_ball([6, 2], radius=0.25, mass=3.0, name="ball")
        simulation.run(0.4)
        with simulation.edit() as edit:
            edit.remove(0)
            edit.move_shape("floor", [0, 0.1])
        written.flush()
        assert len(carom.open(tmp_path / "run.h5")) == 5  # of what is being written
        simulation.run(0.6)
    recording = carom.open(tmp_path / "run.h5")
    assert recording.status == "finished" and len(recording) == 7
    assert recording.names == ["a", "b", "ball"] and recording.ids.tolist() == [0, 1, ball]
    assert recording.present.sum(axis=1).tolist() == [2, 2, 2, 3, 3, 2, 2]
    positions = numpy.asarray(recording.positions)
    assert positions.shape == (7, 3, 2)
    assert numpy.array_equal(numpy.isnan(positions[..., 0]), ~recording.present)
    assert numpy.array_equal(positions[-1][recording.present[-1]], simulation.positions)
    late = recording.events[:][recording.events[:]["step"] > 40]
    assert set(late["body_a"]) == {1}, "its number in the recording stays"
    assert len(recording.page().html) > 100_000
    with pytest.raises(carom.InputError, match="driven by a program"):
        carom.resume(recording.path)
    command = pathlib.Path(os.environ["CAROM_BINARY_DIR"]) / "apps/carom/carom"
    done = subprocess.run([command, "verify", "--quiet", recording.path], capture_output=True, text=True)
    assert done.returncode == 0 and "before step 21" in done.stdout, done.stdout + done.stderr
    done = subprocess.run([command, "info", recording.path], capture_output=True, text=True)
    assert "1 join, 1 leave" in done.stdout and "from step 21 on" in done.stdout, done.stdout


def test_a_recording_without_edits_is_that_of_the_scene(tmp_path):
    simulation = falling().start()
    written = simulation.record(tmp_path / "run.h5")
    simulation.run()
    recording = written.finish()
    whole = falling().record(tmp_path / "whole.h5")
    assert numpy.array_equal(recording["state_hash"], whole["state_hash"])
    assert recording.present.all() and recording.ids.tolist() == [0, 1]
    with pytest.raises(carom.InputError, match="ended already"):
        written.finish()
    with pytest.raises(ZeroDivisionError):
        with simulation.record(tmp_path / "broken.h5"):
            simulation.step()
            1 / 0
    assert carom.open(tmp_path / "broken.h5").status == "interrupted"
    first = falling().start()
    first.record(tmp_path / "first.h5")
    with pytest.raises(carom.InputError, match="recorded already"):
        first.record(tmp_path / "second.h5")
    with pytest.raises(carom.InputError, match="every"):
        falling().start().record(tmp_path / "third.h5", every=0)
    # Interrupted without edits: goes on to the same bits.
    half = falling().start()
    with pytest.raises(KeyboardInterrupt):
        with half.record(tmp_path / "half.h5"):
            half.run(0.37)
            raise KeyboardInterrupt
    assert numpy.array_equal(carom.resume(tmp_path / "half.h5")["state_hash"], whole["state_hash"])
