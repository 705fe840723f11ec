// Pages without a socket: settings and the share button.

import './install.js';
import './once.js';
import './settings.js';
import './share.js';
