import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import { createWasmZ3 } from '@fencewright/ground/solvers/z3-wasm.js';
import { createNativeZ3, hasNativeZ3 } from './z3-process.js';

/** The source of Z3. */
export type SmtSolverChoice = 'native' | 'wasm';

const missingZ3: SmtSolver = {
  name: 'z3 (native)',
  missing: 'z3',
  solve: () =>
    Promise.resolve({
      kind: 'unknown',
      reason: 'incomplete',
      detail: 'there is no z3 on the PATH',
    }),
  close: () => Promise.resolve(),
};

/**
 * Returns the chosen solver. Without a choice, returns native Z3 if on the PATH, as native Z3 is
 * several times faster on Horn clauses, and otherwise Z3 in WebAssembly. A native Z3 that is chosen
 * but not found answers queries with `unknown`, and is marked `missing`. Either solver may take
 * `maxMemory` bytes, rounded up to mebibytes.
 */
export function chooseSmtSolver(choice?: SmtSolverChoice, maxMemory?: number): SmtSolver {
  const limit = maxMemory === undefined ? {} : { megabytes: Math.ceil(maxMemory / 2 ** 20) };
  if (choice !== 'wasm' && hasNativeZ3()) return createNativeZ3(limit);
  return choice === 'native' ? missingZ3 : createWasmZ3(undefined, limit);
}
