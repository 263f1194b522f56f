import { describe, expect, test } from 'vitest';
import { enumerateEventTraces } from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { isFinalConfiguration } from '@fencewright/model/events/machine.js';
import { replayEventRun } from '@fencewright/model/events/replay-event-run.js';
import type { EventAction, EventRun } from '@fencewright/model/trace/event-run.js';
import { stories } from './stories.js';

const kinds = [
  ['SC', 'multi-sc'],
  ['TSO', 'multi-tso'],
  ['single', 'single'],
] as const;

/** Returns the run with one action replaced. */
function changed({ tasks, actions }: EventRun, place: number, action: EventAction): EventRun {
  return { tasks, actions: actions.with(place, action) };
}

describe('replay', () => {
  test.each(stories)('performs the enumerated runs: $name', ({ program }) => {
    for (const [semantics, machine] of kinds)
      enumerateEventTraces(program, semantics, {
        onTrace({ run }) {
          const replayed = replayEventRun(program, run, machine);
          expect(replayed).toMatchObject({ kind: 'possible' });
          if (replayed.kind === 'possible') expect(replayed.ends).toHaveLength(1);
        },
      });
  });

  test.each(stories)('tells the first action that is not possible: $name', ({ program }) => {
    let isFirst = true;
    enumerateEventTraces(program, 'TSO', {
      onTrace({ run }) {
        if (!isFirst) return;
        isFirst = false;
        run.actions.forEach((action, place) => {
          const wrong: EventAction[] = [{ ...action, task: action.task + 1 }];
          if ('value' in action) wrong.push({ ...action, value: action.value + 1 });
          if ('address' in action) wrong.push({ ...action, address: action.address + 1 });
          if ('read' in action) wrong.push({ ...action, read: action.read + 1 });
          if (action.kind === 'load') wrong.push({ ...action, fromBuffer: !action.fromBuffer });
          if (action.kind === 'post') wrong.push({ ...action, posted: action.posted + 1 });
          if ('site' in action)
            wrong.push({
              ...action,
              site: { ...action.site, transition: action.site.transition + 1 },
            });
          for (const each of wrong) {
            const replayed = replayEventRun(program, changed(run, place, each), 'multi-tso');
            // Another task may have an equal action; then a later action reveals the change.
            expect(replayed.kind === 'possible' ? -1 : replayed.action).toBeGreaterThanOrEqual(
              place,
            );
          }
        });
      },
    });
  });

  test('tasks are checked: what they run, their arguments, and their threads', () => {
    const { program } = stories.find(({ name }) => name.includes('argument'))!;
    const runs: EventRun[] = [];
    enumerateEventTraces(program, 'SC', { onTrace: (trace) => runs.push(trace.run) });
    const [run] = runs;
    const post = run!.actions.findIndex(({ kind }) => kind === 'post');
    const posted = run!.tasks[1]!;
    for (const wrong of [
      { arguments: [2] },
      { thread: 0 },
      { body: 1 },
      { event: 1 },
      { parent: 1 },
    ])
      expect(
        replayEventRun(
          program,
          { ...run!, tasks: run!.tasks.with(1, { ...posted, ...wrong }) },
          'multi-sc',
        ),
      ).toEqual({
        kind: 'impossible',
        action: post,
      });
    expect(
      replayEventRun(program, { ...run!, tasks: [...run!.tasks, posted] }, 'multi-sc'),
    ).toEqual({
      kind: 'impossible',
      action: run!.actions.length,
    });
  });

  test('a posting waits for the empty buffer only if postings are fenced', () => {
    const { program } = stories[0]!;
    const { cyclic } = enumerateEventTraces(program, 'TSO');
    const post = cyclic!.actions.findIndex(({ kind }) => kind === 'post');
    expect(replayEventRun(program, cyclic!, 'multi-tso', { postingFenced: true })).toEqual({
      kind: 'impossible',
      action: post,
    });
    expect(enumerateEventTraces(program, 'TSO', { postingFenced: true }).cyclic).toBeUndefined();
  });

  test('a run that stops before its end is a run', () => {
    const { program } = stories[0]!;
    const { cyclic } = enumerateEventTraces(program, 'TSO');
    const begun = { tasks: cyclic!.tasks.slice(0, 1), actions: cyclic!.actions.slice(0, 2) };
    const replayed = replayEventRun(program, begun, 'multi-tso');
    expect(replayed.kind === 'possible' && isFinalConfiguration(program, replayed.ends[0]!)).toBe(
      false,
    );
    expect(replayed.kind).toBe('possible');
  });
});
