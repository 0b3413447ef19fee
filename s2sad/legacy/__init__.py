"""The first core, as it stood: it shrinks while the rooms beside it take its work over."""
