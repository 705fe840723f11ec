"""Mokali: a house for Turkish table games."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small products: threads would only wait for each other
