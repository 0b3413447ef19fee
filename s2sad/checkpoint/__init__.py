"""What the reverse sweep needs is saved, recomputed or still there; both sweeps are joined."""
