"""The derivative rules of s2sad: text that is read, never imported."""
