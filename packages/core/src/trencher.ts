export { parseTrencher } from '@fencewright/languages/trencher/parse-trencher.js';
export { printTrencher } from '@fencewright/languages/trencher/print-trencher.js';
