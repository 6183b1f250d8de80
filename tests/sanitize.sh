#!/usr/bin/env bash
# The kernel's tests with a kernel built for AddressSanitizer and UndefinedBehaviorSanitizer, on a copy of the package.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
cc=${CC:-gcc}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r src/goodmeasure "$copy/goodmeasure"
find "$copy" -name '_kernel*.so' -delete
include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
"$cc" -O1 -g -std=c11 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
    -shared -fPIC -I"$include" src/goodmeasure/counts/_kernel.c -o "$copy/goodmeasure/counts/_kernel.abi3.so"
# Python itself keeps memory until it exits, which is no leak of the kernel's
export ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH="$copy"
LD_PRELOAD=$("$cc" -print-file-name=libasan.so) "$python" -m pytest -q -p no:cacheprovider \
    tests/counts/test_kernel.py tests/counts/test_sparse.py tests/counts/test_counting.py "$@"
