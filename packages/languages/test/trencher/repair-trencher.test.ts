import { finiteProgram } from '@fencewright/model/program/model.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { applyRepair } from '@fencewright/repairs/fences/apply-repair.js';
import { withoutRemovable } from '../../../repairs/test/fences/without-removable.js';
import type { Repair } from '@fencewright/model/program/repair.js';
import { parseTrencher } from '../../src/trencher/parse-trencher.js';
import { printTrencher } from '../../src/trencher/print-trencher.js';
import { repairTrencherText } from '../../src/trencher/repair-trencher.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';

const text = `# store buffering
thread t1

  initial q0
  transition  q0   q1   write 1 x  # no
end
`.replace('  # no', '');

function repair(source: string, ...repairs: readonly SourceRepair[]): string | undefined {
  return repairTrencherText(source.replaceAll('x', '0'), repairs).text?.replaceAll(/\b0$/gm, 'x');
}

describe('a fence', () => {
  test('gets a line before the first transition of its state', () => {
    const source = `thread t
# comment
initial a
transition a b write 1 x
  transition b c read r x

transition a  c     noop
transition c a noop
end
`;
    expect(repair(source, { kind: 'fence', thread: 0, location: 0 })).toBe(`thread t
# comment
initial a
transition a a_fenced mfence
transition a_fenced b write 1 x
  transition b c read r x

transition a_fenced c     noop
transition c a noop
end
`);
  });

  test('keeps columns and line breaks', () => {
    const source = 'thread t\r\ninitial a\r\n\ttransition a    bb           write 1 x\r\nend\r\n';
    expect(repair(source, { kind: 'fence', thread: 0, location: 0 })).toBe(
      'thread t\r\ninitial a\r\n\ttransition a    a_fenced     mfence\r\n\ttransition a_fenced bb           write 1 x\r\nend\r\n',
    );
  });

  test('takes a name that is free', () => {
    const source = 'thread t\ninitial a\ntransition a a_fenced noop\nend\n';
    expect(repair(source, { kind: 'fence', thread: 0, location: 0 })).toBe(
      'thread t\ninitial a\ntransition a a_fenced_2 mfence\ntransition a_fenced_2 a_fenced noop\nend\n',
    );
  });
});

test('an exchange takes the bus lock', () => {
  const exchange: SourceRepair = { kind: 'xchg', thread: 0, transition: 0 };
  expect(repair(text, exchange)).toBe(`# store buffering
thread t1

  initial q0
  transition  q0   q0_locked lock
  transition  q0_locked q0_stored write 1 x
  transition  q0_stored q1   unlock
end
`);
});

test('an exchange under the lock is a write and a fence', () => {
  const source = `thread t
initial a
transition a b lock
transition b c write 1 x
transition c d unlock
end
`;
  expect(repair(source, { kind: 'xchg', thread: 0, transition: 1 })).toBe(
    source.replace(
      'transition b c write 1 x',
      'transition b b_stored write 1 x\ntransition b_stored c mfence',
    ),
  );
});

test('a fence that is removed becomes a noop', () => {
  const source = 'thread t\ninitial a\ntransition a mfence   mfence \nend\n';
  expect(repair(source, { kind: 'remove', thread: 0, transition: 0 })).toBe(
    'thread t\ninitial a\ntransition a mfence   noop \nend\n',
  );
});

test('a byte order mark stays', () => {
  expect(repair(`\uFEFF${text}`)).toBe(`\uFEFF${text}`);
  const fence: SourceRepair = { kind: 'fence', thread: 0, location: 0 };
  expect(repair(`\uFEFF${text}`, fence)).toBe(`\uFEFF${repair(text, fence) ?? ''}`);
});

test('what cannot be done is told', () => {
  const messages = (source: string, ...repairs: readonly SourceRepair[]): readonly string[] => {
    const { text: repaired, diagnostics } = repairTrencherText(source, repairs);
    expect(repaired).toBeUndefined();
    return diagnostics.map(({ message }) => message);
  };
  const source = `thread t
initial a
transition a b lock
transition a b noop
transition b c write 1 0
end
`;
  expect(
    messages(
      source,
      { kind: 'fence', thread: 0, location: 2 },
      { kind: 'xchg', thread: 0, transition: 2 },
      { kind: 'xchg', thread: 0, transition: 0 },
      { kind: 'remove', thread: 0, transition: 2 },
    ),
  ).toEqual([
    "no transition leaves 'c'",
    'this write stands both inside and outside of lock and unlock',
    'only a write can be made under the bus lock',
    'only a fence can be removed',
  ]);
  expect(messages('thread t\n', { kind: 'fence', thread: 0, location: 0 })[0]).toMatch(/end/);
});

async function decide(program: Program): Promise<unknown> {
  const { verdict, statistics } = await check(program, { engine: 'search', allAttacks: true });
  return { verdict: verdict.kind, feasible: statistics.attacks.feasible };
}

/** Returns the repairs, of all that a program allows, that `pick` selects. */
function pickRepairs(program: Program, pick: () => boolean): readonly SourceRepair[] {
  return program.threads.flatMap(({ locations, transitions }, thread) => [
    ...locations.flatMap((_, location): SourceRepair[] =>
      transitions.some(({ from }) => from === location) && pick()
        ? [{ kind: 'fence', thread, location }]
        : [],
    ),
    ...transitions.flatMap(({ instruction }, transition): SourceRepair[] => {
      if (instruction.kind === 'store' && pick()) return [{ kind: 'xchg', thread, transition }];
      return instruction.kind === 'fence' && pick() ? [{ kind: 'remove', thread, transition }] : [];
    }),
  ]);
}

function repairProgram(program: Program, repairs: readonly SourceRepair[]): Program {
  const kept = program.threads.flatMap(({ transitions }, thread) =>
    transitions.map((_, transition): Repair => ({ kind: 'keep', thread, transition })),
  );
  const isRemoved = (item: Repair): boolean =>
    item.kind === 'keep' &&
    repairs.some(
      (one) =>
        one.kind === 'remove' && one.thread === item.thread && one.transition === item.transition,
    );
  const items = repairs.flatMap((one): Repair[] => {
    if (one.kind === 'fence') return [one];
    const { thread, transition } = one;
    return one.kind === 'xchg' ? [{ kind: 'xchg', thread, transition }] : [];
  });
  const base = withoutRemovable(
    program,
    false,
    kept.filter((item) => !isRemoved(item)),
  );
  return applyRepair(base, items);
}

test('repairs of the text are repairs of the program', async () => {
  const picks = fc.infiniteStream(fc.constantFrom(true, false, false));
  const programs = randomProgram({ maxThreads: 2, maxItems: 4, loops: true });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(programs, picks, async (random, stream) => {
      const printed = printTrencher(random).text;
      const source = printed?.replaceAll('transition ', '# comment\n\n  transition ');
      const program = source === undefined ? undefined : finiteProgram(parseTrencher(source).model);
      if (source === undefined || !program) return;
      const repairs = pickRepairs(program, () => stream.next().value === true);
      const { text: repaired, diagnostics } = repairTrencherText(source, repairs);
      if (repaired === undefined) {
        expect(diagnostics[0]?.message).toMatch(/both inside and outside/);
        return;
      }
      count += repairs.length;
      expect(repaired.match(/^#.*\n\n/gm)).toEqual(source.match(/^#.*\n\n/gm));
      const reparsed = finiteProgram(parseTrencher(repaired).model);
      if (!reparsed) return expect.fail(repaired);
      expect(await decide(reparsed), repaired).toEqual(
        await decide(repairProgram(program, repairs)),
      );
    }),
    { seed: randomSeed(2013), numRuns: randomRuns(300, 6000, 100) },
  );
  expect(count).toBeGreaterThan(300);
});
