"""Reports, drafts and the board as text, made of events and states alone. Nothing here changes anything."""
