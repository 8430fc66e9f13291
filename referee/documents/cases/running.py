"""Playing a case: what kind it is, and what is not as it says."""

from referee.documents.cases.casefile import Case, placed
from referee.documents.cases.shape import SET_UP
from referee.errors import UnreadableDocument


def run(case: Case) -> list[str]:
    """Play a case and return what is not as it says, nothing if all is; UnreadableDocument if it cannot be played."""
    try:
        return _run(case)
    except UnreadableDocument as error:
        raise placed(error, case.source) from None


def _run(case: Case) -> list[str]:
    tree = case.tree
    if "check" in tree:
        from referee.documents.cases.tables import checks

        return list(checks(tree))
    if "start" in tree or any(phase in tree for phase in SET_UP):
        from referee.documents.cases.setups import set_up_differences, start_differences

        return start_differences(tree) if "start" in tree else set_up_differences(tree)
    from referee.documents.cases.turns import turn_differences

    return turn_differences(tree)
