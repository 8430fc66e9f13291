"""Rule cases: numbered positions, orders and loaded dice with what must come of them, as data.

A case is one TOML file, written from the text of a rule. `casefile` reads it, `running` plays it on the core with
loaded dice and says what is not as the case says. Nothing here rolls, signs or writes, and no ordinary command loads
it. The format is described in full beside the cases of this project, in tests/rules/README.md.
"""
