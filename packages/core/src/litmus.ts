export { parseLitmus } from '@fencewright/languages/litmus/parse-litmus.js';
export { printLitmus } from '@fencewright/languages/litmus/print-litmus.js';
export { litmusFencePlace, repairLitmusText } from '@fencewright/languages/litmus/repair-litmus.js';
