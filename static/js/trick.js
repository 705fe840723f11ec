// The page of a trick game: cards that are lifted, dragged, played, given and buried; a trick goes to its winner.

import './table.js';
import './hand.js';
import './motion.js';
import './sweep.js';
