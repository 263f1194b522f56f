export * from './frontends/litmus/parse-litmus.js';
export * from './frontends/litmus/print-litmus.js';
export * from './frontends/litmus/repair-litmus.js';
