// Pages without a socket: settings and the share button.

import './settings.js';
import './share.js';
