"""Look through the code of a user's function for what tells more about counts than the language of ``c`` does.

Most questions that only a number can answer are noticed when they are asked (`arithmetic.py`, `views.py`). Some are
answered by Python itself, so nothing can notice them: ``type(x)``, ``x is y``, ``id(x)``, an attribute that the values
of the verifier happen to have (by ``getattr`` it is noticed, see `arithmetic.watched_values`), an assignment. A
function whose code contains one of these is refused, and so is one that calls such code, as far as it is found: in the
functions, methods, classes and objects that it names, in the variables around it, in its default values, and in the
measures that it is made of. Code of Python's own library and of other packages is searched for names only, since it
cannot know the classes of this package.

This is a search of code that is written in the usual way. A function that hides its intention well enough (in text that
is executed elsewhere, or in a compiled module) is not found.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from functools import partial
from types import CellType, CodeType, FunctionType, MethodType, ModuleType

from goodmeasure.catalogue.measure import MeasureBase
from goodmeasure.theory.verify.arithmetic import FunctionValue
from goodmeasure.theory.verify.traces import names_in

_REVEALING = frozenset({"weakref", "_weakref", "gc", "inspect", "ctypes", "traceback"})  # modules
_NAMES = frozenset({"type", "__class__", "id", "eval", "exec", "globals", "locals", "vars", "_getframe"})
_MORE_NAMES = frozenset(
    {"setattr", "delattr", "dir", "attrgetter", "methodcaller", "is_", "is_not", "__import__",
     "import_module", "getsizeof", "getrefcount", "modules", "pickle", "marshal", *_REVEALING}
)  # fmt: skip
# Rooms in which readings are told apart; the words of the language (`language/view.py`) are the same for all of them.
_ROOMS = (
    "goodmeasure.theory",
    *(f"goodmeasure.language.{x}" for x in ("class_by_class", "interruptions", "exact", "floats")),
)
# Attributes that a value of the verifier has and an exact number has not, so that nothing is refused.
_OF_VALUES = frozenset(x for x in dir(FunctionValue) if not x.startswith("_")) - {"sign"} | {"theory", "language"}
_USUAL = frozenset({"__name__", "__init__"})  # of the names with underscores, those that say nothing about a count
_ASSIGN = frozenset({"__init__", "__new__", "__post_init__"})  # where an object gets its attributes
_LOOKS = frozenset({"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"})
_SETS = frozenset({"STORE_ATTR", "DELETE_ATTR"})
_GLOBAL = frozenset({"LOAD_GLOBAL", "LOAD_NAME"})


def asks_for_types(function: object) -> str:
    """Return a name in the code of a function, or of what it calls, that reveals more than the language of c; or ""."""
    for one in _all_reached(function):
        if isinstance(one, (type, ModuleType)) and (
            _module_of(one).startswith(_ROOMS) or _module_of(one) in _REVEALING
        ):
            return one.__name__
        if isinstance(one, FunctionType):
            found = _found(one)
            if found:
                return found
    return ""


def looks_up_attributes(function: object) -> bool:
    """Return whether the code of a function, or of what it calls, asks objects for attributes by a name it makes up."""
    return any(
        isinstance(x, FunctionType) and not _is_ours(x) and names_in(x.__code__) & {"getattr", "hasattr"}
        for x in _all_reached(function)
    )


def _all_reached(function: object) -> Iterator[object]:
    """Yield a function and all that it leads to."""
    seen: set[int] = set()
    todo, kept = [function], list[object]()
    while todo:
        one = todo.pop()
        if id(one) not in seen:
            seen.add(id(one))
            kept.append(one)  # so that no other object gets its number
            yield one
            todo += _reached(one)


def _found(f: FunctionType) -> str:
    """Return what in the code of one function reveals more than the language of c; "" where nothing does."""
    if _is_ours(f):
        return ""
    names = names_in(f.__code__)
    if _is_library(f.__module__):
        return min(_NAMES & names, default="")
    rooms = {x for x in names if x.startswith(_ROOMS)}  # what is imported in the function
    return min((_NAMES | _MORE_NAMES) & names | rooms, default="") or _by_instructions(f.__code__, f.__globals__)


def _by_instructions(code: CodeType, names: dict[str, object]) -> str:
    """Return an attribute, an assignment or a comparison that reveals more than the language of c; or ""."""
    before: list[dis.Instruction] = []
    matches = False
    for step in dis.get_instructions(code):
        if step.opname in ("CACHE", "EXTENDED_ARG", "NOP", "PUSH_NULL"):
            continue
        if step.opname in _LOOKS and _is_revealing(step.argval):
            return str(step.argval)
        if step.opname in _SETS and code.co_name not in _ASSIGN:
            return f".{step.argval} ="
        if step.opname == "IS_OP" and not _is_named(before, names):
            return "is"
        matches = matches or step.opname == "MATCH_CLASS"
        before.append(step)
    texts = {y for x in code.co_consts if isinstance(x, tuple) for y in x if isinstance(y, str)} if matches else set()
    found = min((x for x in texts if _is_revealing(x)), default="")
    return found or next(
        filter(None, (_by_instructions(x, names) for x in code.co_consts if isinstance(x, CodeType))), ""
    )


def _is_revealing(name: str) -> bool:
    return name in _OF_VALUES or (name.startswith("__") and name.endswith("__") and name not in _USUAL)


def _is_named(before: list[dis.Instruction], names: dict[str, object]) -> bool:
    """Return whether ``is`` compares with None, a global object or the member of a global class.

    An answer that is left open is neither True nor False, so these must not be compared with.
    """
    last = before[-1]
    if last.opname == "LOAD_CONST":
        return last.argval is None
    if last.opname in _LOOKS and len(before) > 1:
        return before[-2].opname in _GLOBAL and isinstance(names.get(before[-2].argval), type)
    return last.opname in _GLOBAL and not isinstance(names.get(last.argval), bool)


def _reached(x: object) -> Iterator[object]:
    """Yield what an object leads to: the functions that may run if it is called or used."""
    if isinstance(x, FunctionType):
        yield from (cell.cell_contents for cell in x.__closure__ or () if _filled(cell))
        yield from (*(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values(), *vars(x).values())
        if not _is_ours(x):
            yield from _global(x)
    elif isinstance(x, MethodType):
        yield from (x.__func__, x.__self__)
    elif isinstance(x, (staticmethod, classmethod)):
        yield x.__func__
    elif isinstance(x, property):
        yield from (x.fget, x.fset)
    elif isinstance(x, partial):
        yield from (x.func, *x.args, *x.keywords.values())
    elif isinstance(x, MeasureBase):
        yield from (getattr(x, "function", None), *x.parameters.values())
    elif isinstance(x, (list, tuple, set, frozenset)):
        yield from x
    elif isinstance(x, dict):
        yield from x.values()
    elif isinstance(x, type):
        if not _is_ours(x) and not _is_library(x.__module__):
            yield from (*vars(x).values(), *x.__bases__)
    elif not isinstance(x, ModuleType) and not _is_ours(type(x)) and not _is_library(type(x).__module__):
        yield type(x)
        yield from getattr(x, "__dict__", {}).values()
    elif hasattr(x, "__wrapped__"):
        yield x.__wrapped__


def _global(f: FunctionType) -> Iterator[object]:
    """Yield the global names that a function mentions, and what it may take from modules that are no library's."""
    names = names_in(f.__code__)
    for name in names:
        known = f.__globals__.get(name)
        yield known
        if isinstance(known, ModuleType) and not _is_library(known.__name__):
            yield from (vars(known)[x] for x in names if x in vars(known))


def _module_of(x: type | ModuleType) -> str:
    return x.__name__ if isinstance(x, ModuleType) else str(x.__module__)


def _is_ours(x: object) -> bool:
    name = x.__name__ if isinstance(x, ModuleType) else getattr(x, "__module__", "")
    return str(name or "").split(".")[0] == "goodmeasure"


def _is_library(module: object) -> bool:
    """Return whether a module belongs to Python or to an installed package."""
    name = str(module or "")
    if name.split(".")[0] in sys.stdlib_module_names and name != "__main__":
        return True
    return "site-packages" in str(getattr(sys.modules.get(name), "__file__", "") or "")


def _filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
