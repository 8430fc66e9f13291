"""All that can happen in one turn, counted twice; README.md says how."""
