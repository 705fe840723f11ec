"""Worker class and limits; the watch starts, and sockets are closed, in the worker."""

import os
from itertools import count

import gevent

from mokali import journal
from mokali.config import Settings
from mokali.engine import solver
from mokali.web import health

_settings = Settings.from_env(os.environ)

bind = f"{_settings.host}:{_settings.port}"
worker_class = "mokali.web.worker.Worker"
workers = 1
worker_connections = 1000
preload_app = False
graceful_timeout = 5
timeout = 60
keepalive = 5  # seconds also for a first request, which a bad network may send twice
accesslog = None
errorlog = "-"
loglevel = "warning"
control_socket_disable = True
forwarded_allow_ips = ""  # forwarding headers are ProxyFix's business alone, by MOKALI_PROXIES (RL-19)
proc_name = "mokali"


def when_ready(server):
    """Say where the house is."""
    print(f"Mokali: http://{_settings.host}:{_settings.port}", flush=True)


def post_worker_init(worker):
    """Start the watch and the hub, and hang up every socket once the worker is told to stop (RL-50)."""
    app = worker.wsgi
    app.start()
    health.start()
    solver.warm()  # else the first sort of a rack would hold up the loop for the reading of a table
    worker.log.error_log.handlers.clear()  # to the journal instead: its words may hold addresses (RL-54)
    worker.log.error_log.propagate = True

    def hang_up():
        while worker.alive:
            gevent.sleep(0.1)
        journal.note("stop")
        for moment in count():  # the worker still accepts for up to a second
            app.hang_up()
            if moment > 5:
                worker.hang_up()
            gevent.sleep(0.05)

    gevent.spawn(hang_up)
