import { expect, test } from 'vitest';
import type { EventAction } from '@fencewright/model/trace/event-run.js';
import { eventStepNumbers } from '../src/words/event-step-numbers.js';

test('steps of events are numbered without gaps; an untold action has the next number', () => {
  const kinds = ['start', 'begin', 'silent', 'load', 'silent', 'store'] as const;
  const actions = kinds.map((kind) => ({ kind, task: 0 })) as unknown as EventAction[];
  expect(eventStepNumbers({ actions, tasks: [] })).toEqual([1, 1, 2, 2, 3, 3]);
});
