"""What the tests need beside the program: rule cases, players that plan, games in one process."""
