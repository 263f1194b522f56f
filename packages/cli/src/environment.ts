import type { Environment } from '@fencewright/core';
import { createAttackerPool } from './attacker-pool.js';
import { mebibyte } from './options/values.js';

/**
 * An environment variable; the value `wasm` makes the tool use the shipped Z3 without looking for
 * another on the PATH.
 */
export const solverVariable = 'FENCEWRIGHT_SOLVER';

/**
 * The external tools for decisions: solvers as processes, and threads of this process; each is
 * loaded on demand.
 */
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
