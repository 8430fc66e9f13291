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

    _FEW = 3
    """So many values of a class are made by hand before its constructor is compiled, as long as ten of them."""

    def _first(cls, /, *values, **named):
        """Make one of the first few values of a class, or compile the constructor that takes this one's place."""
        fields = cls._fields
        if cls.__made__ < _FEW and len(values) <= len(fields) and named.keys() <= set(fields[len(values) :]):
            cls.__made__ += 1
            given = {**cls._field_defaults, **dict(zip(fields, values, strict=False)), **named}
            if len(given) == len(fields):
                return tuple.__new__(cls, map(given.__getitem__, fields))
        names = ", ".join(fields)
        function = eval(f"lambda _cls, {names}: _new(_cls, ({names},))", {"_new": tuple.__new__})
        function.__defaults__ = tuple(cls._field_defaults.values())
        cls.__new__ = staticmethod(function)
        return cls(*values, **named)

    def _make(cls, values):
        return cls(*values)

    def _replace(self, /, **changes):
        kind = type(self)
        places, values = kind.__places__, list(self)
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
        "__made__": 0,
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
            body["__places__"] = {field: place for place, field in enumerate(fields)}
            return type(name, (tuple,), {**_METHODS, **body})

    NamedTuple = type.__new__(_Defining, "NamedTuple", (), {})
