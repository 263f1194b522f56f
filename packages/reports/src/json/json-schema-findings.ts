// Parts of the documents of `check`, see json-schema.ts.
import { z } from 'zod';

export const count = z.int().min(0);

export const reason = z.enum([
  'states',
  'work',
  'memory',
  'time',
  'cancelled',
  'unsupported',
  'undecided',
  'effort',
  'several-delays',
]);

export const line = z.int().min(1).describe('line, from 1');

export const calls = z
  .array(
    z.object({
      function: z.string(),
      file: z.string().describe('if it is not the file that was read').optional(),
      line: line.optional(),
    }),
  )
  .describe('the calls that it is in, the innermost first, with their lines; only where some');

export const instructionRef = z.object({
  label: z.string().describe('the control location of the instruction, unique in its thread'),
  file: z
    .string()
    .describe('the file of the place, if it is not the file that was read')
    .optional(),
  line: line.optional(),
  calls: calls.optional(),
});

export const faults = z
  .object({
    answer: z.enum(['none', 'found', 'not-looked-for']),
    shownBy: z
      .enum(['instructions', 'closure', 'search'])
      .describe(
        'only for none: no instruction can fault, or not with the values that registers and cells may hold, or all executions were searched',
      )
      .optional(),
  })
  .describe('whether executions end in faults');

export const assumptionsSchema = z
  .array(
    z.object({
      name: z.string().describe('what it is about, such as malloc'),
      text: z.string().describe('a statement'),
    }),
  )
  .describe(
    'what the result takes for granted of what is outside of the text; absent where nothing',
  );

export const vacuous = z
  .object({
    answer: z
      .enum(['none', 'found', 'not-looked-for'])
      .describe('not-looked-for: SC was not explored to its end, or the program is not robust'),
    neverRun: z
      .array(
        instructionRef.extend({ thread: z.string(), access: z.enum(['store', 'load', 'rmw']) }),
      )
      .describe('accesses that no execution runs'),
    neverEnd: z
      .array(z.string())
      .describe('threads whose code has an end that no execution reaches'),
  })
  .describe('what the program says and no execution does');

export const races = z
  .object({
    complete: z.boolean().describe('whether all data races were found'),
    reason: reason.optional(),
    found: z
      .array(
        z.object({
          cell: z.string(),
          accesses: z
            .array(
              instructionRef.extend({
                thread: z.string(),
                access: z.enum(['store', 'load', 'rmw']),
                kind: z.enum(['plain', 'volatile', 'atomic']).optional(),
              }),
            )
            .length(2),
        }),
      )
      .describe('one for each pair of places; the diagnostics FW3010 are one for each variable'),
    freedUses: z
      .array(
        instructionRef.extend({
          thread: z.string(),
          cell: z.string(),
          freedBy: instructionRef.extend({ thread: z.string() }),
          model: z.string().describe('the memory model under which it was found; SC if possible'),
        }),
      )
      .describe('one for each place that uses freed memory; each is a diagnostic FW3011, too'),
    freedUsesComplete: z.boolean().describe('whether all uses of freed memory were found'),
    freedUsesReason: reason.optional(),
  })
  .describe('only of programs in C: accesses that C leaves undefined');

export const cause = z
  .enum(['program', 'tool'])
  .describe('of the verdict error: the program is at fault, or nothing here can decide it');

export const diagnostic = z
  .object({
    code: z.string().regex(/^FW\d{4}$/),
    severity: z.enum(['error', 'warning', 'info']),
    file: z.string().describe('if it is not the file that was read').optional(),
    line: line.optional(),
    column: z.int().min(1).describe('column, from 1, in UTF-16 units').optional(),
    endLine: line.optional(),
    endColumn: z.int().min(1).describe('column behind the last one meant').optional(),
    message: z.string(),
    hint: z.string().optional(),
    related: z
      .object({
        file: z.string().optional(),
        line,
        column: z.int().min(1),
        message: z.string(),
      })
      .describe('another place that it is about')
      .optional(),
  })
  .meta({ id: 'Diagnostic' });
