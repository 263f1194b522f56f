// What speaks of names, formats and defaults, and needs nothing else: for those who should start
// quickly.
export { nearestName } from './source/nearest-name.js';
export { quoteArgument, quoteName } from './source/quote-name.js';
export { extensionsInWords, formatByExtension } from './source/file-format.js';
export { frontEnds, type InputFormat } from './api/front-ends.js';
export { netOutputFormats, outputFormats, programFormats } from './api/output-formats.js';
export { netFormats, type NetFormat, type NetInputFormat } from './nets/net-formats.js';
export { defaults } from './api/defaults.js';
export { libraryFunctions } from './frontends/llvm-ir/library-functions.js';
export {
  blocksAgain,
  noBlocks,
  outsideNames,
  wholeChoice,
} from './frontends/llvm-ir/outside-choices.js';
