// Names, formats and defaults without further dependencies, for programs that should start quickly.
export { nearestName } from '@fencewright/ground/source/nearest-name.js';
export { quoteArgument, quoteName } from '@fencewright/ground/source/quote-name.js';
export { extensionsInWords, formatByExtension } from '@fencewright/ground/source/file-format.js';
export {
  frontEndOf,
  frontEnds,
  type InputFormat,
  needsCompiler,
} from '@fencewright/languages/read/front-ends.js';
export {
  eventOutputFormats,
  netKinds,
  netOutputFormats,
  outputFormats,
} from './api/output-formats.js';
export {
  netFormats,
  type NetFormat,
  type NetInputFormat,
} from '@fencewright/nets/nets/net-formats.js';
export { plainWords } from '@fencewright/model/program/instruction.js';
export { orderTargets } from '@fencewright/model/program/order-target.js';
export { relaxedModels, robustnessModels } from '@fencewright/model/trace/memory-model.js';
export { defaults } from './api/defaults.js';
export { libraryFunctions } from '@fencewright/languages/llvm-ir/library-functions.js';
export {
  blocksAgain,
  noBlocks,
  outsideNames,
  wholeChoice,
} from '@fencewright/languages/llvm-ir/outside-choices.js';
