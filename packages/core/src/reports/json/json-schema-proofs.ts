// Parts of the documents of `prove`, see json-schema.ts.
import { z } from 'zod';

const extent = z.enum(['all', 'some']).describe('some: until a limit ended the search');

export const confrontation = z
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

export const comparison = z
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
