"""The compiled core: one module for each ``cext/*.pyx``, importing nothing from the layers above."""
