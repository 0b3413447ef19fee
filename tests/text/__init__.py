"""What the emitted text looks like."""
