#!/bin/sh
# Run the tests with other Pythons, each in a virtual environment of its own: every_python.sh VERSION|floor...
# "floor" is the oldest Python that is installed, with the oldest dependencies that pyproject.toml allows.
# What is not installed is said aloud, and is no failure.
cd "$(dirname "$0")/.." || exit
oldest="3.11 3.12 3.13 3.14"

python_of() { # print the path of a Python of this version, on the PATH or among pyenv's
    for python in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
        "$python" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null &&
            "$python" -c "import sys; print(sys.executable)" && return
    done
    return 1
}

status=0 said=""
for version in "$@"; do
    python=""
    if [ "$version" = floor ]; then
        for candidate in $oldest; do python=$(python_of "$candidate") && break; done
    else
        python=$(python_of "$version")
    fi
    if [ -z "$python" ]; then
        said="$said!!! PYTHON $version IS NOT INSTALLED: NOTHING WAS TESTED WITH IT\n"
        continue
    fi
    echo "== $version: $python"
    unset PIP_CONSTRAINT
    if [ "$version" = floor ]; then
        mkdir -p .venv-floor
        "$python" tests/floor.py >.venv-floor/constraints.txt || exit
        export PIP_CONSTRAINT="$PWD/.venv-floor/constraints.txt"
    fi
    if "${MAKE:-make}" --no-print-directory suite VENV=".venv-$version" PYTHON="$python"; then
        said="$said$version: passed\n"
    else
        said="$said$version: FAILED\n" status=1
    fi
done
printf '\n%b' "$said"
exit $status
