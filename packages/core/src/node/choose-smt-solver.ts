import type { SmtSolver } from '../solvers/smt-solver.js';
import { createWasmZ3 } from '../solvers/z3-wasm.js';
import { createNativeZ3, hasNativeZ3 } from './z3-process.js';

/** Where Z3 comes from. */
export type SmtSolverChoice = 'native' | 'wasm';

/**
 * The solver asked for; without a wish, native Z3 where there is one on the PATH, because it is several times faster on Horn
 * clauses, and WebAssembly otherwise. Native Z3 that is asked for and is not there leaves queries `unknown`, with that reason.
 */
export function chooseSmtSolver(choice?: SmtSolverChoice): SmtSolver {
  return choice !== 'wasm' && (choice === 'native' || hasNativeZ3())
    ? createNativeZ3()
    : createWasmZ3();
}
