"""The core: rules, legality, events, state, dice, the turn. It knows no files, clock, chance or text for people."""
