"""``python -m mokali`` is the command line."""

import sys

from mokali.cli import main

sys.exit(main())
