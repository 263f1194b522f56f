import { z } from 'zod';
import { assumptionsSchema, count, line } from './json-schema-findings.js';

/** The parts of an execution graph. */
export const c11GraphParts = {
  events: z
    .array(
      z.object({
        kind: z.enum(['read', 'write', 'update', 'fence']),
        order: z.enum(['plain', 'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst']),
        thread: z.string().describe('absent for initial stores').optional(),
        line: line.optional(),
        cell: z.string().optional(),
        read: z.number().describe('the value that was read').optional(),
        written: z.number().describe('the value that was written').optional(),
        from: count.describe('index of the store that was read').optional(),
      }),
    )
    .describe('the events, those of a thread in program order'),
  modification: z
    .array(z.array(count))
    .describe(
      'for each cell the indices of its stores, in the order in which they replace each other',
    ),
};

const seenOn = z
  .array(
    z.object({
      machine: z.enum(['x86', 'ARMv8', 'POWER']),
      answer: z.enum(['yes', 'no', 'unknown']).describe('unknown: it depends on the compiled code'),
    }),
  )
  .describe('the processors that show the execution; absent if a store overtakes a load in it')
  .optional();

/** The members of a result from `check --model c11`. */
export const c11Schema = z.object({
  model: z.enum(['c11', 'ra']),
  verdict: z.enum(['robust', 'not-robust', 'unknown']).describe('the verdict against C11'),
  limit: z.string().describe('what is not supported, if that is the reason').optional(),
  violation: z
    .object({
      kind: z.enum(['old-store', 'load-buffering']),
      event: count.describe(
        'index of the event that takes an old store, or that is executed behind a later store',
      ),
      preventedBy: z
        .array(
          z.object({
            event: count.describe('index of the event'),
            order: z.enum(['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst']),
          }),
        )
        .describe('one or two stronger orders that exclude the execution')
        .optional(),
      seenOn,
      ...c11GraphParts,
    })
    .describe('only for the verdict not-robust')
    .optional(),
  effect: z
    .enum(['none', 'no-assertion', 'states-differ', 'assertion-fails', 'waits', 'unknown'])
    .describe(
      'only for the verdict not-robust. none: the states that last (where all threads have ended, wait for ever or go round for ever), and the assertions that fail, are those of SC; no-assertion: the assertions that fail are those of SC; states-differ: likewise, and some state that lasts is not one of SC; waits: a thread waits for ever where none does under SC',
    )
    .optional(),
  failure: z
    .object({
      thread: z.string(),
      line: line.describe('of the assertion').optional(),
      oldReads: z.array(count).describe('indices of the events that read old stores'),
      seenOn,
      ...c11GraphParts,
    })
    .describe('an execution in which an assertion fails; only for the effect assertion-fails')
    .optional(),
  wait: z
    .object({
      thread: z.string(),
      line: line.describe('of the access that waits').optional(),
      oldReads: z.array(count).describe('indices of the events that read old stores'),
      seenOn,
      ...c11GraphParts,
    })
    .describe('an execution in which a thread waits for ever; only for the effect waits')
    .optional(),
  claims: z
    .array(
      z.object({
        property: z.string(),
        answer: z.enum(['holds', 'fails', 'unknown']).describe('in the executions of C11'),
        underSC: z.enum(['holds', 'fails']).optional(),
        execution: z
          .object(c11GraphParts)
          .describe('an execution that meets the condition of exists, or not that of finally')
          .optional(),
      }),
    )
    .describe('the properties exists and finally; absent if they were not looked at')
    .optional(),
  assumptions: assumptionsSchema.optional(),
  races: z.enum(['found', 'none', 'not-looked-for']),
  race: z
    .object({
      first: count.describe('index of an access'),
      second: count.describe('index of an access that is not ordered with the first'),
      late: count
        .describe('index of a load that a later store of its thread overtakes; mostly absent')
        .optional(),
      ...c11GraphParts,
    })
    .optional(),
  assertions: z
    .enum(['hold', 'fail', 'unknown', 'none'])
    .describe('hold: in all executions of C11; none: there are none'),
  orders: z
    .array(
      z.object({
        thread: z.string(),
        place: z.string().describe('a line, or a file and a line').optional(),
        access: z.enum(['load', 'store', 'rmw', 'fence']),
        order: z.enum(['plain', 'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst']),
        failure: z
          .enum(['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'])
          .describe('the order of a read-modify-write that stores nothing')
          .optional(),
      }),
    )
    .describe('the accesses and fences of the text with their orders; only of checks against C11')
    .optional(),
  states: count,
  milliseconds: z.number().min(0),
});

const order = z.enum(['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst']);

const level = z.object({
  order,
  failure: order.describe('only of a compare-and-swap: the order if it fails').optional(),
});

export const orderChange = z.object({
  kind: z.enum(['load', 'store', 'rmw', 'cas', 'fence']),
  thread: z.string(),
  lines: z
    .array(line)
    .describe('of the access or fence, or those before which a fence is inserted'),
  from: level.describe('a relaxed fence is none'),
  to: level.describe('a relaxed fence is none'),
  cost: z.number().describe('the cost of the new order less that of the old one'),
});

/** The members of a result from `fence --model c11`. */
export const ordersSchema = z.object({
  model: z.enum(['c11', 'ra']),
  change: z.enum(['raise', 'lower']).describe('lower: weaker orders are looked for'),
  target: z.enum(['armv8', 'power', 'riscv', 'x86']).describe('the machine whose costs count'),
  limit: z.string().describe('what is not supported, if that is the reason').optional(),
  cost: z.number().describe('of all changes together: negative if orders become weaker').optional(),
  bound: z
    .number()
    .describe(
      'all changes that are enough cost at least this: the cost itself, or less if whether cheaper orders are enough is not decided; also of a search that ended early',
    )
    .optional(),
  changes: z.array(orderChange).optional(),
  alone: z
    .array(orderChange)
    .describe('only of lower: the weakest orders of single places, with all others as they are')
    .optional(),
  leftOut: z
    .array(
      z.object({
        line,
        file: z.string().describe('absent for the file itself').optional(),
        why: z.enum(['alone', 'own-cell', 'not-executed', 'not-written']),
      }),
    )
    .describe(
      'the orders of the text that were not asked about: one thread runs alone there; no other thread accesses the cell; the search does not execute the place; the text cannot be changed there',
    )
    .optional(),
  isAloneOpen: z
    .boolean()
    .describe('whether more single places might be weaker: not decided for the assertions')
    .optional(),
  assumptions: assumptionsSchema.optional(),
  checks: count.describe('programs that were checked'),
  clauses: count,
  states: count,
  milliseconds: z.number().min(0),
});
