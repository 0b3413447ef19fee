"""The tests of s2sad."""
