// Computations of threads, see json-schema.ts.
import { z } from 'zod';
import { calls, count, line } from './json-schema-findings.js';

/** The JSON schema of a value; 64-bit values that JavaScript would round are strings of digits. */
export const value = z.union([z.int(), z.string().regex(/^-?[0-9]+$/)]);

export const step = z
  .object({
    thread: z.string(),
    action: z.enum([
      'issue',
      'store',
      'load',
      'rmw',
      'local',
      'fence',
      'heavy-fence',
      'lock',
      'unlock',
    ]),
    label: z.string(),
    file: z.string().describe('if it is not the file that was read').optional(),
    line: line.optional(),
    address: z.string().describe('the memory cell as the program names it').optional(),
    value: value.describe('the value stored, loaded, or for an rmw read').optional(),
    written: value.describe('the value that an rmw writes').optional(),
    early: z.boolean().describe('whether a load read from its own store buffer').optional(),
    instruction: z.string().describe("the instruction in C's notation"),
    calls: calls.optional(),
  })
  .meta({ id: 'Step' });

export const machineState = z
  .object({
    buffers: z
      .record(z.string(), z.array(z.object({ address: z.string(), value })))
      .describe('by thread: the stores on their way to memory, oldest first'),
    memory: z
      .record(z.string(), value)
      .describe('by cell; only cells that the computation accesses'),
  })
  .meta({ id: 'MachineState' });

const attack = z.object({ thread: z.string(), store: z.string(), load: z.string() });

export const witness = z
  .object({
    attack,
    others: z
      .array(attack)
      .describe('what further threads delay, if no single thread breaks the program: heavy fences')
      .optional(),
    computation: z.array(step).describe('a TSO computation from the initial state'),
    cycle: z
      .array(
        z.object({
          from: count,
          to: count,
          relation: z.enum(['po', 'st', 'src', 'cf', 'lock']),
        }),
      )
      .describe('a cycle of happens-before; from and to are indices into the computation'),
    delays: count.describe(
      'for each store, the actions of its thread between issue and store; their sum',
    ),
    fewestDelays: z
      .boolean()
      .describe(
        'whether no violation has fewer delays, if the fewest were asked for; false if unknown',
      )
      .optional(),
    states: z
      .array(machineState)
      .describe('explain only: the initial state, then the state after each step')
      .optional(),
  })
  .meta({ id: 'Witness' });
