"""Print the numbers of all positions as the brute force finds them: `cd tests && python -m perft [POSITION…]`."""

import sys

from perft.brute import numbers, reachable
from perft.files import load, positions, switches

for name, position in positions().items():
    if name in sys.argv[1:] or not sys.argv[1:]:
        print(f"{name}: placed, steps, throws, fought, ended, won")
        for preset in position["numbers"]:
            rules = switches(preset, len(position["players"]))
            found = reachable(load(f"boards/{position['board']}"), rules, position)
            print(f"    {preset!r} = {list(numbers(found).values())}")
