"""A process for long work, which may be ended at any time: `python -P -m goodmeasure.web.worker`.

It reads tasks as lines of JSON from standard input, and writes what it finds as lines of JSON, of which the last one
for each task has ``done``. It ends when standard input does, so that it never outlives the server for long.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from goodmeasure.catalogue.names import NameWarning
from goodmeasure.exceptions import UnverifiedProof
from goodmeasure.typing import ReadJson
from goodmeasure.web import limits
from goodmeasure.web.replies import error_data, json_bytes

Emit = Callable[[dict[str, ReadJson]], None]
REFUSED = (ValueError, TypeError, ArithmeticError, KeyError, OSError, ImportError)


def _formula(data: dict[str, ReadJson], emit: Emit) -> None:
    from goodmeasure.web.answers.own_formulas import about_formula
    from goodmeasure.web.fields import matrix_of

    matrix = None if data.get("matrix") is None else matrix_of(data)
    emit(about_formula(data["text"], matrix))


def _check(data: dict[str, ReadJson], emit: Emit) -> None:
    from goodmeasure.catalogue.measure import as_measure
    from goodmeasure.web.answers.own_formulas import check_measure, own_measure

    f = as_measure(data["measure"]) if data.get("measure") is not None else own_measure(data["text"])
    check_measure(f, data["classes"], data["domain"], data["properties"], emit)


def _possible(data: dict[str, ReadJson], emit: Emit) -> None:
    from goodmeasure.web.answers.compare_measures import possible_answer

    emit(possible_answer(data["properties"], data["classes"], data["domain"]))


def _disagree(data: dict[str, ReadJson], emit: Emit) -> None:
    from goodmeasure.catalogue.measure import as_measure
    from goodmeasure.web.answers.compare_measures import disagreement

    emit(disagreement(as_measure(data["first"]), as_measure(data["second"]), data["n"]))


def _recommend(data: dict[str, ReadJson], emit: Emit) -> None:
    from goodmeasure.web.answers.recommending import recommendation

    emit(recommendation(data))


def _matrix_question(data: dict[str, ReadJson], emit: Emit) -> None:
    """Answer a question about a matrix that would keep the server from answering others."""
    from goodmeasure.web.routes import QUICK

    kind = QUICK[data["kind"]]
    emit(kind.answers([kind.read(data["question"])])[0])


def _look(data: dict[str, object], emit: Emit) -> None:
    from goodmeasure.web.answers.compare_systems import NamedColumns, look

    emit(look(_file(data), NamedColumns.of(data)))


def _compare(data: dict[str, ReadJson], emit: Emit) -> None:
    from goodmeasure.web.answers.compare_systems import NamedColumns, compared
    from goodmeasure.web.forms import read_options

    emit(compared(_file(data), NamedColumns.of(data), data["measures"], read_options("compare", data["options"])))


def _report(data: dict[str, ReadJson], emit: Emit) -> None:
    from goodmeasure.web.answers.compare_systems import NamedColumns, report
    from goodmeasure.web.forms import read_options

    options = read_options("compare", data["options"])
    report(_file(data), NamedColumns.of(data), data["measures"], data["format"], Path(data["target"]), options)
    emit({})


def _file(data: dict[str, ReadJson]) -> Path:
    """Return the file to read, by the name that its owner knows, which messages and lines to copy then show."""
    os.chdir(data["folder"])
    return Path(data["name"])


TASKS: dict[str, Callable[[dict[str, object], Emit], None]] = {
    "formula": _formula,
    "check": _check,
    "possible": _possible,
    "disagree": _disagree,
    "recommend": _recommend,
    "matrix_question": _matrix_question,
    "look": _look,
    "compare": _compare,
    "report": _report,
}


def main() -> None:
    """Work until there is no more to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    _limit_memory()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not get between the replies
    warnings.simplefilter("ignore", NameWarning)
    warnings.simplefilter("ignore", UnverifiedProof)

    def emit(data: dict[str, object]) -> None:
        replies.write(json_bytes(data) + b"\n")
        replies.flush()

    _load()
    emit({"ready": True})
    for line in sys.stdin.buffer:
        _work(line, emit)


def _load() -> None:
    """Import what most tasks need, while nobody waits for it."""
    from goodmeasure.web import routes  # noqa: F401
    from goodmeasure.web.answers import own_formulas  # noqa: F401


def _work(line: bytes, emit: Emit) -> None:
    """Do one task; whatever goes wrong is said, and the next task can come."""
    import json

    start = time.monotonic()
    try:
        task = json.loads(line)
        TASKS[task["task"]](task["data"], emit)
    except MemoryError:
        emit({**error_data(_too_much()), "done": True})
    except REFUSED as error:
        emit({**error_data(error), "done": True})
    else:
        emit({"done": True, "seconds": round(time.monotonic() - start, 3)})
    finally:
        os.chdir("/")  # a folder that is gone would be no place for the next task


def _too_much() -> Exception:
    from goodmeasure.exceptions import InputError

    return InputError("this needs more memory than the page may use", advice="use the command line instead")


def _limit_memory() -> None:
    """Take no more memory than the page may use, where the system can limit it."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    resource.setrlimit(resource.RLIMIT_DATA, (limits.WORKER_BYTES, limits.WORKER_BYTES))


if __name__ == "__main__":
    main()
