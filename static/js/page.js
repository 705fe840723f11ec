// Pages without a socket: settings and the share button.

import './once.js';
import './settings.js';
import './share.js';
