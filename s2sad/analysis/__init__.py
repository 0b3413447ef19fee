"""What a Program does to memory: points-to, activity, exits, definitions."""
