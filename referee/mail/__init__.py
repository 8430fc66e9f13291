"""The place of the mail side in the layers; nothing of it is there yet."""
