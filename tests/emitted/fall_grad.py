import numpy as np

GRAVITY = 9.81


def fall_grad(height, drag, dt):
    """Gradient of fall(height, drag, dt) with respect to drag.

    Differentiated in reverse mode by s2sad from functions.py:63-68,
    for floats height, drag, dt.
    Loop at line 65: keeps one speed per pass.
    """
    if any(map(np.iscomplexobj, (height, drag, dt))):
        raise ValueError("made for real height, drag, dt")

    # -- forward sweep ---------------------------------------------------
    speed = 0.0
    speed_saved = []
    while height > 0.0:
        speed_saved.append(speed)
        speed = speed + dt * (GRAVITY - drag * speed**2)
        height = height - dt * speed

    # -- reverse sweep ---------------------------------------------------
    speed_bar = 1.0  # 68: return speed
    drag_bar = 0.0

    for speed in reversed(speed_saved):
        # 66: speed = speed + dt * (GRAVITY - drag * speed**2)
        speed_term_bar = -dt * speed_bar
        drag_bar += speed_term_bar * speed**2
        speed_bar += 2.0 * speed * (drag * speed_term_bar)

    return drag_bar
