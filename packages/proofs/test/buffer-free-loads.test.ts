import { expect, test } from 'vitest';
import { bufferFreeLoads, isStore } from '../src/steps/buffer-free-loads.js';
import { toProofProgram } from '../src/steps/proof-program.js';
import { openProgram } from './proving.js';

/**
 * Returns, for the line of each store of a thread, the lines of the loads that can load from memory
 * while the store is delayed.
 */
function loadsBehindStores(body: string): readonly (readonly [number, readonly number[]])[] {
  const program = toProofProgram(
    openProgram(`program P var x, y, z, a[4]\nthread t { local r, s; ${body} }`),
    [],
  );
  if ('unsupported' in program) throw new Error(program.unsupported.kind);
  const { edges } = program.threads[0]!;
  const { transitions } = program.templates.threads[0]!;
  const lineOf = (transition: number): number => transitions[transition]!.origin.span!.start.line;
  return edges.filter(isStore).map((store) => {
    const loads = bufferFreeLoads(store, edges, program.memory);
    return [lineOf(store.transition), loads.map(({ transition }) => lineOf(transition))] as const;
  });
}

test.each([
  ['all loads up to the end', 'x = 1;\nr = y;\nr = z;', [[1, [2, 3]]]],
  ['none behind a fence', 'x = 1;\nr = y;\nfence;\nr = z;', [[1, [2]]]],
  ['those behind a test as well', 'x = 1;\nif (r == 0) s = 1;\nr = y;', [[1, [3]]]],
  ['both branches', 'x = 1;\nif (*) r = y;\nelse r = z;', [[1, [2, 3]]]],
  ['those before it, in a loop', 'loop {\nr = y;\nx = 1;\n}', [[3, [2]]]],
  ['not of the cell itself', 'x = 1;\nr = x;\nr = y;', [[1, [3]]]],
  [
    'not of a cell stored to since, but of every other',
    'x = 1;\ny = 1;\nr = y;\nr = z;',
    [
      [1, [4]],
      [2, [4]],
    ],
  ],
  ['of a cell with an index that may have changed', 'a[r] = 1;\nr = r + 1;\ns = a[r];', [[1, [3]]]],
] as const)('loads from memory while a store is delayed: %s', (_, body, expected) => {
  expect(loadsBehindStores(body)).toEqual(expected);
});
