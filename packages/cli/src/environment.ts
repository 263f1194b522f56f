import type { Environment } from '@fencewright/core';
import { createAttackerPool } from './attacker-pool.js';
import { mebibyte } from './options/values.js';

/** Of the environment: `wasm` where Z3 is not to be looked for on the PATH. */
export const solverVariable = 'FENCEWRIGHT_SOLVER';

/** Solvers that are processes, and threads of this process; each loaded when it is needed. */
export const environment: Environment = {
  // Looking for Z3 takes time that only those should pay who need it.
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
