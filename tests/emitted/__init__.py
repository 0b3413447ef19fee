"""Golden files: the text of derivatives, byte by byte."""
