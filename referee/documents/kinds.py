"""The kinds of documents that open a game, for those who must know them apart without reading them, and versions."""

INVITATION = "referee/invitation/1"
JOIN = "referee/join/1"


def version_hint(format: str, known: str) -> str:
    """Return what to say of a document of the kind `known` in another version; nothing of one of another kind."""
    kind, _, version = known.rpartition("/")
    if format == known or format.rpartition("/")[0] != kind:
        return ""
    return f"it was made for another version of the referee: this one reads version {version}"
