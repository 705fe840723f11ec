// The page of a Pişti table: cards that are lifted, dragged and played.

import './table.js';
import './hand.js';
import './motion.js';
