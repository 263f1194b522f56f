// Does what the threads of jobs do, but for texts that ask for what only a limit can end.
const functions = require('../../dist/start-worker.cjs');

function growMemory() {
  const kept = [];
  for (;;) {
    const memory = new WebAssembly.Memory({ initial: 256 });
    // Only pages that were written to are there.
    new Uint8Array(memory.buffer).fill(1);
    kept.push(memory);
  }
}

function spin() {
  for (;;);
}

const poisons = { wasm: growMemory, spin };

module.exports = {
  ...functions,
  runJob: (order) => {
    const [, poison] = /thread poison: (\w+)/.exec(order.job.given.text) || [];
    if (poison) poisons[poison]();
    return functions.runJob(order);
  },
};
