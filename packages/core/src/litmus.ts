export { parseLitmus } from './frontends/litmus/parse-litmus.js';
export { printLitmus } from './frontends/litmus/print-litmus.js';
export { litmusFencePlace, repairLitmusText } from './frontends/litmus/repair-litmus.js';
