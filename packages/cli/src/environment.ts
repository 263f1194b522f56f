import type { Environment } from '@fencewright/core';
import { createAttackerPool } from './attacker-pool.js';
import { mebibyte } from './options/values.js';

/** The environment variable; `wasm` switches off the search for Z3 on the PATH. */
export const solverVariable = 'FENCEWRIGHT_SOLVER';

/** Solvers as processes, and threads of this process; each is loaded on demand. */
export const environment: Environment = {
  // The search for Z3 takes time, and runs only on demand.
  createSmtSolver: async (choice, maxMemory) =>
    (await import('@fencewright/core/node')).chooseSmtSolver(
      process.env[solverVariable] === 'wasm' ? 'wasm' : choice,
      maxMemory,
    ),
  createModelChecker: async (maxMemory) => {
    const { createSpin } = await import('@fencewright/core/node');
    return createSpin(
      maxMemory === undefined ? {} : { megabytes: Math.ceil(maxMemory / mebibyte) },
    );
  },
  createAttackerPool,
};
