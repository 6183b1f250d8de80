#!/usr/bin/env bash
# The tests of the compiled parts, built for AddressSanitizer and UndefinedBehaviorSanitizer, on a copy of the package.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
cc=${CC:-gcc}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r src/goodmeasure "$copy/goodmeasure"
find "$copy" -name '_*.so' -delete
include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
for part in _kernel _scanner; do
    "$cc" -O1 -g -std=c11 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
        -shared -fPIC -I"$include" "src/goodmeasure/counts/kernel/$part.c" -o "$copy/goodmeasure/counts/kernel/$part.abi3.so"
done
# Python itself keeps memory until it exits, which is no leak of the kernel's
export ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH="$copy"
# The C++ library goes along because DuckDB throws exceptions of its own
LD_PRELOAD="$("$cc" -print-file-name=libasan.so) $("$cc" -print-file-name=libstdc++.so.6)" "$python" -m pytest -q -p no:cacheprovider \
    tests/counts/kernel tests/counts/test_sparse_counts.py tests/counts/test_counting.py tests/counts/readers/files/test_delimited_text.py "$@"
