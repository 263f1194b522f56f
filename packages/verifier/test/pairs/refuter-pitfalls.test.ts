import { automataToJson, finiteProgram } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, test } from 'vitest';
import type { Automata } from '../../src/automata.js';
import { Budget } from '../../src/budget.js';
import { attackThreads } from '../../src/attack/thread.js';
import { AttackRefuter } from '../../src/attack/refute-attacks.js';
import { openAttacks } from '../../src/control-flow.js';
import { Components } from '../../src/pairs/components.js';
import { PairCover } from '../../src/pairs/presence.js';
import { PairRelation } from '../../src/pairs/relation.js';
import { readAutomata } from '../../src/read-automata.js';
import { StaticPaths } from '../../src/static-path.js';

function parse(text: string): Automata {
  const { model, diagnostics } = parseNative(`program P\n${text}`);
  const program = finiteProgram(model) ?? expect.fail(JSON.stringify(diagnostics));
  return readAutomata(automataToJson(program), 'automata');
}

/** Returns the refuter with the relation in which no thread keeps a cell. */
function refuterOf(automata: Automata): AttackRefuter {
  const kept = automata.threads.map(() => []);
  const threads = attackThreads(automata, 'standard');
  const components = new Components(automata, threads, kept, 'kept');
  const relation = PairRelation.close(components, new Budget({}));
  if (!(relation instanceof PairRelation)) return expect.fail(relation.kind);
  return new AttackRefuter(new PairCover(components, relation), new Budget({}));
}

/** Returns the loads of thread 0 left feasible by the relation. */
function leftOpen(automata: Automata): readonly number[] {
  const refuter = refuterOf(automata);
  return [...openAttacks(automata.threads[0]!)].flatMap(([store, loads]) =>
    [...loads].filter((load) => refuter.refute(0, store, new Set([load])).kind === 'open'),
  );
}

// One refuter serves all attackers of a program. In both programs (checked by hand), thread a has
// no feasible attack, and thread b has one, whose path leads over thread a.
describe('a refuter that has refuted the attacks of one thread', () => {
  test.each([
    [
      'leaves that of another, from the store of the same number',
      'x = 1; fence; r = y;',
      'y = 1; s = x;',
    ],
    [
      'leaves that of another, with the same store and load',
      'x = 1; r = y; y = 1; fence; r = x;',
      'x = 1; s = y;',
    ],
  ])('%s', (_, one, other) => {
    const automata = parse(
      `var x, y\nthread a { local r; ${one} }\nthread b { local s; ${other} }`,
    );
    const refuter = refuterOf(automata);
    const ids = (thread: number, kind: string): number[] =>
      automata.threads[thread]!.transitions.flatMap(({ instruction }, id) =>
        instruction.kind === kind ? [id] : [],
      );
    const found = [0, 1].map(
      (thread) =>
        refuter.refute(thread, ids(thread, 'store')[0]!, new Set(ids(thread, 'load'))).kind,
    );
    expect(found).toEqual(['refuted', 'open']);
  });
});

// Made by hand: in each program, the happens-before path exists for one reason only.
describe('an attack is left open where a path leads back', () => {
  test.each([
    ['by one helper', 'y = 1; p = x;', 1],
    ['by a block that joins in its middle', 'atomic { p = x; y = 1; }', 1],
    ['by a block that meets the store first, and joins last', 'atomic { x = 2; y = 1; }', 1],
    ['by a block that joins first, and meets the store last', 'atomic { y = 1; p = x; }', 1],
    ['by two helpers, over a cell', 'y = 1; z = 1; } thread c { local q; q = z; q = x;', 1],
    [
      'by two helpers, over blocks',
      'y = 1; atomic { z = 1; } } thread c { local q; atomic { q = z; q = x; }',
      1,
    ],
    ['by two helpers, over the cell of the load', 'y = 1; } thread c { local q; q = y; q = x;', 1],
    ['nowhere', 'z = 1; p = x;', 0],
    ['nowhere: it meets the store before it joins', 'p = x; y = 1;', 0],
  ])('%s', (_, helper, open) => {
    const automata = parse(
      `var x, y, z\nthread a { local r; x = 1; r = y; }\nthread b { local p; ${helper} }`,
    );
    const left = leftOpen(automata);
    expect(left).toHaveLength(open);
    const paths = new StaticPaths(automata);
    for (const [store, loads] of openAttacks(automata.threads[0]!))
      for (const load of loads) expect(paths.refutes(0, store, load)).toBe(open === 0);
  });

  test('where only the second load from memory is behind', () => {
    const automata = parse(`var x, y, z
      thread a { local r; x = 1; r = z; r = y; }
      thread b { local p; y = 1; p = x; }`);
    expect(leftOpen(automata)).toHaveLength(1);
  });
});
