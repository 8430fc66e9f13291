"""The kinds of documents that open a game, for those who must know them apart without reading them."""

INVITATION = "referee/invitation/1"
JOIN = "referee/join/1"
