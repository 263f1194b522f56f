import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { filesIn, type Sought } from '../files-in.js';
import type { BatchValues } from '../options/batch.js';
import type { Naming, Subject } from './plan-job.js';
import { randomSubjects } from './random-subjects.js';

/** Names of files, one a line; between zero bytes where there are some. */
async function* namesIn(file: string): AsyncGenerator<string> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  for await (const line of createInterface({ input, crlfDelay: Infinity }))
    for (const name of line.split('\0')) if (name !== '') yield name;
}

/** What folders are searched for. */
export function soughtOf({ from, formats }: Naming): Sought {
  return { ...(from && { formats: [from] }), ...(formats && { extensions: formats }) };
}

/** What a batch looks at; nobody has counted it. */
export async function* subjectsOf(
  operands: readonly string[],
  { fromList, random, generator }: Pick<BatchValues, 'fromList' | 'random' | 'generator'>,
  naming: Naming,
): AsyncGenerator<Subject> {
  if (random) yield* randomSubjects(generator, random);
  const sought = soughtOf(naming);
  yield* filesIn(operands, sought);
  if (fromList === undefined) return;
  for await (const name of namesIn(fromList)) yield* filesIn([name], sought);
}
