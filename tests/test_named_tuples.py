"""Named tuples of `referee.game.records` do what those of `typing` do."""

import copy
import pickle
import typing
from typing import Any

import pytest

from referee.game import records


class Ours(records.NamedTuple):
    """A roll."""

    player: str
    dice: tuple[int, ...] = ()
    lost: int = 0

    @property
    def number(self) -> int:
        """How many dice."""
        return len(self.dice)


class Theirs(typing.NamedTuple):
    """A roll."""

    player: str
    dice: tuple[int, ...] = ()
    lost: int = 0

    @property
    def number(self) -> int:
        """How many dice."""
        return len(self.dice)


KINDS: list[Any] = [Ours, Theirs]


@pytest.mark.parametrize("kind", KINDS)
def test_what_they_hold(kind: Any) -> None:
    one = kind("kari", (6, 1))
    assert one == ("kari", (6, 1), 0) == kind(player="kari", dice=(6, 1)) == kind._make(["kari", (6, 1), 0])
    assert (one.player, one.dice, one.lost, one.number) == ("kari", (6, 1), 0, 2)
    assert repr(one) == f"{kind.__name__}(player='kari', dice=(6, 1), lost=0)"
    assert one._asdict() == {"player": "kari", "dice": (6, 1), "lost": 0}
    assert hash(one) == hash(("kari", (6, 1), 0))
    changed = one._replace(lost=1)
    assert type(changed) is kind
    assert changed == ("kari", (6, 1), 1)
    for again in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert again == one
        assert type(again) is kind


@pytest.mark.parametrize("kind", KINDS)
def test_what_their_class_says(kind: Any) -> None:
    assert kind._fields == kind.__match_args__ == ("player", "dice", "lost")
    assert kind._field_defaults == {"dice": (), "lost": 0}
    assert typing.get_type_hints(kind) == {"player": str, "dice": tuple[int, ...], "lost": int}
    assert (kind.__doc__, kind.__module__, type(kind), kind.__mro__[1:]) == ("A roll.", __name__, type, (tuple, object))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("values", "named"), [((), {}), (("kari", (), 0, 1), {}), (("kari",), {"rolls": 1})])
def test_a_value_too_few_too_many_or_of_another_name_is_refused(kind: Any, values: Any, named: Any) -> None:
    for _ in range(2):  # the first may compile the constructor
        with pytest.raises(TypeError):
            kind(*values, **named)


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_stays_as_it_is(kind: Any) -> None:
    one = kind("kari")
    for name in ("player", "other"):
        with pytest.raises(AttributeError):
            setattr(one, name, "ola")


@pytest.mark.parametrize("kind", KINDS)
def test_a_pattern_matches(kind: Any) -> None:
    match kind("kari", (6,)):
        case kind(player, (first, *_)):
            assert (player, first) == ("kari", 6)
        case _:
            pytest.fail("does not match")


@pytest.mark.parametrize("kind", KINDS)
def test_values_in_any_number_are_alike(kind: Any) -> None:
    for _ in range(6):  # the first few are made in another way than those after them
        assert kind("kari", lost=2) == ("kari", (), 2)
        assert kind(dice=(1,), player="kari") == ("kari", (1,), 0)
        for values, named in ((("kari",), {"player": "ola"}), ((), {"dice": ()}), (("kari", (), 0), {"lost": 0})):
            with pytest.raises(TypeError):
                kind(*values, **named)
