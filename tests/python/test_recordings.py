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
