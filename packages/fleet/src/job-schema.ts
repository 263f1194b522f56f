import { z } from 'zod';

const text = z.string().max(64 * 1024 * 1024);
const key = z.string().regex(/^[0-9a-f]{64}$/);
/** Checks a plain name: no folder, and no beginning of an option. */
const plainName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.:-]*$/);

const copies = z.record(z.string(), z.number().int().nonnegative());

const textOrder = z.strictObject({
  key,
  file: plainName,
  format: z.string(),
  given: z.strictObject({ kind: z.literal('text'), text }),
  copies: copies.optional(),
});

const randomOrder = z.strictObject({
  key,
  file: plainName,
  random: z.strictObject({
    generator: z.string(),
    first: z.number().int().nonnegative(),
    count: z.number().int().positive().max(10_000),
  }),
});

/**
 * The form of a transported job: a question with options, and a text or the seeds of random
 * programs.
 */
const jobSchema = z.strictObject({
  form: z.literal(1),
  settings: z.strictObject({
    verb: z.string(),
    values: z.record(z.string(), z.unknown()),
    ci: z.boolean(),
    witnesses: z.boolean(),
  }),
  order: z.union([textOrder, randomOrder]),
});

/** A job in transport; plain data without file names. */
export type QueuedJob = z.infer<typeof jobSchema>;

/** Reads data as a job, or returns the error in a line. */
export function readJob(data: unknown): QueuedJob | { readonly wrong: string } {
  const read = jobSchema.safeParse(data);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  return { wrong: `${first?.path.join('.') ?? ''}: ${first?.message ?? ''}`.slice(0, 200) };
}
