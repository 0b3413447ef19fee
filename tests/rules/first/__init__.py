"""How rules were tested when the first core read them; the tests of its own rules go by it."""
