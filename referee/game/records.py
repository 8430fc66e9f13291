"""Named tuples that are quick to define and quick to change.

`NamedTuple` is `typing.NamedTuple`, for readers and type checkers and in all that it does, but for three things: the
constructor is compiled when the first value is made, the types of fields are not looked at, and `_replace`, of which a
turn does a hundred, costs a third (and is a KeyError for an unknown field). A command defines some 120 of them and
makes values of half: 4 ms less of its start, 40 microseconds each against 10.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter

    def _first(cls, /, *values, **named):
        """Compile the constructor of a class, which takes this one's place, and call it."""
        fields = ", ".join(cls._fields)
        function = eval(f"lambda _cls, {fields}: _new(_cls, ({fields},))", {"_new": tuple.__new__})
        function.__defaults__ = tuple(cls._field_defaults.values())
        cls.__new__ = staticmethod(function)
        return cls(*values, **named)

    def _make(cls, values):
        return cls(*values)

    def _replace(self, /, **changes):
        kind = type(self)
        places, values = kind._places, list(self)
        for field in changes:
            values[places[field]] = changes[field]
        return tuple.__new__(kind, values)

    def _asdict(self):
        return dict(zip(self._fields, self, strict=True))

    def _repr(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"

    def _values(self):
        return tuple(self)

    _METHODS = {
        "__slots__": (),
        "__new__": staticmethod(_first),
        "_make": classmethod(_make),
        "_replace": _replace,
        "_asdict": _asdict,
        "__repr__": _repr,
        "__getnewargs__": _values,
    }

    class _Defining(type):
        """Makes the class of a named tuple, a plain one, from its body."""

        def __new__(cls, name, bases, body):
            annotate = body.get("__annotate_func__")  # Python 3.14 has them when they are asked for; 1 is for values
            fields = tuple(annotate(1) if annotate else body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            for place, field in enumerate(fields):
                body[field] = _tuplegetter(place, None)
            body |= {"_fields": fields, "__match_args__": fields, "_field_defaults": defaults}
            body["_places"] = {field: place for place, field in enumerate(fields)}
            return type(name, (tuple,), {**_METHODS, **body})

    NamedTuple = type.__new__(_Defining, "NamedTuple", (), {})
