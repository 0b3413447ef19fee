"""What users call: grad and its family, and the way through all rooms."""
