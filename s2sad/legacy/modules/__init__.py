"""What the first core does for the arrays of a device, before its text is finished.

fused     runs of elementwise statements become one kernel each
values    numbers of a device are summed out of place, and read as copies
waits     where a text waits for the device
"""
