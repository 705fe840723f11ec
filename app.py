"""The WSGI application; nothing else."""

import os

from mokali.config import Settings
from mokali.web.app import create_app

app = create_app(Settings.from_env(os.environ))
