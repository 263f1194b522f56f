import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { fence } from '../../../core/src/api/fence.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import { judgeHeavyFences } from '@fencewright/reference/definitions/judge-heavy-fences.js';
import { ringWithHeavyFences } from '@fencewright/reference/testing/random-heavy-fences.js';
import type { CostModel } from '@fencewright/repairs/fences/repair-problem.js';

const maxStates = 6_000;
const maxSets = 1_500;

/**
 * The fences inserted before one instruction of a thread without branches: a plain fence or none,
 * and a number of heavy fences.
 */
interface Front {
  readonly fence: boolean;
  readonly heavy: number;
}

/** Returns the straight-line program with each instruction replaced by several. */
function rewritten(
  program: Program,
  change: (instruction: Instruction, thread: number, place: number) => readonly Instruction[],
): Program {
  const threads = program.threads.map((thread, t): Thread => {
    const code = thread.transitions.flatMap(({ instruction }, i) => change(instruction, t, i));
    return {
      ...thread,
      locations: Array.from({ length: code.length + 1 }, (_, l) => ({
        name: `l${l}`,
        hidden: false,
      })),
      transitions: code.map((instruction, from) => ({
        from,
        to: from + 1,
        instruction,
        origin: {},
      })),
    };
  });
  return { ...program, threads };
}

function withFronts(program: Program, fronts: readonly (readonly Front[])[]): Program {
  return rewritten(program, (instruction, t, i) => {
    const { fence: isFenced, heavy } = fronts[t]![i]!;
    return [
      ...(isFenced ? [{ kind: 'fence' } as const] : []),
      ...Array.from({ length: heavy }, () => ({ kind: 'heavy-fence' }) as const),
      instruction,
    ];
  });
}

/** Random rings of threads, most of them without heavy fences. */
const rings = fc
  .tuple(ringWithHeavyFences(3), fc.nat(3))
  .map(([program, keeps]) =>
    rewritten(program, (one) => (keeps > 0 && one.kind === 'heavy-fence' ? [] : [one])),
  );

/** Returns all choices of fences that cost less than `below`. */
function cheaperChoices(program: Program, costs: CostModel, below: number): (readonly Front[])[][] {
  const most = program.threads.length - 1;
  let choices: { readonly cost: number; readonly fronts: readonly Front[] }[] = [
    { cost: 0, fronts: [] },
  ];
  program.threads.forEach(({ transitions }, t) => {
    transitions.forEach((_, i) => {
      choices = choices.flatMap(({ cost, fronts }) =>
        [false, true].flatMap((isFenced) =>
          Array.from({ length: most + 1 }, (__, heavy) => ({
            cost: cost + (isFenced ? costs.fence(t, i) : 0) + heavy * costs.heavy!(t, i),
            fronts: [...fronts, { fence: isFenced, heavy }],
          })).filter((one) => one.cost < below),
        ),
      );
    });
  });
  return choices.map(({ fronts }) => {
    let at = 0;
    return program.threads.map(({ transitions }) => fronts.slice(at, (at += transitions.length)));
  });
}

const prices = fc.array(fc.constantFrom(4, 5, 6, 8, 11), { minLength: 23, maxLength: 23 });

const runs = randomRuns(16, 300);

test(`${runs} rings: the cheapest fences against all cheaper sets, by the rules of the machine`, async () => {
  const counts = new Map<string, number>();
  const add = (name: string, count = 1): void => {
    counts.set(name, (counts.get(name) ?? 0) + count);
  };
  await fc.assert(
    fc.asyncProperty(rings, prices, async (program, table) => {
      const price = (thread: number, place: number, more: number): number =>
        table[(7 * thread + 3 * place + more) % table.length]!;
      const costs: CostModel = {
        name: 'random',
        fence: (t, place) => price(t, place, 0),
        xchg: () => 1,
        heavy: (t, place) => price(t, place, 11),
      };
      const { verdict } = await fence(program, { mode: 'asymmetric', costs });
      if (verdict.kind !== 'found') expect.fail(verdict.kind);
      const whole = judgeHeavyFences(verdict.repaired, 10 * maxStates);
      if (!whole.isComplete) {
        add('too large');
        return;
      }
      expect(whole.isCyclic).toBe(false);
      const cheaper = cheaperChoices(program, costs, verdict.cost);
      if (cheaper.length > maxSets) {
        add('too many sets');
        return;
      }
      for (const fronts of cheaper) {
        const judged = judgeHeavyFences(withFronts(program, fronts), maxStates);
        if (judged.isComplete || judged.isCyclic) expect(judged.isCyclic).toBe(true);
        else add('sets that are too large');
      }
      add('cheaper sets', cheaper.length);
      const places = verdict.repairs.flatMap((one) =>
        one.kind === 'fence' && one.heavy !== undefined ? [`${one.thread} ${one.location}`] : [],
      );
      add(places.length > 0 ? 'with a heavy fence' : 'without a heavy fence');
      if (new Set(places).size < places.length) add('with two heavy fences at one place');
    }),
    { numRuns: runs, seed: randomSeed(20261129) },
  );
  console.info([...counts].map(([name, count]) => `${name}: ${count}`).join(', '));
  expect(counts.get('with a heavy fence')).toBeGreaterThan(runs / 10);
  expect(counts.get('cheaper sets')).toBeGreaterThan(runs);
});

async function programOf(text: string): Promise<Program> {
  const { model, diagnostics } = await parseText('native', text);
  return finiteProgram(model) ?? expect.fail(JSON.stringify(diagnostics));
}

test('two heavy fences at one place may be needed where neither stops the violation alone', async () => {
  const program = await programOf(`program Ring
    var x, y, z
    thread slow { local r; z = 1; r = x; }
    thread one { local r; @nofence x = 1; @nofence r = y; }
    thread two { local r; @nofence y = 1; @nofence r = z; }`);
  const { verdict } = await fence(program, { mode: 'asymmetric' });
  expect(verdict).toMatchObject({
    kind: 'found',
    repairs: [
      { kind: 'fence', thread: 0, heavy: 1 },
      { kind: 'fence', thread: 0, heavy: 2 },
    ],
  });
});

test('of the heavy fences in the text, those that are not needed can go', async () => {
  const program = await programOf(`program P
    var x, y
    thread fast { local r; heavy_fence; x = 1; r = y; }
    thread slow { local r; y = 1; heavy_fence; heavy_fence; r = x; fence; }`);
  const { verdict } = await fence(program, { mode: 'minimise' });
  if (verdict.kind !== 'found') expect.fail(verdict.kind);
  expect(verdict.repairs).toMatchObject([{ kind: 'keep', thread: 1 }]);
  expect(verdict.removable.map(({ thread }) => thread)).toEqual([0, 1, 1]);
});

test('fences take into account the heavy fences in the text', async () => {
  const text = (heavy: string) => `program P
    var x, y
    thread fast { local r; x = 1; r = y; }
    thread slow { local r; y = 1; ${heavy} r = x; }`;
  const repairsOf = async (heavy: string) => {
    const { verdict } = await fence(await programOf(text(heavy)));
    return verdict.kind === 'found' ? verdict.repairs.length : verdict.kind;
  };
  expect(await repairsOf('heavy_fence;')).toBe(0);
  expect(await repairsOf('fence;')).toBe(1);
  expect(await repairsOf('')).toBe(2);
});
