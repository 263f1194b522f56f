import { expect, test } from 'vitest';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { DrainedGraph, drainedObservation } from '../../src/exploration/drained-graph.js';
import { PackedExploration } from '../../src/exploration/packed-exploration.js';
import type { Observation } from '../../src/exploration/observation.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import { deadlockedUnderSc, findHangs, lostUnderSc } from '../../src/progress/find-hangs.js';
import { type AtRest, statesAtRest } from '../../src/progress/states-at-rest.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { hangsByDefinition, hasNewVector, type JudgedHangs } from './hangs-by-definition.js';
import { endingEarly } from './ending-early.js';
import { type HangBias, hangBiases, randomHangsText } from './random-hangs.js';

const runs = randomRuns(300, 3000);
const seed = randomSeed(20261126);

function programOf(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = model && finiteProgram(model);
  if (!program) throw new Error(`${text}\n${JSON.stringify(diagnostics)}`);
  return program;
}

async function explored(
  program: Program,
  model: MemoryModel,
  observation: Observation = drainedObservation(program),
) {
  const exploration = new PackedExploration(program, { model, observation });
  const budget = new Budget({ maxStates: 60_000 });
  if ((await exploration.explore(budget, () => true)) !== 'complete') return undefined;
  const graph = new DrainedGraph(program, exploration);
  const found = await statesAtRest(program, graph, new Budget());
  if (typeof found === 'string') throw new Error(found);
  return { exploration, ...found };
}

function vectorsOf(program: Program, rests: readonly AtRest[]): ReadonlySet<string> {
  return new Set(
    rests.map(({ ways }) =>
      program.threads
        .map((_, t) => {
          const way = ways.find(({ thread }) => thread === t);
          if (!way) return 'ended';
          return way.kind === 'waits' ? `waits ${way.places.join()}` : way.kind;
        })
        .join('; '),
    ),
  );
}

function lostIn(program: Program, rests: readonly AtRest[]): readonly boolean[] {
  return program.threads.map((_, t) =>
    rests.some(({ lost }) => lost.some(({ thread }) => thread === t)),
  );
}

/** Whether no reachable location of the thread is without outgoing transitions. */
function hasNoEnd({ initial, transitions }: Thread): boolean {
  const open = [initial];
  const seen = new Set(open);
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const ways = transitions.filter(({ from }) => from === place);
    if (ways.length === 0) return false;
    for (const { to } of ways)
      if (!seen.has(to)) {
        seen.add(to);
        open.push(to);
      }
  }
  return true;
}

/**
 * Returns the threads that are deadlocked under SC, judged from the bottom components that the
 * definition gives.
 */
function deadlockedIn(program: Program, bottoms: JudgedHangs['scBottoms']): readonly number[] {
  const found = new Set<number>();
  for (const { vector, working } of bottoms) {
    const ways = vector.split('; ');
    const works = (t: number): boolean => working.includes(t) && hasNoEnd(program.threads[t]!);
    const all = ways.every((way, t) => way.startsWith('waits') && !works(t));
    // Registers do not change while a thread stands: an `assume` excludes this execution.
    const isExcluded = ways.some((way, t) => {
      const [, ...places] = /^waits ([\d,]+)/.exec(way) ?? [];
      const [only, another] = places.join().split(',').map(Number);
      const next = program.threads[t]!.transitions.filter(({ from }) => from === only);
      return (
        way.startsWith('waits') &&
        another === undefined &&
        next.every(({ instruction }) => instruction.kind === 'assume')
      );
    });
    if (isExcluded) continue;
    ways.forEach((way, t) => {
      if (way.startsWith('waits') && (all || !hasNoEnd(program.threads[t]!))) found.add(t);
    });
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * Compares the exploration of a program with the judge's answers. Returns a word for each case that
 * occurred; the test counts the words.
 */
async function compare(program: Program, judged: JudgedHangs): Promise<readonly string[]> {
  const found = await explored(program, 'TSO');
  if (!found) return ['open'];
  const { exploration, rests, firstDelayed } = found;
  const sequential = rests.filter(({ isSequential }) => isSequential);
  expect(lostIn(program, sequential)).toEqual(judged.sc);
  expect(lostIn(program, rests)).toEqual(judged.tso);
  expect([...vectorsOf(program, sequential)].sort()).toEqual([...judged.scVectors].sort());
  expect([...vectorsOf(program, rests)].sort()).toEqual([...judged.tsoVectors].sort());
  const alone = await explored(program, 'SC');
  expect(alone && vectorsOf(program, alone.rests)).toEqual(judged.scVectors);
  const deadlocked = deadlockedUnderSc(program, rests).map(({ thread }) => thread);
  expect(deadlocked).toEqual(deadlockedIn(program, judged.scBottoms));
  const isNew = judged.tso.map((is, t) => is && !judged.sc[t]);
  const hangs = findHangs(program, exploration, rests);
  const named = new Set(hangs.flatMap(({ threads }) => threads));
  expect(program.threads.map((_, t) => named.has(t))).toEqual(isNew);
  expect(hangs.length > 0).toBe(isNew.includes(true) || hasNewVector(judged));
  for (const { computation, state, waiting, threads } of hangs) {
    const replayed = replayStates(program, computation);
    expect(replayed?.at(-1)).toEqual(state);
    expect(waiting.map(({ thread }) => thread)).toEqual(expect.arrayContaining([...threads]));
    // A thread that hangs under TSO only does so in a state that SC does not reach.
    expect(judged.differs).toBe(true);
  }
  if (firstDelayed !== undefined) expect(judged.differs).toBe(true);
  return [
    ...(isNew.includes(true) ? ['hang'] : []),
    ...(hangs.some(({ threads }) => threads.length === 0) ? ['together'] : []),
    ...(judged.sc.includes(true) ? ['hang under SC'] : []),
    ...(judged.tso.includes(true) ? [] : ['no hang']),
    ...(firstDelayed !== undefined ? ['differs'] : []),
    ...(rests.some(({ ways }) => ways.some(({ kind }) => kind === 'busy')) ? ['busy'] : []),
    ...(rests.some(({ ways }) => ways.some(({ kind }) => kind === 'endless')) ? ['endless'] : []),
    ...(judged.luck > 0 ? ['luck'] : []),
    ...(judged.early > 0 ? ['early'] : []),
    ...(deadlocked.length > 0 ? ['deadlock'] : []),
    ...(deadlocked.length < lostUnderSc(rests).length ? ['waits, no deadlock'] : []),
    ...(lostUnderSc(rests).length > 1 ? ['several under SC'] : []),
  ];
}

/** How often each case has to occur in 60 random programs, at least, by bias of the programs. */
const leastOf60: Readonly<Record<HangBias, Readonly<Record<string, number>>>> = {
  'wake-ups': { hang: 5, differs: 25, 'no hang': 10, 'hang under SC': 15 },
  general: { 'no hang': 8, 'hang under SC': 20, 'several under SC': 3 },
  servers: { 'hang under SC': 20, endless: 4, hang: 0.5, deadlock: 3, 'waits, no deadlock': 3 },
  blocks: { 'no hang': 8, 'hang under SC': 20, 'several under SC': 5 },
  together: { together: 8, 'hang under SC': 20 },
  luck: { luck: 20, hang: 4, 'no hang': 6, 'hang under SC': 20 },
  conditions: { luck: 40, hang: 3, 'no hang': 3, 'hang under SC': 20 },
};

const leastEarly: Readonly<Record<string, number>> = {
  ...{ early: 25, hang: 1, 'no hang': 20, 'hang under SC': 5 },
};

const shapes = [...hangBiases.map((bias) => [bias, false] as const), ['wake-ups', true] as const];

test.each(shapes)(
  'random programs, %s, ending early %s: as the definition says',
  async (bias, early) => {
    const counts = new Map<string, number>();
    const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
    for (let i = 0; i < runs / shapes.length; i++) {
      const text = randomHangsText(seed + i, bias);
      const whole = programOf(text);
      const program = early ? endingEarly(whole, new SeededRandom(seed + i)) : whole;
      const judged = hangsByDefinition(program, 4, 2_500);
      if (!judged) {
        count('left out');
        continue;
      }
      try {
        (await compare(program, judged)).forEach(count);
      } catch (error) {
        throw new Error(`seed ${seed + i}\n${text}`, { cause: error });
      }
      count('compared');
    }
    const count60 = (what: string): number =>
      (60 * (counts.get(what) ?? 0)) / (runs / shapes.length);
    expect(count60('compared'), JSON.stringify([...counts])).toBeGreaterThanOrEqual(50);
    expect(count60('open')).toBe(0);
    for (const [what, least] of Object.entries(early ? leastEarly : leastOf60[bias]))
      expect(count60(what), `${what} of ${JSON.stringify([...counts])}`).toBeGreaterThanOrEqual(
        least,
      );
  },
);

/**
 * Programs in which an exploration goes wrong if it leaves out certain steps. By the definition, no
 * thread waits for ever under TSO only, and the named threads wait for ever under SC.
 */
const delicate: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a time-out that lets the thread go on later',
    'thread a { local z; choose { atomic { z = k; assume(z > 0); k = 0; } } or { skip; } }\nthread b { x = 1; }',
    [],
  ],
  [
    'a loop that a thread may go into, and another way past it',
    'thread a { local r; choose { loop { skip; } } or { r = x; } }\nthread b { x = 1; }',
    ['a'],
  ],
];

test.each(delicate)('%s', async (_, text, lost) => {
  const program = programOf(`program P\n\nvar x, k\n${text}\n`);
  const found = (await explored(program, 'TSO'))!;
  const expected = program.threads.map(({ name }) => lost.includes(name));
  expect(hangsByDefinition(program, 4, 2_500)?.tso).toEqual(expected);
  expect(lostIn(program, found.rests)).toEqual(expected);
  expect(findHangs(program, found.exploration, found.rests)).toEqual([]);
  // An exploration that does not observe progress leaves out steps, and gives a wrong answer here.
  const { progress: _seen, ...unsound } = drainedObservation(program);
  const without = await explored(program, 'TSO', unsound);
  expect(lostIn(program, without!.rests)).not.toEqual(expected);
});

/*
 * A lock block is a step only if the whole block can be executed, so a choice within the block is
 * not made before the block's condition holds.
 */
test.each<readonly [string, (choice: string) => string, readonly string[]]>([
  [
    'the alternative never exists',
    (choice) => `thread a { local r; ${choice} y = 1; }\nthread b { local r; r = y; }`,
    [],
  ],
  [
    'another thread makes the alternative, and waits then',
    (choice) => `thread a { local r; ${choice} y = 1; }\nthread b { k = 1; fence; await(k == 0); }`,
    ['b'],
  ],
  [
    'a server has the choice in each round, and somebody waits for what it never does',
    (choice) => `thread a { local r; loop { ${choice} y = 1; fence; y = 2; fence; } }
thread b { await(x == 1); }`,
    ['b'],
  ],
  [
    'two alternatives in a row',
    (choice) => `thread a { local r; ${choice} ${choice} y = 1; }\nthread b { k = 1; }`,
    [],
  ],
])('nobody waits for an alternative of a choice: %s', async (_, text, lost) => {
  const program = (choice: string): Program =>
    programOf(`program P\n\nvar x, y, k\n${text(choice)}\n`);
  const taken = (marks: string): string =>
    `choose { skip; } or { r = x; r = k; ${marks}assume(r == 1); k = 0; fence; }`;
  const lostOf = async (one: Program) => {
    const found = (await explored(one, 'TSO'))!;
    expect(findHangs(one, found.exploration, found.rests)).toEqual([]);
    return one.threads.flatMap(({ name }, t) => (lostIn(one, found.rests)[t] ? name : []));
  };
  const inBlock = program(`atomic { ${taken('')} }`);
  expect(hangsByDefinition(inBlock, 4, 2_500)?.sc).toEqual(
    inBlock.threads.map(({ name }) => lost.includes(name)),
  );
  expect(await lostOf(inBlock)).toEqual(lost);
  expect(await lostOf(program(taken('@choice ')))).toEqual(lost);
  // Without the mark, `a` waits for the alternative that it has chosen.
  expect(await lostOf(program(taken('')))).toContain('a');
});

test('a branch that leads to a dead end is no loop', async () => {
  const text = 'thread a { local r; r = x; if (r == 1) { assume(r == 2); } }\nthread b { x = 1; }';
  const program = programOf(`program P\n\nvar x\n${text}\n`);
  const judged = hangsByDefinition(program, 4, 2_500)!;
  expect([...judged.tsoVectors].filter((vector) => vector.includes('busy'))).toEqual([]);
  expect(judged.tsoVectors.size).toBe(2);
  expect(await compare(program, judged)).toContain('hang under SC');
});

test('an execution that an assume excludes is no deadlock of other threads', async () => {
  const text = (one: string): string =>
    `program P\n\nvar x, y\nthread a { local r; r = x; ${one} y = 1; }\nthread b { await(y == 1); }\n`;
  for (const [one, deadlocked] of [
    ['assume(r == 1);', []],
    ['await(x == 1);', [0, 1]],
  ] as const) {
    const program = programOf(text(one));
    const happened = await compare(program, hangsByDefinition(program, 4, 2_500)!);
    expect(happened.includes('deadlock')).toBe(deadlocked.length > 0);
    const { rests } = (await explored(program, 'TSO'))!;
    expect(deadlockedUnderSc(program, rests).map(({ thread }) => thread)).toEqual(deadlocked);
  }
});

test('who goes round for ever, and changes memory, does not get on but where it serves', async () => {
  const round = 'xchg(y, 1); xchg(y, 0); r = x;';
  const text = (way: string): string =>
    `program P\n\nvar x, y\nthread a { local r; ${way} }\nthread b { local r; r = y; }\n`;
  for (const [way, isLost] of [
    [`do { ${round} } while (r == 0);`, true],
    [`loop { ${round} }`, false],
  ] as const) {
    const program = programOf(text(way));
    const judged = hangsByDefinition(program, 4, 2_500)!;
    expect(judged.sc).toEqual([isLost, false]);
    expect(await compare(program, judged)).toContain('endless');
  }
});

test('a server that works on memory of its own is no deadlock beside a server without work', async () => {
  const text = (own: string): string =>
    `program P\n\nvar x, up, tick\nthread a { loop { await(x == 1); x = up; } }\nthread b { loop { up = 1; ${own} } }\n`;
  for (const [own, deadlocked] of [
    ['xchg(tick, 1); xchg(tick, 0);', []],
    ['xchg(tick, 1);', [0, 1]],
  ] as const) {
    const program = programOf(text(own));
    const judged = hangsByDefinition(program, 4, 2_500)!;
    await compare(program, judged);
    const { rests } = (await explored(program, 'TSO'))!;
    expect(deadlockedUnderSc(program, rests).map(({ thread }) => thread)).toEqual(deadlocked);
  }
});

test('nobody waits where executions are cut off', async () => {
  const half = (own: string, other: string): string =>
    `{ local r; ${own} = 1; r = ${other}; assume(r == 1); }`;
  const text = `program P\n\nvar x, y\nthread a ${half('x', 'y')}\nthread b ${half('y', 'x')}\n`;
  const waits = programOf(text);
  const cuts: Program = {
    ...waits,
    threads: waits.threads.map((thread) => ({
      ...thread,
      transitions: thread.transitions.map((transition) => {
        const { instruction } = transition;
        if (instruction.kind !== 'assume') return transition;
        return { ...transition, instruction: { ...instruction, cutsOff: true } as const };
      }),
    })),
  };
  for (const [program, lost] of [
    [waits, [true, true]],
    [cuts, [false, false]],
  ] as const) {
    const { rests, exploration } = (await explored(program, 'TSO'))!;
    expect(lostIn(program, rests)).toEqual(lost);
    expect(findHangs(program, exploration, rests).length).toBe(lost[0] ? 1 : 0);
  }
});
