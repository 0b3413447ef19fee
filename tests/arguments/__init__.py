"""What a derivative is called with: objects, containers, functions, options."""
