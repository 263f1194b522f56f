import { describe, expect, test } from 'vitest';
import {
  enumerateEventTraces,
  type JudgedTrace,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { judgeRun } from '@fencewright/model/events/judge-run.js';
import { replayEventRun } from '@fencewright/model/events/replay-event-run.js';
import type { EventAction, EventRun } from '@fencewright/model/trace/event-run.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { stories } from './stories.js';

function tracesOf(program: EventProgram, semantics: 'SC' | 'TSO'): readonly JudgedTrace[] {
  const traces: JudgedTrace[] = [];
  enumerateEventTraces(program, semantics, { onTrace: (trace) => traces.push(trace) });
  return traces;
}

/**
 * Whether the edges form a cycle: each edge starts where the previous edge ends, and the first edge
 * where the last edge ends.
 */
function isClosed(edges: readonly { readonly from: number; readonly to: number }[]): boolean {
  return edges.every(({ from }, i) => edges.at(i - 1)?.to === from);
}

function expectAgreement(
  program: EventProgram,
  { run, isSerialisable, isCyclic }: JudgedTrace,
): void {
  const { accesses, serialisation, happensBeforeCycle } = judgeRun(program, run);
  expect(serialisation.kind === 'serialisable').toBe(isSerialisable);
  expect(happensBeforeCycle !== undefined).toBe(isCyclic);
  if (happensBeforeCycle) expect(isClosed(happensBeforeCycle)).toBe(true);
  if (serialisation.kind !== 'cycle-of-events') return;
  const eventOf = (access: number) => run.tasks[accesses[access]!.task]!.event;
  const edges = serialisation.orders.flatMap((order) =>
    order.kind === 'conflict'
      ? [{ from: eventOf(order.conflict.first), to: eventOf(order.conflict.second) }]
      : [],
  );
  expect(isClosed(edges)).toBe(true);
  expect(edges.length).toBeGreaterThan(1);
}

function runOf(
  name: string,
  of: (traces: readonly JudgedTrace[]) => JudgedTrace | undefined,
): { readonly program: EventProgram; readonly run: EventRun } {
  const { program } = stories.find((story) => story.name.includes(name))!;
  return { program, run: of(tracesOf(program, 'TSO'))!.run };
}

describe('judgement of a run', () => {
  test.each(stories)('agrees with the definitions: $name', ({ program }) => {
    for (const semantics of ['SC', 'TSO'] as const)
      for (const trace of tracesOf(program, semantics)) expectAgreement(program, trace);
  });

  test('[BEMR18] Fig. 2: the cycle goes over the posting', () => {
    const { program, run } = runOf('[BEMR18] Fig. 2', (traces) =>
      traces.find(({ isCyclic }) => isCyclic),
    );
    const { happensBeforeCycle, serialisation, accesses } = judgeRun(program, run);
    const kind = (action: number) => run.actions[action]!.kind;
    expect(
      happensBeforeCycle!
        .map(({ from, to, relation }) => `${kind(from)} ${relation} ${kind(to)}`)
        .sort(),
    ).toEqual(['begin po load', 'issue po post', 'load cf issue', 'post post begin']);
    expect(serialisation.kind).toBe('against-dfs-order');
    if (serialisation.kind !== 'against-dfs-order') return;
    const { first, second } = serialisation.conflict;
    expect([accesses[first], accesses[second]]).toMatchObject([
      { kind: 'load', task: 1, address: 0 },
      { kind: 'store', task: 0, address: 0 },
    ]);
  });

  test('two background tasks: two conflicts between two events', () => {
    const { program, run } = runOf('lose an update', (traces) =>
      traces.find((trace) => !trace.isSerialisable),
    );
    const { serialisation } = judgeRun(program, run);
    expect(serialisation).toMatchObject({ kind: 'cycle-of-events' });
    expect(serialisation.kind === 'cycle-of-events' && serialisation.orders).toHaveLength(2);
  });

  test("a failing cas is a load: crosswise over two cells it is in nobody's way", () => {
    const { program } = stories.find(({ name }) => name.startsWith('a failing cas'))!;
    const [x, y] = [0, 1];
    const handler = { body: 1, arguments: [], instances: 0, thread: 0 };
    const posted = { body: 0, arguments: [], instances: 0 };
    const cas = (task: number, address: number): EventAction => {
      const site = { body: 0, transition: address };
      return { kind: 'rmw', task, site, address, read: 0 };
    };
    const post = (task: number): EventAction[] => [
      { kind: 'start', task },
      { kind: 'begin', task },
      { kind: 'post', task, site: { body: 1, transition: 0 }, posted: task + 1 },
      { kind: 'return', task },
      { kind: 'begin', task: task + 1 },
    ];
    const run: EventRun = {
      tasks: [
        { ...handler, event: 0 },
        { ...posted, event: 0, parent: 0, thread: 1 },
        { ...handler, event: 1 },
        { ...posted, event: 1, parent: 2, thread: 2 },
      ],
      actions: [...post(0), ...post(2), cas(1, x), cas(3, x), cas(3, y), cas(1, y)],
    };
    expect(replayEventRun(program, run, 'multi-sc').kind).toBe('possible');
    const { accesses, serialisation, happensBeforeCycle } = judgeRun(program, run);
    expect(accesses.map(({ kind }) => kind)).toEqual(['load', 'load', 'load', 'load']);
    expect([serialisation.kind, happensBeforeCycle]).toEqual(['serialisable', undefined]);
  });

  test('a store that has not reached memory conflicts with nothing', () => {
    const { program, run } = runOf('[BEMR18] Fig. 2', (traces) =>
      traces.find(({ isCyclic }) => isCyclic),
    );
    const stored = run.actions.findIndex(
      (action) => action.kind === 'store' && action.address === 0,
    );
    const cut = { ...run, actions: run.actions.slice(0, stored) };
    expect(judgeRun(program, cut).serialisation).toEqual({ kind: 'serialisable' });
    expect(judgeRun(program, cut).happensBeforeCycle).toBeUndefined();
  });
});
