import type { FileFinding } from './finding.js';
import { type EarlyEnd, type KnownAnswer, withKnown } from './known-answer.js';
import { toFailure } from './internal-error.js';
import { readStandardInput, type SourceText } from './read-source.js';
import type { FileTask } from './run-here.js';
import { workerScript } from './worker-script.js';
import { fromWire, type Wire } from './wire.js';
import { type WorkEnd, type Watch, WorkThread } from './work-thread.js';

/** The text of a file, if known, and the time that a cancelled search has to end by itself. */
interface OnThread {
  readonly given?: SourceText;
  readonly graceAfterCancel?: Watch['graceAfterCancel'];
}

/** An order for work on a file. */
interface FileWork extends Readonly<Record<string, unknown>> {
  readonly file: string;
  /** The time at which work on the file began, in milliseconds since 1970. */
  readonly begun: number;
}

/** The end of the work on a file, and a function that returns the last answer known by then. */
interface ThreadEnd<T> {
  readonly finding: T | EarlyEnd;
  readonly known: () => KnownAnswer | undefined;
}

/**
 * Makes a thread call the function `name` of the script of threads with an order about a file. If
 * the thread dies, the finding says so.
 */
export async function workOnThread<T>(
  thread: WorkThread,
  name: 'runTask' | 'runJob',
  order: FileWork,
  limits: Watch['limits'],
  {
    signal,
    onProgress,
    onKnown,
    graceAfterCancel,
  }: Omit<FileTask, 'request'> & Pick<OnThread, 'graceAfterCancel'>,
): Promise<ThreadEnd<T>> {
  const { file, begun } = order;
  let wire: Wire | undefined;
  const known = (): KnownAnswer | undefined =>
    wire === undefined ? undefined : (fromWire(wire) as KnownAnswer);
  try {
    const ended: WorkEnd<Wire> = await thread.run(name, order, {
      limits,
      signal,
      onProgress: (progress) => onProgress(file, progress),
      onKnown: (said) => {
        wire = said;
        onKnown?.(file, known()!);
      },
      spent: Date.now() - begun,
      ...(graceAfterCancel !== undefined && { graceAfterCancel }),
    });
    return { finding: ended.kind === 'done' ? (fromWire(ended.value) as T) : ended, known };
  } catch (error) {
    return { finding: { kind: 'failed', failure: toFailure(error) }, known };
  }
}

/**
 * Answers the question about one file on a separate thread. If the thread dies, the finding says
 * so.
 */
export async function findOnThread(
  thread: WorkThread,
  file: string,
  task: FileTask,
  { given, ...more }: OnThread = {},
): Promise<FileFinding> {
  const begun = Date.now();
  const { request, signal } = task;
  const { limits, question } = request;
  if (file === '-') {
    const read = await readStandardInput({ ...limits, signal });
    if (read.kind === 'stopped') return { kind: 'overrun', reason: read.reason };
    given = read;
  }
  const order = { file, request, begun, given };
  const end = await workOnThread<FileFinding>(thread, 'runTask', order, limits, {
    ...task,
    ...more,
  });
  return withKnown(end.finding, end.known, question);
}

/**
 * Works on the files on `jobs` threads; returns a promise of the finding for each file, in order.
 */
export function runInWorkers(
  files: readonly string[],
  task: FileTask,
  jobs: number,
  script = workerScript,
): Promise<FileFinding>[] {
  const settle: ((finding: FileFinding) => void)[] = [];
  const findings = files.map(
    (_, i) => new Promise<FileFinding>((resolve) => (settle[i] = resolve)),
  );
  let next = 0;
  const lane = async (): Promise<void> => {
    const thread = new WorkThread(script);
    for (let i = next++; i < files.length; i = next++) {
      const file = files[i]!;
      settle[i]?.(
        task.signal.aborted ? { kind: 'cancelled' } : await findOnThread(thread, file, task),
      );
    }
    await thread.close();
  };
  for (let i = Math.min(jobs, files.length); i > 0; i--) void lane();
  return findings;
}
