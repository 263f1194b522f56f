import { createReadStream } from 'node:fs';
import { filesIn, type Sought } from '../files-in.js';
import type { BatchValues } from '../options/batch.js';
import type { JobSubject } from './plan-job.js';
import { randomSubjects } from './random-subjects.js';

/**
 * Yields the file names in an input: one in each line; if the input has zero bytes, these separate
 * the names instead, and names may contain line ends.
 */
export async function* namesIn(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let end: '\0' | '\n' | undefined;
  let rest = '';
  for await (const bytes of input) {
    rest += decoder.decode(bytes, { stream: true });
    end ??= rest.includes('\0') ? '\0' : rest.includes('\n') ? '\n' : undefined;
    if (end === undefined) continue;
    const names = rest.split(end);
    rest = names.pop()!;
    yield* names.map((name) => nameOfLine(name, end)).filter((name) => name !== '');
  }
  const last = nameOfLine(rest, end);
  if (last !== '') yield last;
}

const nameOfLine = (line: string, end: string | undefined): string =>
  end === '\0' ? line : line.replace(/\r$/, '');

/** Yields the files and random programs of a batch. */
export async function* subjectsOf(
  operands: readonly string[],
  { fromList, random, generator }: Pick<BatchValues, 'fromList' | 'random' | 'generator'>,
  sought: Sought,
): AsyncGenerator<JobSubject> {
  if (random) yield* randomSubjects(generator, random);
  yield* filesIn(operands, sought);
  if (fromList === undefined) return;
  const input = fromList === '-' ? process.stdin : createReadStream(fromList);
  for await (const name of namesIn(input as AsyncIterable<Buffer>)) yield* filesIn([name], sought);
}
