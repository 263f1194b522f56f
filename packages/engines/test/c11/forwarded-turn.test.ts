import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import {
  isConsistentButForThinAir,
  isSequentiallyConsistent,
} from '@fencewright/model/c11/consistency.js';
import { expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { type C11Code, compileC11 } from '../../src/c11/c11-steps.js';
import { findCells } from '../../src/c11/cells.js';
import { type LoadBufferingFindings, searchPostponedLoad } from '../../src/c11/postponed-load.js';
import { loadBufferingGraph } from '../../src/c11/violation-graph.js';
import { programOf } from '../robustness/native-program.js';
import { armExecutions, type Instruction } from './armv8-judge.js';
import {
  type ArmSketch,
  type ArmStatement,
  compileForArm,
  programOfArm,
  textOfArm,
} from './armv8-sketch.js';
import { lateLoadSketch } from './late-load-sketch.js';

/*
 * A ticket lock whose tickets are numbers modulo 3. Thread one passes twice, and takes a third
 * ticket, which is ticket 0 again for thread two. All stores of thread one to `turn` release, so
 * they wait for its first load of `d`, and its second pass uses the forwarded value of its own
 * store. Thread two still loads turn 0, enters, and its store reaches the load of `d`.
 */

type Wait = 'ldar' | 'ldapr' | 'ldr';

const orderOf = { ldar: 'A', ldapr: 'Q', ldr: undefined } as const;

/**
 * Returns an instruction that excludes all executions in which the register does not hold the
 * value.
 */
const only = (register: string, value: number | string): Instruction => ({
  ...{ op: 'if', equal: [register, value], then: [], else: [{ op: 'fail' }] },
});

/**
 * Returns instructions that take the next ticket of a ticket lock and add `step` to it. Executions
 * in which the ticket is not `value` are excluded.
 */
const take = (to: string, step: number, value: number): readonly Instruction[] => [
  { op: 'ldadd', to, value: step, at: { cell: 'next' } },
  only(to, value),
];

/**
 * Returns instructions by which a thread loads the turn of a ticket lock. Executions in which it is
 * not the turn of the thread's ticket are excluded.
 */
const wait = (kind: Wait, ticket: string): readonly Instruction[] => [
  { op: 'ldr', to: `${ticket}turn`, at: { cell: 'turn' }, order: orderOf[kind] },
  only(`${ticket}turn`, ticket),
];

const enter = (value: number): Instruction => ({ op: 'str', value, at: { cell: 'd' } });

const pass = (ticket: string): readonly Instruction[] => [
  { op: 'add', to: `${ticket}next`, of: [`${ticket}turn`, 1] },
  { op: 'str', value: `${ticket}next`, at: { cell: 'turn' }, order: 'L' },
];

function threads(kind: Wait): readonly (readonly Instruction[])[] {
  const look: Instruction = { op: 'ldr', to: 'seen', at: { cell: 'd' } };
  return [
    [
      ...[...take('a', 1, 0), ...wait(kind, 'a'), enter(1), look, ...pass('a')],
      ...[...take('b', 1, 1), ...wait(kind, 'b'), enter(1), ...pass('b')],
      ...take('c', -2, 2),
      only('seen', 2),
    ],
    [...take('e', 1, 0), ...wait(kind, 'e'), enter(2)],
  ];
}

test.each([
  ['ldr', true],
  ['ldapr', true],
  ['ldar', false],
] as const)('ARMv8, waits by %s', (kind, isAllowed) => {
  const executions = armExecutions({ threads: threads(kind) }, 1_000_000);
  if (!executions) throw new Error('too many executions');
  const broken = executions.filter(({ failed }) => failed.length === 0);
  expect(broken.some((one) => one.isLoadBuffering)).toBe(isAllowed);
});

const searched = (code: C11Code): Promise<LoadBufferingFindings> =>
  searchPostponedLoad(code, findCells(code), 'c11', new Budget());

function turns(order: string, release: string): C11Code {
  const own = (ticket: string, step: number): string => `
    ${ticket} = fetch_add(next, ${step}, relaxed);`;
  const turn = (ticket: string): string => `await (load(turn, ${order}) == ${ticket});`;
  return compileC11(
    programOf(`var next, turn, d
      thread one {
        local a, b, c, seen;
        ${own('a', 1)} ${turn('a')} store(d, 1); seen = load(d); ${release.replace('V', 'a + 1')}
        ${own('b', 1)} ${turn('b')} store(d, 1); ${release.replace('V', 'b + 1')}
        ${own('c', -2)}
      }
      thread other { local e; ${own('e', 1)} ${turn('e')} store(d, 2); }`),
  );
}

/** Returns the faults of the graph of a violation, by the definitions. */
function faultsOf(code: C11Code, found: LoadBufferingFindings['found'][number]): string[] {
  const { graph, event } = loadBufferingGraph(code, findCells(code), 'c11', found);
  const { events, modification } = graph;
  const stores = events.flatMap(({ written }, index) => (written === undefined ? [] : [index]));
  const isRead = (index: number): boolean => {
    const { from, read, address } = events[index]!;
    return (
      from === undefined || (events[from]!.written === read && events[from]!.address === address)
    );
  };
  return [
    ...(isConsistentButForThinAir(graph, 'c11') ? [] : ['C11 does not allow it']),
    ...(isSequentiallyConsistent(graph) ? ['SC allows it'] : []),
    ...(events[event]!.from! > event ? [] : ['the load reads no later store']),
    ...([...events.keys()].every(isRead) ? [] : ['a load reads another value']),
    ...(modification
      .flat()
      .sort((a, b) => a - b)
      .join() === stores.join()
      ? []
      : ['an open place']),
  ];
}

test.each(['relaxed', 'acquire'])('a turn that a thread gives itself, %s', async (order) => {
  const code = turns(order, 'store(turn, V, release);');
  const { found, doubt } = await searched(code);
  expect([found[0]?.run.filter((event) => event !== 'postponed' && event.isLate).length, doubt])
    // The late events: the store to `turn`, the wait, the store to `d`, the second store to `turn`.
    .toEqual([4, undefined]);
  expect(faultsOf(code, found[0]!)).toEqual([]);
});

test('a load gets the newest of the stores that wait', async () => {
  const code = compileC11(
    programOf(`var x, y, z
      thread t {
        local r, s;
        r = load(x); store(z, 1, release); store(z, 2, release); s = load(z); store(y, s);
      }
      thread u { local q; q = load(y); store(x, q); }`),
  );
  const { found } = await searched(code);
  expect(faultsOf(code, found[0]!)).toEqual([]);
  const { graph } = loadBufferingGraph(code, findCells(code), 'c11', found[0]!);
  expect(graph.events.filter(({ kind, read }) => kind === 'read' && read === 2)).toHaveLength(3);
});

// LWG 3941: by the text of C++20, a `seq_cst` load that gets a forwarded value may be too late. For
// an exchange, the search does not know whether another store comes between the load and the store
// of the exchange.
test.each([
  ['the wait is seq_cst', 'seq_cst', 'store(turn, V, release);'],
  ['the turn is given by an exchange', 'acquire', 'xchg(turn, V, release);'],
])('the search is in doubt: %s', async (_, order, release) => {
  const { found, doubt } = await searched(turns(order, release));
  expect([found, doubt?.kind]).toEqual([[], 'load']);
});

/**
 * Returns a random program whose first thread executes a load, which processors may execute late,
 * then stores to a cell and loads this cell again.
 */
function forwardingSketch(seed: number): ArmSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const { threads, ...rest } = lateLoadSketch(seed);
  const [[late, ...behind], ...others] = threads as [readonly ArmStatement[]];
  const at = { cell: pick(['z', 'z', 'z', 'x']) };
  const order = pick(['release', 'release', 'relaxed', 'seq_cst'] as const);
  const again = pick(['relaxed', 'acquire', 'acquire', 'seq_cst'] as const);
  const first: readonly ArmStatement[] = [
    late!,
    { kind: 'store', at, value: pick([1, 2]), order },
    { kind: 'load', to: 's', at, order: again },
    ...(random.below(2) === 0 ? [] : behind.slice(0, -1)),
    { kind: 'store', at: { cell: 'y' }, value: pick([1, 's']), order: 'relaxed' },
  ];
  return { ...rest, threads: [first, ...others] };
}

/**
 * Whether the thread has a load that ARM executes after all earlier releasing stores: `ldar` or
 * `ldaxr`. C++20 orders only `seq_cst` loads after earlier stores.
 */
function hasLdar(thread: readonly ArmStatement[]): boolean {
  const acquires = (order: MemoryOrder): boolean => order !== 'relaxed' && order !== 'release';
  return thread.some((one) => {
    if (one.kind === 'if') return hasLdar(one.then) || hasLdar(one.else ?? []);
    if (one.kind === 'load' || one.kind === 'await') return one.order === 'seq_cst';
    if (one.kind === 'cas') return acquires(one.order) || acquires(one.failure);
    return (one.kind === 'xchg' || one.kind === 'fetch_add') && acquires(one.order);
  });
}

test('what is found by forwarding, ARMv8 shows', async () => {
  const wrongs: string[] = [];
  let [forwarded, shown] = [0, 0];
  const first = randomSeed(270_000);
  for (let seed = first; seed < first + randomRuns(150, 10_000); seed++) {
    const sketch = forwardingSketch(seed);
    const code = compileC11(programOfArm(sketch));
    const {
      found: [found],
    } = await searched(code).catch((error: unknown) => {
      if (error instanceof ExecutionFault) return { found: [] };
      throw error;
    });
    const isForwarded = found?.run.some(
      (event) => event !== 'postponed' && event.isLate && event.kind === 'read',
    );
    if (!found || !isForwarded) continue;
    forwarded += 1;
    const faults = faultsOf(code, found);
    if (faults.length > 0) wrongs.push(`seed ${seed}: ${faults.join()}\n${textOfArm(sketch)}`);
    if (hasLdar(sketch.threads[0]!)) continue;
    shown += 1;
    const all = [false, true].flatMap((hasLse) => {
      const mapping = { hasRcpc: true, hasLse, isRA: false, keepsAssertions: true };
      return armExecutions(compileForArm(sketch, mapping), 20_000) ?? [];
    });
    if (all.length > 0 && !all.some(({ isLoadBuffering }) => isLoadBuffering))
      wrongs.push(`seed ${seed}: ARM does not show it\n${textOfArm(sketch)}`);
  }
  if (isCampaign) console.log({ forwarded, shown });
  expect(wrongs).toEqual([]);
  expect(forwarded).toBeGreaterThan(shown);
  expect(shown).toBeGreaterThan(3);
});
