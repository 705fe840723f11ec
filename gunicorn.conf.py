"""Worker class and limits; the watch starts, and sockets are closed, in the worker."""

import os

import gevent

from mokali import journal
from mokali.config import Settings
from mokali.web import health

_settings = Settings.from_env(os.environ)

bind = f"{_settings.host}:{_settings.port}"
worker_class = "gevent"
workers = 1
worker_connections = 1000
preload_app = False
graceful_timeout = 5
timeout = 60
keepalive = 1  # an idle line holds up the going down (RL-50)
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
    worker.log.error_log.handlers.clear()  # to the journal instead: its words may hold addresses (RL-54)
    worker.log.error_log.propagate = True

    def hang_up():
        while worker.alive:
            gevent.sleep(0.1)
        journal.note("stop")
        while True:  # the worker still accepts for up to a second
            app.hub.close_all()
            gevent.sleep(0.05)

    gevent.spawn(hang_up)
