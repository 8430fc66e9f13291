"""Events as the tables of a game file: written, and read again (DESIGN section 7).

The `kind` of a table is the name of the class in small letters, its other keys are the fields, `source` and `target`
written `from` and `to`. A field that holds its default is left out.
"""

from typing import Any, Literal, get_args, get_origin, get_type_hints

from referee.game.events import Event


def _kind(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)[1:]


KINDS: dict[str, Any] = {_kind(kind.__name__): kind for kind in Event.__args__}
"""The classes by the kind that stands in game files."""

KIND_OF: dict[Any, str] = {kind: name for name, kind in KINDS.items()}

_KEYS = {"source": "from", "target": "to"}


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def event_keys(kind: str) -> tuple[str, ...]:
    """Return the keys that a table of this kind may have beside `kind`."""
    return tuple(_KEYS.get(field, field) for field in KINDS[kind]._fields)


def event_to_tree(event: Event) -> dict[str, Any]:
    """Write an event as the table that stands in a game file."""
    kind = type(event)
    tree: dict[str, Any] = {"kind": KIND_OF[kind]}
    defaults = kind._field_defaults
    for field, value in zip(kind._fields, event, strict=True):
        if field not in defaults or value != defaults[field]:
            tree[_KEYS.get(field, field)] = _plain(value) if isinstance(value, tuple) else value
    return tree


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def event_from_tree(tree: dict[str, Any]) -> Event:
    """Read an event as `event_to_tree` wrote it; ValueError names what is wrong with the table."""
    if not isinstance(tree, dict):
        raise ValueError("an event is a table")
    kind = KINDS.get(str(tree.get("kind")))
    if kind is None:
        raise ValueError(f'no kind of event: "{tree.get("kind")}"')
    fields = {}
    for field in kind._fields:
        key = _KEYS.get(field, field)
        if key in tree:
            fields[field] = _frozen(tree[key])
        elif field not in kind._field_defaults:
            raise ValueError(f'{tree["kind"]} without "{key}"')
    if len(fields) + 1 < len(tree):
        extra = sorted(set(tree) - {_KEYS.get(f, f) for f in kind._fields} - {"kind"})
        raise ValueError(f'{tree["kind"]} has no "{extra[0]}"')
    for field, hint in _hints(kind).items():
        if field in fields and not _is_of(fields[field], hint):
            raise ValueError(f'{tree["kind"]}: "{_KEYS.get(field, field)}" is of another kind')
    event: Event = kind(**fields)
    return event


def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the fields, looked up once for each class."""
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


_HINTS: dict[Any, dict[str, Any]] = {}


def _is_of(value: Any, hint: Any) -> bool:
    """Say whether a value from a file is of the type of a field: text, number, word, or tuples of them."""
    if isinstance(hint, type):
        return type(value) is hint
    parts = get_args(hint)
    if get_origin(hint) is Literal:
        return type(value) is str and value in parts
    if type(value) is not tuple:
        return False
    if len(parts) == 2 and parts[1] is Ellipsis:
        return all(_is_of(item, parts[0]) for item in value)
    return len(value) == len(parts) and all(map(_is_of, value, parts))
