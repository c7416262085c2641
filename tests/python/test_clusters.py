"""A study of forty throws of M4 on a real Dask cluster and on a real Slurm; in each something is
killed in the middle, and nothing is lost: the table has the bytes of one core.
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

import carom

pytestmark = pytest.mark.slow
SCENE = carom.gallery("M4-bowling")
PLACES = [f"[-0.5, {0.12 - 0.24 * k / 39:.6f}, 0.10855]" for k in range(40)]
MEASURES = ["kinetic", "ball.y", "pin-1.z"]
COMMAND = pathlib.Path(os.environ.get("CAROM_BINARY_DIR", ".")) / "apps/carom/carom"


def throws(**keys):
    return carom.study(SCENE, {"body.ball.position": PLACES}, MEASURES, **keys)


@pytest.fixture(scope="module")
def one_core():
    """The table as one thread makes it."""
    study = throws(workers=1)
    assert study.finished == 40 and len(set(study["kinetic"])) > 20
    return study.to_csv()


def test_dask_loses_nothing_with_a_worker(one_core):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        with distributed.Client(cluster) as client:
            pids = client.run(os.getpid)
            assert len(set(pids.values())) == 2
            victim = sorted(pids.values())[0]
            killer = threading.Timer(3.0, os.kill, (victim, signal.SIGKILL))
            killer.start()
            study = throws(executor=client.get_executor())
            killer.cancel()
            assert victim not in client.run(os.getpid).values(), "the study was over before the kill"
    assert study.to_csv() == one_core


def started(command, **keys):
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, **keys)


@pytest.fixture
def slurm(tmp_path):
    """munged, slurmctld and slurmd on this machine, for as long as a test needs them."""
    if os.geteuid() != 0:
        pytest.skip("munged and slurmd need root")
    for program in ("munged", "slurmctld", "slurmd", "sbatch"):
        if shutil.which(program) is None and not pathlib.Path("/usr/sbin", program).exists():
            pytest.skip(f"{program} is not installed (./dev setup cluster)")
    directory = tmp_path / "slurm"
    for part in ("state", "spool", "munge"):
        (directory / part).mkdir(parents=True)
    munge = directory / "munge"
    key, munge_socket = munge / "key", munge / "socket"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    munge.chmod(0o700)
    host = socket.gethostname().split(".")[0]

    def free_port():
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    conf = directory / "slurm.conf"
    conf.write_text(f"""ClusterName=carom
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={munge_socket}
StateSaveLocation={directory}/state
SlurmdSpoolDir={directory}/spool
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd.pid
SlurmctldLogFile={directory}/slurmctld.log
SlurmdLogFile={directory}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=500
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
    environment = {**os.environ, "SLURM_CONF": str(conf), "PATH": os.environ["PATH"] + ":/usr/sbin"}
    daemons = []
    try:
        daemons.append(started(["munged", "--foreground", "--force", f"--key-file={key}", f"--socket={munge_socket}",
                                f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed"],
                               env=environment))
        time.sleep(1.0)
        daemons.append(started(["slurmctld", "-D", "-i"], env=environment, stderr=subprocess.DEVNULL))
        daemons.append(started(["slurmd", "-D"], env=environment, stderr=subprocess.DEVNULL))
        for _ in range(60):
            state = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=environment, capture_output=True, text=True)
            if state.stdout.strip() == "idle":
                break
            time.sleep(0.5)
        else:
            pytest.fail(f"Slurm did not start: {state.stdout} {state.stderr}\n"
                        + (directory / "slurmctld.log").read_text()[-2000:])
        yield environment
        subprocess.run(["scancel", "--user=root"], env=environment)
        time.sleep(1.0)
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()


def tasks_of(directory):
    """The processes that make runs of a sweep in this directory."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
        except OSError:
            continue
        if b"--runs" in words and any(str(directory).encode() in word for word in words):
            found.append(int(entry.name))
    return found


def test_slurm_loses_nothing_with_a_task(slurm, one_core, tmp_path):
    command = [COMMAND, "sweep", SCENE, "--vary", "body.ball.position=" + ",".join(PLACES), "-o", tmp_path / "throws",
               "--slurm", "--slurm-tasks", "8"]
    for measure in MEASURES:
        command += ["--measure", measure]
    sweep = subprocess.Popen(command, env=slurm, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    killed = None
    while sweep.poll() is None:
        tasks = tasks_of(tmp_path)
        if killed is None and tasks:
            time.sleep(0.5)
            killed = tasks[0]
            os.kill(killed, signal.SIGKILL)
        time.sleep(0.1)
    said = sweep.communicate()[0]
    assert sweep.returncode == 0, said
    assert killed is not None and said.count("job array") == 2, said  # what was killed was handed over again

    def rows(text):
        return [line for line in text.splitlines() if line[:1].isdigit()]

    assert rows((tmp_path / "throws.csv").read_text()) == rows(one_core)
    again = subprocess.run(command, env=slurm, capture_output=True, text=True)
    assert again.returncode == 0 and "job array" not in again.stdout, again.stdout + again.stderr


def test_slurm_goes_on_without_the_command(slurm, tmp_path):
    """Ctrl-C ends the command, not the array; called again it collects."""
    command = [COMMAND, "sweep", SCENE, "--vary", "body.ball.position=" + ",".join(PLACES[:6]), "-o", tmp_path / "throws",
               "--slurm", "--slurm-tasks", "2", "--measure", "kinetic"]
    sweep = subprocess.Popen(command, env=slurm, stdout=subprocess.PIPE, text=True)
    assert "job array" in sweep.stdout.readline()
    sweep.send_signal(signal.SIGINT)
    begun = time.monotonic()
    assert sweep.wait(30) == 130 and time.monotonic() - begun < 3.0
    again = subprocess.run(command, env=slurm, capture_output=True, text=True)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "tasks" not in again.stdout  # nothing was handed over twice
    assert len((tmp_path / "throws.csv").read_text().splitlines()) == 8


def test_faults_of_slurm_are_told(tmp_path):
    command = [COMMAND, "sweep", SCENE, "--vary", "body.ball.position=" + PLACES[0], "-o", tmp_path / "x", "--slurm"]
    done = subprocess.run(command, env={**os.environ, "PATH": "/nowhere", "SLURM_CONF": "/nowhere"},
                          capture_output=True, text=True)
    assert done.returncode != 0 and "sbatch" in done.stderr


def test_mpi_has_the_same_rows(tmp_path):
    pytest.importorskip("mpi4py")
    if shutil.which("mpiexec") is None:
        pytest.skip("mpiexec is not installed (./dev setup cluster)")
    program = tmp_path / "study.py"
    program.write_text(f"""
import carom
from mpi4py.futures import MPIPoolExecutor

if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        study = carom.study({str(SCENE)!r}, {{"body.ball.position": {PLACES[:4]!r}}}, {MEASURES!r}, executor=pool)
    open("mpi.csv", "w").write(study.to_csv())
""")
    done = subprocess.run(["mpiexec", "-n", "3", "--allow-run-as-root", "--oversubscribe", sys.executable, "-m",
                           "mpi4py.futures", program], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    alone = carom.study(SCENE, {"body.ball.position": PLACES[:4]}, MEASURES, workers=1)
    assert (tmp_path / "mpi.csv").read_text() == alone.to_csv()
