export { parseMemorax } from '@fencewright/languages/memorax/parse-memorax.js';
export { printMemorax } from '@fencewright/languages/memorax/print-memorax.js';
export {
  memoraxFencePlaces,
  repairMemoraxText,
} from '@fencewright/languages/memorax/repair-memorax.js';
