// The schema of the states that a program reaches under a memory model, see json-schema.ts.
import { z } from 'zod';
import { count, line, reason } from './json-schema-findings.js';
import { step, value } from './json-schema-runs.js';

const finalState = z.object({
  memory: z.record(z.string(), value),
  outcomes: z
    .record(z.string(), z.union([value, z.string(), z.null()]))
    .describe(
      'of programs in C: what one thread alone knows at its end, as the text calls it: cells of globals and of blocks, what it returns, what it prints; null where there is nothing',
    )
    .optional(),
  registers: z.record(z.string(), z.record(z.string(), value)).describe('by thread, by name'),
});

const settledBy = z
  .enum(['robustness', 'load-buffers'])
  .describe(
    'the exploration was not complete; what it left open follows from the robustness of the program and the complete exploration of SC, or was decided for buffers of any length by a backward search over load buffers',
  );

const openReason = z.enum([
  ...reason.options,
  'buffer',
  'faults',
  'values',
  'thread-states',
  'ends',
  'instances',
  'alone',
  'no-proof',
]);

const waiting = z
  .object({
    thread: z.string(),
    kind: z
      .enum(['waits', 'busy', 'endless'])
      .describe(
        'waits: for memory; busy: goes round without memory; endless: changes memory for ever and does not end',
      ),
    places: z.array(z.string()).describe('where it stands from then on, in words'),
    line: line.optional(),
    function: z.string().describe('in C: the library function that it waits in').optional(),
    reads: z
      .array(z.object({ cell: z.string(), value: value.optional() }))
      .describe('what it reads there'),
    since: count.describe('the first step of the computation that it waits at').optional(),
    joinedBy: z
      .array(z.object({ thread: z.string(), line: line.optional() }))
      .describe('in C: who joins it, and so waits for ever as well; absent if nobody does')
      .optional(),
  })
  .meta({ id: 'WaitingThread' });

const hang = z
  .object({
    text: z.string().describe('in a sentence'),
    threads: z.array(z.string()).describe('without store buffers each of these always gets on'),
    together: z
      .boolean()
      .describe(
        'threads is empty: each of those that wait may do so without store buffers, but not as here',
      ),
    waiting: z.array(waiting).describe('all that never get on from the state'),
    state: finalState,
    computation: z.array(step).describe('leads to the state'),
  })
  .meta({ id: 'Hang' });

/** The JSON schema of threads that wait for ever. */
export const hangs = z
  .object({
    verdict: z.enum(['hangs', 'none', 'unknown']).describe('whether TSO adds threads that wait'),
    hangs: z.array(hang).optional(),
    underSc: z
      .array(waiting)
      .describe('threads that wait for ever without store buffers, too')
      .optional(),
    left: z
      .array(waiting.extend({ underSc: z.boolean().describe('without store buffers, too') }))
      .describe('in C: threads that nobody joins, and that wait when the process ends: no hang')
      .optional(),
    reason: openReason.describe('only for unknown').optional(),
  })
  .meta({ id: 'Hangs' });

export const stateAnswerSchema = z
  .object({
    kind: z
      .enum(['breaks', 'wrong-under-sc', 'hangs', 'differs', 'stricter', 'robust', 'unknown'])
      .describe(
        'the first that applies. breaks: a claim holds under SC and fails under TSO, or a state that is asked for is reached under TSO only; wrong-under-sc: a claim fails under SC; hangs: a thread waits for ever under TSO only; differs: a state with empty buffers is reached under TSO only; stricter: not robust, but no such state; robust',
      ),
    text: z.string().describe('the answer in a sentence'),
    headline: z
      .string()
      .describe(
        "the sentence with which reports begin, to follow the program's name; absent for unknown",
      )
      .optional(),
    deadlocks: z
      .object({
        verdict: z.enum(['deadlocks', 'none', 'unknown']),
        waiting: z.array(waiting),
        reason: openReason.describe('only for unknown').optional(),
      })
      .describe(
        'threads that wait for ever without store buffers, although they have an end, or all together; absent for any number of copies',
      )
      .optional(),
    claims: z
      .array(z.string())
      .describe('properties by name, and assertions, that it is about')
      .optional(),
    copies: z
      .record(z.string(), count)
      .describe('with threads in any number of copies: the instance that shows it')
      .optional(),
    hangs: z.array(hang).describe('only for hangs').optional(),
    state: finalState.describe('only for differs').optional(),
    hangsOpen: openReason
      .describe('only for differs: why it is not known whether threads wait for ever')
      .optional(),
    computation: z.array(step).describe('shows it, where there is one').optional(),
    open: z
      .enum(['claims', 'states', 'traces'])
      .describe('only for unknown: the first question that is open')
      .optional(),
    reason: openReason
      .describe(
        'only for unknown. values: those of a cell do not end; ends, instances: that is asked of given numbers of copies only',
      )
      .optional(),
  })
  .meta({ id: 'StateAnswer' });

export const modelReach = z
  .object({
    states: count,
    incomplete: z
      .enum([...reason.options, 'buffer'])
      .describe('why the exploration is not complete; buffer: stores had to wait for room')
      .optional(),
    buffer: count
      .describe('how many stores a buffer could hold, where that was too few')
      .optional(),
    settledBy: settledBy.optional(),
    finalStates: z.array(finalState).describe('all threads that were created have ended'),
    atRest: z
      .array(finalState.extend({ waiting: z.array(waiting).describe('all that have not ended') }))
      .describe(
        'all threads have ended or wait for ever, and some wait; registers are those of threads that have ended; absent if it is not known who waits for ever',
      )
      .optional(),
    properties: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['never', 'finally', 'exists', 'stuck', 'progress']),
        verdict: z
          .enum(['holds', 'violated', 'unknown'])
          .describe('exists and stuck hold iff there is such a state'),
        vacuous: z.boolean().describe('a finally that holds because no execution ends').optional(),
        settledBy: settledBy.optional(),
        computation: z
          .array(step)
          .describe('leads to the state that decides the property, where there is one')
          .optional(),
      }),
    ),
    failedAssertions: z.array(
      z.object({
        thread: z.string(),
        label: z.string(),
        line: line.optional(),
        computation: z.array(step),
      }),
    ),
  })
  .meta({ id: 'ModelReach' });

const overAll = z.object({
  verdict: z
    .enum(['holds', 'violated', 'unknown'])
    .describe('exists and stuck hold iff there is such a state'),
  copies: z
    .record(z.string(), z.number())
    .describe('by template, an instance that shows it')
    .optional(),
  why: z.string().describe('only for unknown').optional(),
});

/** The JSON schema of a program's claims, decided for all numbers of copies of threads. */
export const claimsOverAll = z.array(
  z.object({
    claim: z.string().describe('a property by name, or which assertion'),
    kind: z.enum(['never', 'finally', 'exists', 'stuck', 'progress', 'assert']),
    sc: overAll,
    tso: overAll,
  }),
);
