import { afterAll, describe } from 'vitest';
import { createWasmZ3 } from '../../src/solvers/z3-wasm.js';
import { smtSolverLaws } from './smt-solver-laws.js';

describe('Z3 in WebAssembly', () => {
  const solver = createWasmZ3();
  afterAll(() => solver.close());
  smtSolverLaws(() => solver);
});
