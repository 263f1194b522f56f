export { parseMemorax } from './frontends/memorax/parse-memorax.js';
export { printMemorax } from './frontends/memorax/print-memorax.js';
export { memoraxFencePlaces, repairMemoraxText } from './frontends/memorax/repair-memorax.js';
