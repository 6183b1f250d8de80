"""Documents: results that are saved as JSON and read back, all by one mechanism.

A class derives from `JsonDocument` and names its `kind`. What a document holds follows from the class: the fields of a
dataclass or a named tuple, and the parameters of the constructor of any other class (each is an attribute of that name,
perhaps with an underscore in front). Their annotations say how each value is written, read and described by a JSON
Schema. A class whose constructor takes something else has `_stored()`, whose annotated return value is written, and the
class method `_restored()`, which takes it. The metadata of a dataclass's field may
be NOT_STORED or UNLESS_EMPTY, or give another "name" or "type" for it in JSON.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Weight(JsonDocument):
...     kind = "weight"
...     item: str
...     kilograms: float
>>> Weight("apple", 0.2).to_dict()
{'schema': 'goodmeasure/weight/1', 'goodmeasure': '1.0.0rc1', 'item': 'apple', 'kilograms': 0.2}
>>> Weight.from_json(Weight("apple", float("nan")).to_json())
Weight(item='apple', kilograms=nan)
"""

from __future__ import annotations

import base64
import inspect
import json
import math
import sys
import types
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from importlib import import_module
from typing import (
    Annotated,
    ClassVar,
    ForwardRef,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    is_typeddict,
)

import numpy as np

from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import Array, FieldValue, Label, ReadJson

PREFIX = "goodmeasure"
HEAD = ("schema", PREFIX)  # of every document: its kind, and the version of the package that wrote it
NOT_STORED = {"stored": False}
UNLESS_EMPTY = {"stored": "unless empty"}
UNREADABLE = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, RecursionError, MemoryError)
"""What damaged data may raise where it is read: keys that are missing, other types, fractions such as 1/0."""


class DamageError(ValueError):
    """What is wrong with data that is read; it becomes part of an `InputError`."""


_LISTED = 256  # longer arrays are written as the bytes of their numbers
_Object = TypeVar("_Object")
Json = object
Schema = dict[str, object]


class JsonDocument:
    """Base class of what is saved as JSON and read back; the module's description says what is written."""

    __slots__ = ()
    kind: ClassVar[str]
    version: ClassVar[int] = 1
    derived: ClassVar[tuple[str, ...]] = ()
    """Properties that are written for other programs, and follow from what is read back."""

    def to_dict(self) -> dict[str, object]:
        """Return everything as dicts, lists, text and numbers: what `to_json` writes."""
        return written(self, self.readable())

    def to_json(self) -> str:
        """Return everything as JSON, which `from_json` reads back."""
        return as_text(self.to_dict())

    @classmethod
    def from_json(cls, text: str | bytes | Mapping[str, ReadJson]) -> Self:
        """Return the object that a text of `to_json`, or the data in it, stands for."""
        data = loaded(text)
        check_kind(data, cls.kind, cls.version)
        try:
            found: Self = _members(cls).read(data.get("state", data))
        except InputError:
            raise
        except UNREADABLE as error:
            raise damaged("this JSON", cls.kind, error) from None
        return found

    def readable(self) -> dict[str, object]:
        """Return entries in a layout for other programs; what `from_json` reads is then under the key "state"."""
        return {}


def written(document: JsonDocument, readable: Mapping[str, object]) -> dict[str, object]:
    """Return the data of a document, with these entries for other programs."""
    from goodmeasure import __version__

    cls = type(document)
    kept = _members(cls).write(document)
    shown = {name: _derived(cls, name).write(getattr(document, name)) for name in cls.derived}
    head = dict(zip(HEAD, (f"{PREFIX}/{cls.kind}/{cls.version}", __version__), strict=True))
    return {**head, **readable, "state": kept} if readable else {**head, **kept, **shown}  # type: ignore[dict-item]


def plain_of(x: object) -> dict[str, ReadJson]:
    """Return the fields of an object as JSON holds them, without the head of a document."""
    return _members(type(x)).write(x)  # type: ignore[return-value] # only objects with fields are asked for


def made_of(cls: type[_Object], data: Mapping[str, ReadJson]) -> _Object:
    """Return the object with these fields."""
    found: _Object = _members(cls).read(data)
    return found


def as_text(data: Mapping[str, object]) -> str:
    """Return the data of a document as text."""
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def loaded(text: object) -> ReadJson:
    """Return the data of a JSON text; data that is read already is returned as it is."""
    if not isinstance(text, (str, bytes, bytearray)):
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError("this is not JSON", argument="data", error=error, advice="{error}") from None


def check_kind(data: object, kind: str, version: int, what: str = "this JSON") -> None:
    """Refuse data that are no document of a kind, or one of a newer version; `what` says where they come from."""
    schema = str(data.get("schema", "")) if isinstance(data, Mapping) else ""
    prefix, _, rest = schema.partition("/")
    came, _, number = rest.partition("/")
    known = f"{PREFIX}/{kind}/{version}"
    if prefix != PREFIX or came != kind:
        raise InputError(
            "{what} is not {wanted}", what=what, wanted=_with_article(kind), got=schema, known=known,
            advice="its schema is {got!r} and not {known!r}" if schema else "it has no schema",
        )  # fmt: skip
    if not number.isdecimal() or not 1 <= int(number) <= version:
        assert isinstance(data, Mapping)
        raise InputError(
            "{what} has the schema {got!r}", what=what, got=schema, known=known,
            by=data.get(PREFIX, "of another version"),
            advice="it was written by goodmeasure {by}; this version of goodmeasure reads {known!r}",
        )  # fmt: skip


def damaged(what: str, kind: str, error: Exception) -> InputError:
    """Return the error about data that cannot be read."""
    said = f"{type(error).__name__}: {error}"
    return InputError("{what} of {kind} is damaged", what=what, kind=_with_article(kind), error=said, advice="{error}")


def _with_article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind.replace('-', ' ')}"


# How values of a type are written, read and described


class JsonForm(NamedTuple):
    """How the values of one type are written as JSON and read from it.

    `fits` and `reads` say whether a value, or its JSON, is of the type: they choose among the types of a union.
    """

    write: Callable[[FieldValue], Json]
    read: Callable[[ReadJson], FieldValue]
    fits: Callable[[object], bool]
    reads: Callable[[object], bool]
    schema: Callable[[dict[str, Schema]], Schema]


def _plain(kind: type, schema: str) -> JsonForm:
    def write(x: object) -> Json:
        return x.item() if isinstance(x, np.generic) else x

    def fits(x: object) -> bool:
        return isinstance(write(x), kind) and (kind is bool or not isinstance(x, (bool, np.bool_)))

    return JsonForm(write, _as_is, fits, fits, lambda known: {"type": schema})


def _as_is(x: ReadJson) -> ReadJson:
    return x


def _write_float(x: float) -> Json:
    x = x.item() if isinstance(x, np.generic) else x
    return None if x != x else x if abs(x) != math.inf else "inf" if x > 0 else "-inf"


def _read_float(x: ReadJson) -> float:
    return math.nan if x is None else float(x) if isinstance(x, str) else _checked_number(x)


def _checked_number(x: ReadJson) -> float:
    if isinstance(x, bool) or not isinstance(x, (int, float)):
        raise DamageError(f"{x!r} is not a number")
    return x


def _is_number(x: object) -> bool:
    return isinstance(x, (int, float, np.integer, np.floating)) and not isinstance(x, bool)


_INFINITE = ("inf", "-inf", "nan")
_FLOAT = JsonForm(
    _write_float, _read_float, _is_number, lambda x: _is_number(x) or x in _INFINITE,
    lambda known: {"anyOf": [{"type": ["number", "null"]}, {"enum": list(_INFINITE[:2])}]},
)  # fmt: skip
_NONE = JsonForm(_as_is, _as_is, lambda x: x is None, lambda x: x is None, lambda known: {"type": "null"})
_ANYTHING = JsonForm(
    lambda x: x.tolist() if isinstance(x, np.ndarray) else x, _as_is, lambda x: True, lambda x: True, lambda known: {},
)  # fmt: skip
_FRACTION = JsonForm(
    str, Fraction, lambda x: isinstance(x, Fraction), lambda x: isinstance(x, str),
    lambda known: {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"},
)  # fmt: skip


def write_label(x: Label, *, strict: bool = False) -> Json:
    """Return a label as JSON: plain values as they are, other types as an object that names the type.

    A label of a type that is not known is written as text or, if `strict`, refused.
    """
    if isinstance(x, np.generic):
        x = x.item()
    if isinstance(x, float) and not math.isfinite(x):
        return {"float": repr(x)}
    if x is None or type(x) in (str, int, float, bool):
        return x
    if isinstance(x, tuple):
        return {"tuple": [write_label(y, strict=strict) for y in x]}
    if isinstance(x, bytes):
        return {"bytes": x.hex()}
    if isinstance(x, Fraction):
        return {"fraction": str(x)}
    if type(x) is date or type(x) is datetime:
        return {type(x).__name__: x.isoformat()}
    if strict:
        raise InputTypeError(
            "the label {label!r} is a {kind}, which JSON cannot hold", label=x, kind=type(x).__name__,
            advice="use labels such as strings or numbers",
        )  # fmt: skip
    return {"text": str(x)}


_LABEL_TYPES: dict[str, Callable[[ReadJson], Label]] = {
    "float": float,
    "tuple": lambda parts: tuple(read_label(x) for x in parts),
    "bytes": bytes.fromhex,
    "fraction": Fraction,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "text": str,
}


def read_label(x: ReadJson) -> Label:
    """Return the label that JSON stands for."""
    if not isinstance(x, dict):
        plain: Label = x
        return plain
    ((kind, value),) = x.items()
    return _LABEL_TYPES[kind](value)


_LABEL = JsonForm(
    write_label, read_label, lambda x: True, lambda x: True,
    lambda known: {"type": ["null", "boolean", "number", "string", "object"], "maxProperties": 1},
)  # fmt: skip


def _write_array(x: Array) -> Json:
    x = np.asarray(x)
    if x.dtype.kind == "O" or x.size <= _LISTED:
        return {"numbers": x.dtype.str, "shape": list(x.shape), "values": [_element(y) for y in x.ravel().tolist()]}
    return {"numbers": x.dtype.str, "shape": list(x.shape), "base64": base64.b64encode(x.tobytes()).decode("ascii")}


def _element(x: object) -> Json:
    return _write_float(x) if isinstance(x, float) else write_label(x)


def _read_array(data: ReadJson) -> Array:
    kind = np.dtype(data["numbers"])
    if kind.kind not in "biufOU":
        raise DamageError(f"arrays of {kind} are not known")
    if "base64" in data:
        return np.frombuffer(base64.b64decode(data["base64"]), kind).reshape(data["shape"]).copy()
    values = [_read_float(x) if kind.kind == "f" else read_label(x) for x in data["values"]]
    found = np.empty(len(values), kind)
    found[:] = values
    return found.reshape(data["shape"])


_ARRAY = JsonForm(
    _write_array, _read_array, lambda x: isinstance(x, np.ndarray), lambda x: isinstance(x, dict) and "numbers" in x,
    lambda known: {"type": "object", "required": ["numbers", "shape"]},
)  # fmt: skip
_FORMS: dict[object, JsonForm] = {
    str: _plain(str, "string"), int: _plain(int, "integer"), bool: _plain(bool, "boolean"), float: _FLOAT,
    Fraction: _FRACTION, type(None): _NONE, None: _NONE, ReadJson: _ANYTHING, object: _LABEL, Hashable: _LABEL,
    np.ndarray: _ARRAY,
}  # fmt: skip


def form_of(hint: object, home: type) -> JsonForm:
    """Return how values of an annotated type are written and read; `home` is the class with the annotation."""
    if isinstance(hint, (str, ForwardRef)):
        hint = _evaluated(hint.__forward_arg__ if isinstance(hint, ForwardRef) else hint, home)
    if isinstance(hint, Hashable) and hint in _FORMS:
        return _FORMS[hint]
    origin, given = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return form_of(given[0], home)
    if origin is np.ndarray:
        return _ARRAY
    if origin is Literal:
        return _plain(str, "string")._replace(schema=lambda known: {"enum": list(given)})
    if origin in (Union, types.UnionType):
        return _union([form_of(x, home) for x in given])
    if origin is tuple and given[1:] != (...,):
        return _fixed_list([form_of(x, home) for x in given])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(*(form_of(x, home) for x in given), by_text=given[0] is str)
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return _list(form_of(given[0], home), tuple if origin is tuple else list)
    if isinstance(hint, type):
        return _members(hint)
    raise NotImplementedError(f"{home.__name__} cannot be written as JSON: {hint}")


def _evaluated(text: str, home: type) -> object:
    """Return an annotation that is a text; a public name may be imported for type checkers only."""
    spaces: dict[str, object] = {}
    for base in reversed(home.__mro__):
        spaces |= vars(sys.modules[base.__module__])
    try:
        return eval(text, spaces)
    except NameError as error:  # imported for type checkers only: a class of the public surface
        spaces[str(error.name)] = getattr(import_module("goodmeasure.results"), str(error.name))
        return eval(text, spaces)


def _union(forms: list[JsonForm]) -> JsonForm:
    has_none = _NONE in forms
    if has_none:  # None is written as null, so NaN is not
        forms = [_NONE, *(_OPTIONAL_FLOAT if x is _FLOAT else x for x in forms if x is not _NONE)]

    def write(x: object) -> Json:
        return _first(forms, [form.fits(x) for form in forms], x).write(x)

    def read(x: ReadJson) -> object:
        return _first(forms, [form.reads(x) for form in forms], x).read(x)

    return JsonForm(
        write, read, lambda x: any(form.fits(x) for form in forms), lambda x: any(form.reads(x) for form in forms),
        lambda known: {"anyOf": [form.schema(known) for form in forms]},
    )  # fmt: skip


def _first(forms: list[JsonForm], suits: list[bool], x: object) -> JsonForm:
    """Return the first form that suits a value."""
    if not any(suits):
        raise DamageError(f"{x!r} is of none of the types that are known here")
    return forms[suits.index(True)]


_OPTIONAL_FLOAT = _FLOAT._replace(
    write=lambda x: "nan" if x != x else _write_float(x),
    schema=lambda known: {"anyOf": [{"type": "number"}, {"enum": list(_INFINITE)}]},
)


def _list(item: JsonForm, kind: type) -> JsonForm:
    return JsonForm(
        lambda x: [item.write(y) for y in x], lambda x: kind(item.read(y) for y in x),
        lambda x: isinstance(x, (list, tuple)), lambda x: isinstance(x, list),
        lambda known: {"type": "array", "items": item.schema(known)},
    )  # fmt: skip


def _fixed_list(items: list[JsonForm]) -> JsonForm:
    return JsonForm(
        lambda x: [item.write(y) for item, y in zip(items, x, strict=True)],
        lambda x: tuple(item.read(y) for item, y in zip(items, x, strict=True)),
        lambda x: isinstance(x, tuple), lambda x: isinstance(x, list),
        lambda known: {"type": "array", "prefixItems": [x.schema(known) for x in items], "items": False},
    )  # fmt: skip


def _mapping(key: JsonForm, value: JsonForm, *, by_text: bool) -> JsonForm:
    """Return how a dict is written: as an object if its keys are text, and else as a list of keys with their values."""
    if by_text:
        return JsonForm(
            lambda x: {k: value.write(y) for k, y in x.items()}, lambda x: {k: value.read(y) for k, y in x.items()},
            lambda x: isinstance(x, Mapping), lambda x: isinstance(x, dict),
            lambda known: {"type": "object", "additionalProperties": value.schema(known)},
        )  # fmt: skip
    pairs = _list(_fixed_list([key, value]), list)
    return pairs._replace(
        write=lambda x: pairs.write(x.items()), read=lambda x: dict(pairs.read(x)),
        fits=lambda x: isinstance(x, Mapping),
    )  # fmt: skip


class _Member(NamedTuple):
    """A value that an object of a class consists of: its parameter, its name in JSON, and when it may be absent."""

    parameter: str
    name: str
    form: JsonForm
    optional: bool
    unless_empty: bool = False

    def of(self, x: object) -> object:
        """Return the value of an object, which is an attribute, perhaps with an underscore in front."""
        return getattr(x, self.parameter if hasattr(x, self.parameter) else f"_{self.parameter}")


def _members(cls: type) -> JsonForm:
    """Return how objects of a class are written."""
    if cls not in _MEMBERS:
        _MEMBERS[cls] = _own_form(cls) if hasattr(cls, "_restored") else _form_of_fields(cls)
    return _MEMBERS[cls]


_MEMBERS: dict[type, JsonForm] = {}


def _form_of_fields(cls: FieldValue) -> JsonForm:
    known: list[_Member] = []  # found when they are first needed, as a class may hold others of its kind

    def members() -> list[_Member]:
        if not known:
            known.extend(list(_fields_of(cls)))
        return known

    def write(x: FieldValue) -> Json:
        if not is_typeddict(cls):
            return {m.name: m.form.write(m.of(x)) for m in members() if not m.unless_empty or m.of(x)}
        forms = {m.name: m.form for m in members()}
        return {name: forms.get(name, _LABEL).write(value) for name, value in x.items()}

    def read(data: ReadJson) -> FieldValue:
        if not is_typeddict(cls):
            wanted = [m for m in members() if m.name in data or not m.optional]
            return cls(**{m.parameter: m.form.read(data[m.name]) for m in wanted})
        forms = {m.name: m.form for m in members()}
        return {name: forms.get(name, _LABEL).read(value) for name, value in data.items()}

    def schema(shared: dict[str, Schema]) -> Schema:
        if cls.__name__ not in shared:
            shared[cls.__name__] = {}  # so that a class may hold others of its kind
            shared[cls.__name__] = object_schema(cls, shared)
        return {"$ref": f"#/$defs/{cls.__name__}"}

    def complete(x: object) -> bool:
        return isinstance(x, dict) and all(m.name in x for m in members() if not m.optional)

    is_row = is_typeddict(cls)
    return JsonForm(
        write, read, lambda x: complete(x) if is_row else isinstance(x, cls),
        complete, schema,
    )  # fmt: skip


def object_schema(cls: FieldValue, shared: dict[str, Schema]) -> Schema:
    """Return the JSON Schema of the objects of a class, without the head of a document."""
    members = list(_fields_of(cls))
    found: Schema = {"type": "object", "properties": {m.name: m.form.schema(shared) for m in members}}
    found["required"] = [m.name for m in members if not m.optional]
    return found


def _fields_of(cls: FieldValue) -> Iterator[_Member]:
    if is_typeddict(cls):
        for name, hint in cls.__annotations__.items():
            yield _Member(name, name, form_of(hint, cls), name not in cls.__required_keys__)
        return
    described = getattr(cls, "__dataclass_fields__", {})
    hints: dict[str, object] = {}
    for base in reversed(cls.__mro__):
        hints |= vars(base).get("__annotations__", {})
    for name, parameter in inspect.signature(cls).parameters.items():
        facts = described[name].metadata if name in described else {}
        stored = facts.get("stored", True)
        if not stored:
            continue
        hint = facts.get("type", hints.get(name, parameter.annotation))
        optional = parameter.default is not inspect.Parameter.empty
        named = str(facts.get("name", name.rstrip("_")))
        yield _Member(name, named, form_of(hint, cls), optional, stored == "unless empty")


def _own_form(cls: FieldValue) -> JsonForm:
    """Return how objects of a class are written that has `_stored` and `_restored`."""
    inner: list[JsonForm] = []

    def form() -> JsonForm:
        if not inner:
            inner.append(form_of(inspect.signature(cls._stored).return_annotation, cls))
        return inner[0]

    return JsonForm(
        lambda x: form().write(x._stored()), lambda x: cls._restored(form().read(x)), lambda x: isinstance(x, cls),
        lambda x: form().reads(x), lambda known: form().schema(known),
    )  # fmt: skip


def _derived(cls: type, name: str) -> JsonForm:
    found: FieldValue = inspect.getattr_static(cls, name)
    if isinstance(found, str):
        return _FORMS[str]
    function = getattr(found, "fget", None) or found.func
    return form_of(inspect.signature(function).return_annotation, cls)


def schema_of(cls: type[JsonDocument]) -> Schema:
    """Return the JSON Schema of the documents of a class."""
    shared: dict[str, Schema] = {}
    body = _members(cls).schema(shared)
    name = f"{PREFIX}/{cls.kind}/{cls.version}"
    head: dict[str, object] = {"schema": {"const": name}, PREFIX: {"type": "string"}}
    is_flat = cls.readable is JsonDocument.readable
    shown = {x: _derived(cls, x).schema(shared) for x in cls.derived}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": name, "title": cls.__name__,
        "description": str(cls.__doc__).partition("\n")[0], "type": "object",
        "properties": {**head, **shown} if is_flat else {**head, "state": body},
        "required": ["schema", *([] if is_flat else ["state"])], **(body if is_flat else {}), "$defs": shared,
    }  # fmt: skip
