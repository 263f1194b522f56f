import { afterAll } from 'vitest';
import { prove, type Proof, type ProveOptions } from '../../core/src/api/prove.js';
import { parseNative } from '@fencewright/core/native';
import { chooseSmtSolver } from '@fencewright/core/node';
import { templatesOf, threadModel } from '@fencewright/model/program/model.js';
import type { Templates } from '@fencewright/model/program/templates.js';

/** Returns Z3, native if installed, and closes the solver after the tests of the file. */
export function useSolver() {
  const solver = chooseSmtSolver();
  if (!solver) throw new Error('there is always the one in WebAssembly');
  afterAll(() => solver.close());
  return solver;
}

/** Returns the program of a text without errors, for proofs. */
export function openProgram(text: string): Templates {
  const { model: read, diagnostics } = parseNative(text);
  const model = threadModel(read);
  if (!model) throw new Error(JSON.stringify(diagnostics, undefined, 1));
  return templatesOf(model);
}

/** Tries to prove the program of a text. */
export function proveText(text: string, options: ProveOptions): Promise<Proof> {
  return prove(openProgram(text), options);
}
