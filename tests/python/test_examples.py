"""The examples and notebooks run as they are, each in a directory of its own."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "python"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example(path, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook(path, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    manager = pytest.importorskip("jupyter_client.manager")
    kernels = pytest.importorskip("jupyter_client.kernelspec")
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not stored"

    class ThisPython(kernels.KernelSpecManager):
        """The interpreter that runs the tests, whatever kernels are installed."""

        def get_kernel_spec(self, name):
            return kernels.KernelSpec(argv=[sys.executable, "-m", "ipykernel_launcher", "-f",
                                            "{connection_file}"], display_name=name, language="python")

    kernel = manager.AsyncKernelManager(kernel_name="python3", kernel_spec_manager=ThisPython())
    client = nbclient.NotebookClient(notebook, km=kernel, timeout=120, resources={"metadata": {"path": tmp_path}})
    client.execute(env={**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"})
    rich = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
            if "text/html" in output.get("data", {})]
    assert rich, "nothing was shown inline"
