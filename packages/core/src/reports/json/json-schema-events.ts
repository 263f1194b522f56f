// Parts of the documents about programs of events, see json-schema.ts.
import { z } from 'zod';
import { count, line, reason } from './json-schema-findings.js';

export const eventReason = z.enum([
  ...reason.options,
  'depth',
  'instances',
  'unconfirmed',
  'needs-concurrency',
]);

const task = z.object({
  name: z.string().describe('unique in the run'),
  procedure: z.string().describe('the procedure or event that it runs'),
  arguments: z.array(z.int()),
  event: count.describe('which event it belongs to, in the order in which events start'),
  thread: count.describe('0 is the main thread'),
  postedBy: count.describe('the task that posted it; absent for a handler').optional(),
});

const eventStep = z.object({
  task: count.describe('index into tasks'),
  action: z.enum([
    'start',
    'begin',
    'return',
    'post',
    'load',
    'issue',
    'store',
    'rmw',
    'fence',
    'lock',
    'unlock',
    'silent',
  ]),
  line: line.optional(),
  instruction: z.string().optional(),
  address: z.string().describe('the memory cell as the program names it').optional(),
  value: z.int().describe('the value stored, loaded, or for an rmw read').optional(),
  written: z.int().describe('the value that an rmw writes').optional(),
  early: z.boolean().describe("whether a load read from its thread's store buffer").optional(),
  posted: count.describe('index into tasks').optional(),
});

/** The parts of a run on several threads. */
export const eventRunParts = {
  tasks: z.array(task),
  steps: z.array(eventStep),
};

export const criterion = z
  .object({
    verdict: z.enum(['robust', 'not-robust', 'unknown', 'error', 'not-asked']),
    reason: eventReason.optional(),
    detail: z.string().describe('more on the reason').optional(),
    witness: z
      .object({
        semantics: z.enum(['multi-sc', 'multi-tso']),
        ...eventRunParts,
        violation: z.object({
          kind: z.enum(['dfs-order', 'event-cycle', 'happens-before']),
          edges: z.array(
            z.object({
              from: count.describe('index into steps'),
              to: count,
              relation: z.enum(['po', 'src', 'st', 'cf', 'post', 'conflict']),
              sentence: z.string(),
            }),
          ),
        }),
      })
      .optional(),
  })
  .meta({ id: 'Criterion' });

/** What the results of a check have for programs of events only. */
export const eventCheckParts = {
  against: z
    .enum(['concurrency', 'tso', 'both'])
    .describe('what was asked of a program of events; the verdict answers that')
    .optional(),
  posting: z.enum(['plain', 'fenced']).optional(),
  criteria: z
    .object({ concurrency: criterion, tso: criterion, tsoSerial: criterion })
    .describe('what is known of a program of events')
    .optional(),
  eventStats: z.object({ states: count, milliseconds: z.number().min(0) }).optional(),
};
