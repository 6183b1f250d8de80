"""What is released, tried as a user gets it: `make wheels` builds everything twice and ends in a table of what holds.

Two builds must be equal byte for byte. The wheel is repaired for every Linux, and installed in empty environments with
the oldest and the newest Python of this machine. The wheel without compiled parts is installed, too. Both C files
compile against the stable interface, without a warning, with every compiler that is here.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parent.parent
C_FILES = [ROOT / f"src/goodmeasure/counts/kernel/_{name}.c" for name in ("kernel", "scanner")]
COMPILERS = ("gcc", "clang", "x86_64-w64-mingw32-gcc")
WARNINGS = ("-std=c11", "-O3", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fPIC", "-c", "-o", os.devnull)
WINDOWS = """\
#define MS_WINDOWS
#define MS_WIN64
#define MS_WIN32
#define NT_THREADS
#define HAVE_DECLSPEC_DLL
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_INT 4
#define SIZEOF_SHORT 2
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF_TIME_T 8
#define SIZEOF_PID_T 4
#define ALIGNOF_LONG 4
#define ALIGNOF_MAX_ALIGN_T 16
#define HAVE_STDDEF_H 1
#define HAVE_WCHAR_H 1
"""  # what Python's headers ask about a 64-bit Windows
TRIED = """\
import goodmeasure as gm, sys
from importlib.util import find_spec
y = [0, 1, 1, 0, 1] * 40
assert gm.evaluate(y, y[::-1]).value("mcc") == gm.mcc(y, y[::-1])
print(f"Python {sys.version.split()[0]}, compiled parts:", find_spec("goodmeasure.counts.kernel._kernel") is not None)
"""


def ran(*command: object, **options: object) -> str:
    """Return the output of a command that must succeed."""
    done = subprocess.run([str(x) for x in command], capture_output=True, text=True, **options)  # type: ignore[call-overload]
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def built(folder: Path) -> list[Path]:
    """Build the source distribution, its wheel and the wheel without compiled parts from a clean copy."""
    shutil.rmtree(folder, ignore_errors=True)
    ran("git", "clone", "-q", ROOT, folder / "tree")
    build = (sys.executable, "-m", "build", "--no-isolation", "-o", folder / "dist")
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    ran(*build, folder / "tree", env=clean)
    ran(*build, "-w", folder / "tree", env={**clean, "GOODMEASURE_PURE": "1"})
    return sorted((folder / "dist").iterdir())


def pythons() -> list[str]:
    """Return the oldest and the newest Python from 3.11 on that are here."""
    places = [Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"]
    found = [shutil.which(f"python3.{k}") for k in range(11, 20)]
    found += [str(x) for k in range(11, 20) for p in places for x in sorted(p.glob(f"3.{k}.*/bin/python"))[-1:]]
    known = {}
    for path in filter(None, found):
        done = subprocess.run(
            [path, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=False
        )
        if not done.returncode:
            known.setdefault(tuple(map(int, done.stdout.split())), path)
    return [known[min(known)], known[max(known)]] if len(known) > 1 else list(known.values())


def installed(python: str, wheel: Path, folder: Path) -> str:
    """Install a wheel in an empty environment, use it away from the sources, and return what it says of itself."""
    shutil.rmtree(folder, ignore_errors=True)
    ran(python, "-m", "venv", folder)
    ran(folder / "bin/pip", "install", "-q", wheel)
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    ran(folder / "bin/goodmeasure", "demo", cwd=folder, env=clean)
    return ran(folder / "bin/python", "-P", "-c", TRIED, cwd=folder, env=clean).strip()


def compiled(compiler: str, folder: Path) -> str:
    """Compile both C files for a system's headers; warnings are errors."""
    headers = folder / "headers"
    shutil.rmtree(headers, ignore_errors=True)
    shutil.copytree(sysconfig.get_path("include"), headers)
    if "mingw" in compiler:
        (headers / "pyconfig.h").write_text(WINDOWS)
    for path in C_FILES:
        ran(compiler, f"-I{headers}", *WARNINGS, path)
    return ran(compiler, "--version").splitlines()[0]


def main(folder: Path) -> None:
    """Try everything, and print what holds."""
    folder.mkdir(parents=True, exist_ok=True)
    first, second = built(folder / "one"), built(folder / "two")
    for one, other in zip(first, second, strict=True):
        digests = [hashlib.sha256(x.read_bytes()).hexdigest() for x in (one, other)]
        if digests[0] != digests[1]:
            raise SystemExit(f"two builds of {one.name} differ")
        print(f"built twice, equal: {one.name}  {digests[0][:16]}", flush=True)
    native = next(x for x in first if x.suffix == ".whl" and "none-any" not in x.name)
    pure = next(x for x in first if "none-any" in x.name)
    ran(sys.executable, "-m", "auditwheel", "repair", "-w", folder / "wheelhouse", native)
    repaired = max((folder / "wheelhouse").glob("*.whl"))
    print(f"repaired: {repaired.name}")
    for python in pythons():
        print(f"installed: {installed(python, repaired, folder / 'environment')}", flush=True)
    print(f"installed, pure: {installed(pythons()[-1], pure, folder / 'environment')}")
    ran(
        *(Path(sys.executable).parent / "cyclonedx-py", "environment", folder / "environment/bin/python"),
        *("--output-format", "JSON", "--output-reproducible", "-o", folder / "wheelhouse/goodmeasure.cdx.json"),
    )
    print(f"bill of materials: {folder / 'wheelhouse/goodmeasure.cdx.json'}")
    for compiler in COMPILERS:
        here = shutil.which(compiler) is not None
        print(
            f"compiled without a warning: {compiled(compiler, folder)}" if here else f"NOT TRIED: {compiler} is missing"
        )


if __name__ == "__main__":
    main(ROOT / "build" / "release")
