import type { SmtSolver } from '../solvers/smt-solver.js';
import { createWasmZ3 } from '../solvers/z3-wasm.js';
import { createNativeZ3, hasNativeZ3 } from './z3-process.js';

/** Where Z3 comes from. */
export type SmtSolverChoice = 'native' | 'wasm';

/**
 * The solver asked for; without a wish, native Z3 where there is one on the PATH, because it is several times faster on Horn
 * clauses, and WebAssembly otherwise. `undefined` if native Z3 is asked for and there is none.
 */
export function chooseSmtSolver(choice?: SmtSolverChoice): SmtSolver | undefined {
  if (choice === 'wasm') return createWasmZ3();
  if (hasNativeZ3()) return createNativeZ3();
  return choice === 'native' ? undefined : createWasmZ3();
}
