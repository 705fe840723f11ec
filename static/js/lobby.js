// The lobby: lists that stay fresh, and the menu. Load it before htmx.js.

import './install.js';
import './once.js';
import './sheets.js';
import './wire.js';
