"""Mutants: small faults that are put into a room of the package, one at a time, to see whether its tests notice them.

``make mutants ROOM=theory/kernel`` makes every mutant of every module under that room from its syntax tree:

- each comparison is negated, and each bound moved by one; ``and`` becomes ``or``; a condition is negated;
- each demand, and each other statement that only calls something, is deleted; so is each ``if …: raise``;
- each sign is changed (+ and −, & and |, and the like), each number made one greater, each truth value turned;
- ``any`` becomes ``all``, ``min`` becomes ``max``, and a value that is returned becomes None.

Tests are collected once, and each notes the functions that it calls. A mutant is then tried in a forked process: the
code of the module is exchanged, and the tests that call the mutated function run, the quickest first, for at most a
second of processor time. What is found is kept (`.mutants/`), so a stopped run is taken up where it was.

Survivors are printed with a name that does not depend on lines. One that changes nothing that matters is listed in
``equivalent_mutants.txt`` beside the tests: its name, a tab, and the argument.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib
import json
import os
import random
import signal
import sys
import time
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "goodmeasure"
SECONDS = 1.0  # of processor time for the tests of one mutant
_NEGATED = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_MOVED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
_TURNED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.Mod: ast.Add, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
_CONDITIONS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp)
_SKIPPED = (ast.JoinedStr, ast.Import, ast.ImportFrom)  # messages and imports


@dataclass(frozen=True)
class Mutant:
    """A fault in a function of a module."""

    module: str  # its path in the package
    function: str  # qualified; "" for what stands in none
    name: str
    apply: Callable[[], object]  # puts it into the tree
    tree: ast.Module


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of a module, with distinct names."""
    tree, seen = ast.parse(path.read_bytes()), Counter[str]()
    module = str(path.relative_to(PACKAGE))
    for function, said, apply in _changes(tree, ""):
        name = f"{module} {function}: {said}"
        seen[name] += 1
        yield Mutant(module, function, f"{name} #{seen[name]}" if seen[name] > 1 else name, apply, tree)


_Change = tuple[str, str, Callable[[], object]]


def _changes(node: ast.AST, inside: str) -> Iterator[_Change]:
    """Yield the mutations of a node and of what is in it."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        children = value if isinstance(value, list) else [value]
        for k, child in enumerate(children):
            if not isinstance(child, ast.AST) or isinstance(child, _SKIPPED) or _is_checking(child):
                continue
            where = inside
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                where = f"{inside}.{child.name}".strip(".")

            def put(new: ast.AST, *, field: str = field, k: int = k, value: object = value) -> object:
                return value.__setitem__(k, new) if isinstance(value, list) else setattr(node, field, new)

            for said, new in _replaced(child):
                yield where, f"{_short(child)} -> {said}", lambda put=put, new=new: put(new)  # type: ignore[misc]
            yield from _changes(child, where)


def _is_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _short(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:100]


def _replaced(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield what may stand in the place of a node, each with what it is called."""
    match node:
        case ast.Expr(value=ast.Call()):
            yield "nothing", ast.Pass()
        case ast.If(body=[ast.Raise()]):
            yield "nothing", ast.If(ast.Constant(False), node.body, node.orelse)
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield "return None", ast.Return(ast.Constant(None))
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for k, op in enumerate(ops):
                for table in (_NEGATED, _MOVED):
                    if type(op) in table:
                        other = ast.Compare(left, [*ops[:k], table[type(op)](), *ops[k + 1 :]], comparators)
                        yield _short(other), other
        case ast.BoolOp(op=op, values=values):
            other = ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            yield _short(other), other
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield _short(operand), operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _TURNED:
            turned = ast.BinOp(left, _TURNED[type(op)](), right)
            yield _short(turned), turned
        case ast.Constant(value=bool() as value):
            yield str(not value), ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield str(value + 1), ast.Constant(value + 1)
            if value > 1:
                yield str(value - 1), ast.Constant(value - 1)
        case ast.Name(id=name) if name in _NAMES and isinstance(node.ctx, ast.Load):
            yield _NAMES[name], ast.Name(_NAMES[name], ast.Load())
        case ast.If(test=test, body=body, orelse=orelse) if isinstance(test, _CONDITIONS):
            yield "negated", ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test=test, body=body, orelse=orelse) if isinstance(test, _CONDITIONS):
            yield "negated", ast.IfExp(ast.UnaryOp(ast.Not(), test), body, orelse)


# Putting a mutant into the running module


def install(mutant: Mutant) -> None:
    """Exchange the code of a module that is loaded, also where others have imported from it."""
    mutant.apply()
    name = "goodmeasure." + mutant.module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    module = importlib.import_module(name)
    old, new = vars(module), {"__name__": name, "__file__": module.__file__, "__package__": module.__package__}
    exec(compile(ast.fix_missing_locations(mutant.tree), str(module.__file__), "exec"), new)
    moved: dict[int, object] = {}
    for key, value in new.items():
        if key.startswith("__") or key not in old or getattr(value, "__module__", name) not in (name, None):
            continue
        if not _exchanged(old[key], value):
            moved[id(old[key])] = value
            old[key] = value
    for other in list(sys.modules.values()):
        if getattr(other, "__name__", "").startswith(("goodmeasure.", "tests.")):
            for key, value in list(vars(other).items()):
                if id(value) in moved and type(value) not in (int, str, bool, type(None)):
                    setattr(other, key, moved[id(value)])


def _exchanged(old: Any, new: Any) -> bool:
    """Give a function, or all functions of a class, the code of another one; return whether it is one of these."""
    if isinstance(old, types.FunctionType) and isinstance(new, types.FunctionType):
        if old.__code__.co_freevars == new.__code__.co_freevars:
            old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
        if hasattr(old, "__wrapped__"):
            _exchanged(old.__wrapped__, new.__wrapped__)
        return True
    if isinstance(old, type) and isinstance(new, type):
        for key, value in vars(new).items():
            before = vars(old).get(key)
            if isinstance(before, (types.MemberDescriptorType, types.GetSetDescriptorType)):
                continue  # where the fields of an object lie
            if before is not None and not _exchanged(before, value) and not key.startswith("__"):
                setattr(old, key, value)
        return True
    for inner in ("fget", "func", "__func__", "__wrapped__"):  # properties, cached properties and the like
        if hasattr(old, inner) and isinstance(getattr(old, inner), types.FunctionType):
            return _exchanged(getattr(old, inner), getattr(new, inner))
    return False


# Running the tests


class Hunt:
    """A run of pytest that collects the tests of a room, and then tries mutants instead of running them."""

    def __init__(self, said: argparse.Namespace) -> None:
        self.said = said
        self.kept = ROOT / ".mutants" / (said.room.replace("/", "-") + ".jsonl")
        self.kept.parent.mkdir(exist_ok=True)
        paths = sorted((PACKAGE / said.room).rglob("*.py")) if said.room else []
        self.all = [x for path in paths if not said.only or said.only in str(path) for x in mutants(path)]
        if said.sample:
            self.all = random.Random(said.seed).sample(self.all, min(said.sample, len(self.all)))
        self.left = list[Mutant]()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Note what each test calls, and try all mutants that were not tried before."""
        started = time.time()
        calls, seconds = self.observed(session)
        self.tests: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in sorted((x for x in session.items if x.nodeid in seconds), key=lambda x: seconds[x.nodeid]):
            for function in calls[item.nodeid]:
                self.tests[function].append(item)
        for module in dict.fromkeys(x.module for x in self.all):
            path = PACKAGE / module
            same = Mutant(module, "", f"{module} as it is", lambda: None, ast.parse(path.read_bytes()))
            if found := self.tried(session, same):
                raise AssertionError(f"{module} cannot be exchanged: {found}")
        known = self.results()
        self.left = [x for x in self.all if self.key(x) not in known]
        print(f"\n{len(self.all)} mutants, {len(self.left)} to try, {len(seconds)} tests", flush=True)
        until = started + 60 * self.said.minutes
        workers = []
        for k in range(self.said.jobs):
            pid = os.fork()
            if not pid:
                for x in self.left[k :: self.said.jobs]:
                    if time.time() < until:
                        self.keep(self.key(x), x.name, self.tried(session, x))
                os._exit(0)
            workers.append(pid)
        for pid in workers:
            os.waitpid(pid, 0)
        return True

    def observed(self, session: pytest.Session) -> tuple[dict[str, set[str]], dict[str, float]]:
        """Return what each test calls and how long it takes, of tests that pass and are quick; they run once for it."""
        store = self.kept.with_suffix(".tests")
        rows = store.read_text(encoding="utf-8").splitlines() if store.exists() else []
        known = dict(map(json.loads, rows))
        hashes = {x.path: hashlib.sha256(x.path.read_bytes()).hexdigest()[:16] for x in session.items}
        now = {}
        for item in session.items:
            name = f"{hashes[item.path]} {item.nodeid}"
            now[name] = known[name] if name in known else self.seen(session, item)
            if name not in known:
                with store.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([name, now[name]]) + "\n")
            if not now[name]:
                print(f"not used, since it fails or takes long: {item.nodeid}", flush=True)
        found = {x.split(" ", 1)[1]: y for x, y in now.items() if y}
        return {x: set(y[1]) for x, y in found.items()}, {x: y[0] for x, y in found.items()}

    @staticmethod
    def seen(session: pytest.Session, item: pytest.Item) -> tuple[float, list[str]] | None:
        """Run a test in a process of its own; return how long it takes and what it calls, or None."""
        inside, outside = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(inside)
            signal.setitimer(signal.ITIMER_PROF, 3 * SECONDS)  # it ends the process
            found, begun = set[types.CodeType](), time.process_time()
            sys.settrace(lambda frame, event, arg: found.add(frame.f_code))  # type: ignore[func-returns-value]
            good = passes(session, item)
            sys.settrace(None)
            took, start = time.process_time() - begun, len(str(PACKAGE)) + 1
            calls = [f"{x.co_filename[start:]} {_plain(x)}" for x in found if x.co_filename.startswith(str(PACKAGE))]
            with os.fdopen(outside, "w") as file:
                json.dump([took, sorted(set(calls))] if good and took < 2 * SECONDS else None, file)
            os._exit(0)
        os.close(outside)
        with os.fdopen(inside) as file:
            text = file.read()
        os.waitpid(pid, 0)
        return json.loads(text or "null")  # type: ignore[no-any-return] # what was written above

    def tried(self, session: pytest.Session, mutant: Mutant) -> str:
        """Return the test that notices a mutant, "time" if it takes too long, or "" if none does."""
        function = f"{mutant.module} {mutant.function}"
        names = [x for x in self.tests if x == function or x.startswith(function + ".")]
        if not mutant.function or not names:  # it runs when the module is loaded
            names = [x for x in self.tests if x.startswith(f"{mutant.module} ")]
        items = [x for name in names for x in self.tests[name]]
        if not items:
            return ""
        inside, outside = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(inside)
            signal.alarm(int(20 * SECONDS))  # a process that hangs ends by it
            found = ""
            try:
                install(mutant)
                begun = time.process_time()
                for item in dict.fromkeys(items):
                    if time.process_time() > begun + SECONDS:
                        break
                    if not passes(session, item):
                        found = item.nodeid
                        break
            except BaseException as error:  # noqa: BLE001 - a mutant may do anything when it is loaded
                found = type(error).__name__
            os.write(outside, found.encode())
            os._exit(0)
        os.close(outside)
        with os.fdopen(inside) as file:
            found = file.read()
        _, status = os.waitpid(pid, 0)
        return found if not status else "time"

    # What is kept

    def key(self, mutant: Mutant) -> str:
        """Return what names a mutant of a module as it is now."""
        source = (PACKAGE / mutant.module).read_bytes()
        return hashlib.sha256(source + mutant.name.encode()).hexdigest()[:16]

    def keep(self, key: str, name: str, found: str) -> None:
        with self.kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, name, found]) + "\n")

    def results(self) -> dict[str, str]:
        """Return what notices each mutant that was tried; survivors are tried again with --again."""
        if not self.kept.exists():
            return {}
        rows = [json.loads(x) for x in self.kept.read_text(encoding="utf-8").splitlines()]
        return {key: found for key, _, found in rows if found or not self.said.again}


def _plain(code: types.CodeType) -> str:
    """Return the name of the function in which code stands."""
    return ".".join(x for x in code.co_qualname.split(".") if not x.startswith("<"))


def passes(session: pytest.Session, item: pytest.Item) -> bool:
    """Return whether a test passes."""
    from _pytest.runner import runtestprotocol

    reports = runtestprotocol(item, log=False, nextitem=None)
    return not any(x.failed for x in reports)


def equivalent(room: str) -> dict[str, str]:
    """Return the mutants that change nothing that matters, with the argument."""
    path = ROOT / "tests" / room / "equivalent_mutants.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return dict(x.split("\t", 1) for x in lines if "\t" in x)


def main(words: list[str]) -> int:
    """Try the mutants of a room, and print the survivors and how many were noticed, by module."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("room", help="a folder of the package, such as theory/kernel")
    parser.add_argument("--only", default="", help="modules whose path holds this")
    parser.add_argument("--tests", nargs="+", help="files of tests, if not all of the room")
    parser.add_argument("--sample", type=int, default=0, help="how many mutants, drawn at random; 0: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--again", action="store_true", help="try survivors again")
    said = parser.parse_args(words)
    if said.sample:
        print(f"a sample of {said.sample} mutants, --seed {said.seed}")
    hunt = Hunt(said)
    tests = said.tests or [str(ROOT / "tests" / said.room)]
    pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", *tests], plugins=[hunt])
    said.again = False
    known, excused = hunt.results(), equivalent(said.room)
    noticed, tried = Counter[str](), Counter[str]()
    for x in hunt.all:
        found = known.get(hunt.key(x))
        if found is None:
            continue
        tried[x.module] += 1
        if found or x.name in excused:
            noticed[x.module] += 1
        else:
            print(f"SURVIVED {x.name}")
    for module in tried:
        print(f"{noticed[module]:5} of {tried[module]:5} ({noticed[module] / tried[module]:4.0%}) {module}")
    total = sum(tried.values())
    print(f"{noticed.total()} of {total} noticed or equivalent; {len(hunt.all) - total} not tried")
    return int(noticed.total() < total)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
