// What a memory model reaches, see json-schema.ts.
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

export const stateAnswer = z
  .object({
    kind: z
      .enum(['breaks', 'wrong-under-sc', 'differs', 'stricter', 'robust', 'unknown'])
      .describe(
        'the first that applies. breaks: a claim holds under SC and fails under TSO, or a state that is asked for is reached under TSO only; wrong-under-sc: a claim fails under SC; differs: a state with empty buffers is reached under TSO only; stricter: not robust, but no such state; robust',
      ),
    text: z.string().describe('the answer in a sentence'),
    claims: z
      .array(z.string())
      .describe('properties by name, and assertions, that it is about')
      .optional(),
    copies: z
      .record(z.string(), count)
      .describe('with threads in any number of copies: the instance that shows it')
      .optional(),
    state: finalState.describe('only for differs').optional(),
    computation: z.array(step).describe('shows it, where there is one').optional(),
    open: z
      .enum(['claims', 'states', 'traces'])
      .describe('only for unknown: the first question that is open')
      .optional(),
    reason: z
      .enum([
        ...reason.options,
        'buffer',
        'faults',
        'values',
        'thread-states',
        'ends',
        'instances',
        'alone',
      ])
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
    finalStates: z.array(finalState),
    properties: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['never', 'finally', 'exists', 'stuck']),
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

/** What a program with any number of copies claims, in all of its instances. */
export const claimsOverAll = z.array(
  z.object({
    claim: z.string().describe('a property by name, or which assertion'),
    kind: z.enum(['never', 'finally', 'exists', 'stuck', 'assert']),
    sc: overAll,
    tso: overAll,
  }),
);
