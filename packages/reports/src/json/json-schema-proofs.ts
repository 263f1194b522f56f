// The documents of `prove`, see json-schema.ts.
import { z } from 'zod';
import {
  assumptionsSchema,
  cause,
  count,
  diagnostic,
  instructionRef,
  line,
  reason,
} from './json-schema-findings.js';
import { witness } from './json-schema-runs.js';

const extent = z.enum(['all', 'some']).describe('some: until a limit ended the search');

const confrontation = z
  .object({
    maxStates: z.number().describe('of each search; whatever limit was set'),
    instances: z.array(
      z.object({
        copies: z.number().optional(),
        states: z.number().describe('of all searches of the instance'),
        violation: extent
          .describe('a cycle of happens-before; after proofs of robustness')
          .optional(),
        tsoStates: z
          .enum(['all', 'some', 'none'])
          .describe(
            'a state of TSO with empty buffers that SC has not; none: SC was not explored to the end',
          )
          .optional(),
        invariants: extent.describe('a state that breaks an inductive invariant').optional(),
      }),
    ),
  })
  .describe(
    'small instances that were searched for a refutation of what is proved, in vain; a refutation is an internal error',
  )
  .optional();

const comparison = z
  .object({
    kind: z.enum(['same', 'more', 'not-compared']),
    copies: z.number().optional(),
    values: z
      .object({ low: z.number(), high: z.number() })
      .describe('only executions that store no other values were followed')
      .optional(),
    states: z.number().describe('shared states of the program with plain loads').optional(),
    more: z.number().describe('shared states of the abstraction only').optional(),
    isLowerBound: z.boolean().optional(),
    example: z.record(z.string(), z.string()).optional(),
    detail: z.string().optional(),
  })
  .describe('shared states under SC of an instance of the abstraction, and of plain loads')
  .optional();

const namedInstruction = z.object({
  thread: z.string(),
  label: z.string().describe('the control location of the instruction, unique in its thread'),
  line: line.optional(),
});

const move = z
  .object({
    kind: z
      .enum(['moves', 'stuck', 'unknown'])
      .describe('unknown: the solver gave up on the step of `other`'),
    reason: z
      .enum(['text', 'apart', 'effects'])
      .describe(
        'text: no other thread accesses the variable, or all only read it; apart: never at one cell with another thread at once; effects: both orders end in the same state',
      )
      .optional(),
    invariants: z.array(z.string()).describe('that the reason needs').optional(),
    other: namedInstruction
      .describe('the step of another thread that the access does not move past')
      .optional(),
    otherSucceeds: z.boolean().describe('whether a cas of the other thread succeeds').optional(),
    state: z.record(z.string(), z.string()).describe('before both steps').optional(),
  })
  .describe('absent for locked accesses, which count as no movers')
  .optional();

const movers = z
  .array(
    namedInstruction.extend({
      type: z
        .enum(['R', 'L', 'B', 'N', '?'])
        .describe('right mover, left mover, both, none; ?: the solver gave up'),
      right: move,
      left: move,
    }),
  )
  .describe('only if asked: where each access moves past steps of other threads under SC')
  .optional();

export const proveResult = z
  .object({
    file: z.string(),
    program: z.string().optional(),
    assumptions: assumptionsSchema.optional(),
    verdict: z.enum(['proved', 'not-robust', 'unknown', 'error']),
    cause: cause.optional(),
    conclusion: z
      .enum(['robust', 'same-states', 'abstraction'])
      .describe(
        'only for proved. same-states: every state that TSO reaches with empty buffers, SC reaches; abstraction: its abstraction reaches',
      )
      .optional(),
    happensBefore: z
      .enum(['standard', 'value'])
      .describe('only for robust; standard includes value')
      .optional(),
    reason: z
      .enum([...reason.options, 'movers', 'invariants', 'abstractions'])
      .describe('only for the verdict unknown')
      .optional(),
    detail: z.string().optional(),
    violation: z
      .object({
        happensBefore: z.enum(['standard', 'value']),
        threads: z.array(z.string()).describe('the instance that was searched'),
        witness,
      })
      .describe('of the program without abstractions')
      .optional(),
    invariants: z
      .array(
        z.object({
          name: z.string(),
          origin: z.enum(['given', 'inferred']),
          verdict: z.enum(['inductive', 'broken', 'unknown']),
          text: z
            .string()
            .describe('of one that was inferred, as a line of the native language')
            .optional(),
          source: z.literal('horn-clauses').describe('of one that was inferred').optional(),
        }),
      )
      .optional(),
    abstractions: z
      .array(
        namedInstruction.extend({
          kind: z
            .enum(['read', 'rmw'])
            .describe('read: a load that may give more; rmw: an rmw that may fail without effect'),
          origin: z.enum(['given', 'inferred']),
          text: z.string(),
          sound: z.boolean(),
        }),
      )
      .optional(),
    comparison,
    original: z
      .object({ kind: z.enum(['all', 'copies']), copies: z.number().optional() })
      .describe(
        'how far a search shows that the program without its abstractions is robust: in all instances, or in those with up to this many copies of each thread',
      )
      .optional(),
    confrontation,
    stores: z
      .array(
        namedInstruction.extend({
          loads: z
            .array(instructionRef)
            .describe('the loads from memory that can come while the store is delayed'),
          argument: z.enum(['no-loads', 'left-mover', 'right-movers', 'none']),
          noInvariantHelps: z
            .enum(['of-pairs', 'without-arrays'])
            .describe(
              'no invariant about two threads gives an argument, or none that says nothing of arrays',
            )
            .optional(),
          conflicts: z
            .array(
              z.object({
                mover: z.enum(['load', 'store']),
                own: namedInstruction,
                other: namedInstruction,
                state: z.record(z.string(), z.string()),
              }),
            )
            .optional(),
        }),
      )
      .optional(),
    movers,
    properties: z
      .array(
        z.object({ name: z.string(), verdict: z.enum(['holds', 'unknown']), detail: z.string() }),
      )
      .optional(),
    stats: z
      .object({ solver: z.string(), obligations: count, milliseconds: z.number().min(0) })
      .optional(),
    diagnostics: z.array(diagnostic),
    internalError: z.string().describe('a fault of the tool itself').optional(),
  })
  .meta({ id: 'ProveResult' });
