// Parts of the documents about programs of events, see json-schema.ts.
import { z } from 'zod';
import { count, line, reason } from './json-schema-findings.js';

export const eventReason = z.enum([
  ...reason.options,
  'depth',
  'bounds',
  'unbounded-data',
  'unconfirmed',
  'needs-concurrency',
  'two-threads',
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

/** The JSON fields of a run of a program of events. */
export const eventRunParts = {
  tasks: z.array(task),
  steps: z.array(eventStep),
};

const place = z.object({
  label: z.string().describe('unique in its event or procedure'),
  line: line.optional(),
  in: z.string().describe("the event or procedure, if it is not the attack's task").optional(),
});

const attack = z.object({
  task: z.string().describe('the event or procedure whose store is delayed'),
  store: place,
  load: place
    .describe('what overtakes it; absent if that is a posting or a place that events wait for')
    .optional(),
  posting: place.optional(),
  milestone: place.optional(),
});

const eventWitness = z.object({
  semantics: z.enum(['multi-sc', 'multi-tso']),
  attack: attack
    .describe('against TSO alone: the first store that is delayed, and what overtakes it')
    .optional(),
  ...eventRunParts,
  violation: z.object({
    kind: z.enum(['dfs-order', 'event-cycle', 'happens-before']),
    edges: z.array(
      z.object({
        from: count.describe('index into steps'),
        to: count,
        relation: z.enum(['po', 'src', 'st', 'cf', 'post', 'cause', 'lock', 'conflict']),
        sentence: z.string(),
      }),
    ),
  }),
});

export const criterion = z
  .object({
    verdict: z.enum(['robust', 'not-robust', 'unknown', 'error', 'not-asked']),
    reason: eventReason.optional(),
    detail: z.string().describe('more on the reason').optional(),
    witness: eventWitness.optional(),
    attacks: z
      .array(attack.extend({ verdict: z.enum(['feasible', 'infeasible', 'by-cfg', 'unknown']) }))
      .describe(
        'of tso, where they were asked for: a place stands for all its instances, and feasible is what is so of one of them',
      )
      .optional(),
  })
  .meta({ id: 'Criterion' });

/** The JSON fields that only checks of programs of events have. */
export const eventCheckParts = {
  against: z
    .enum(['concurrency', 'tso', 'both'])
    .describe('what was asked of a program of events; the verdict answers that')
    .optional(),
  asked: z
    .array(z.enum(['determinism', 'serialisability', 'concurrency', 'tso', 'tsoSerial']))
    .describe('in place of against: criteria asked one by one. The verdict is the worst of theirs')
    .optional(),
  posting: z.enum(['plain', 'fenced']).optional(),
  criteria: z
    .object({
      determinism: criterion.describe('absent if not asked').optional(),
      serialisability: criterion.describe('absent if not asked').optional(),
      concurrency: criterion,
      tso: criterion,
      tsoSerial: criterion,
    })
    .describe('what is known of a program of events')
    .optional(),
  eventStats: z.object({ states: count, milliseconds: z.number().min(0) }).optional(),
};

/**
 * The JSON fields that only `fence` results for programs of events have; `repair` is the schema of
 * a fence.
 */
export const eventFenceParts = <R extends z.ZodType>(repair: R) => ({
  against: eventCheckParts.against,
  posting: eventCheckParts.posting,
  criteria: eventCheckParts.criteria.describe('what is known of a program of events as it is'),
  because: z
    .enum(['concurrency', 'no-place'])
    .describe(
      'only for impossible: it breaks without store buffers; or no fence may stand where stores wait',
    )
    .optional(),
  detail: z.string().describe('more on the reason').optional(),
  eventWitness: eventWitness
    .describe('only for impossible: a run that no fences prevent')
    .optional(),
  eventClauses: z
    .array(
      z.object({
        repairs: z.array(repair).describe('every sufficient set contains one of these'),
        witness: eventWitness.describe('a run of the program as it is that only these prevent'),
      }),
    )
    .describe('of a program of events')
    .optional(),
  eventStats: z
    .object({ states: count, rounds: count, clauses: count, milliseconds: z.number().min(0) })
    .optional(),
});

const eventRun = z.object(eventRunParts);

export const eventSide = z.object({
  states: count,
  incomplete: z.enum([...reason.options, 'not-asked']).optional(),
  bounds: z
    .array(z.enum(['instances', 'depth', 'buffer']))
    .describe('which bounds kept something from happening; empty: the answers are for all runs'),
  finalStates: z.array(
    z.object({
      memory: z.record(z.string(), z.int()),
      run: eventRun.describe('of one that the single thread has not').optional(),
    }),
  ),
  properties: z.array(
    z.object({
      property: z.string(),
      verdict: z.enum(['holds', 'violated', 'unknown']),
      vacuous: z.literal(true).describe('it holds because no run ends').optional(),
      run: eventRun.optional(),
    }),
  ),
  failedAssertions: z.array(z.object({ line: line.optional(), run: eventRun })),
  blocked: z
    .object({ states: count, run: eventRun.optional() })
    .describe('states in which something is not done and nothing can happen'),
});

const within = z.enum(['yes', 'no', 'unknown']);

/** The JSON fields that only `reach` results for programs of events have. */
export const eventReachParts = {
  semantics: z
    .object({
      single: eventSide,
      multiSc: eventSide,
      multiTso: eventSide,
      withinSingle: z
        .object({ sc: within, tso: within })
        .describe('whether all final states are among those of the single thread'),
    })
    .describe('of a program of events')
    .optional(),
};
