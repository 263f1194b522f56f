export { parseTrencher } from './frontends/trencher/parse-trencher.js';
export { printTrencher } from './frontends/trencher/print-trencher.js';
