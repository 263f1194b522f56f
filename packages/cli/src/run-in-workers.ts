import type { FileFinding } from './finding.js';
import { type KnownAnswer, withKnown } from './known-answer.js';
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

/**
 * Answers the question about one file on a separate thread. If the thread dies, the finding says
 * so.
 */
export async function findOnThread(
  thread: WorkThread,
  file: string,
  { request, signal, onProgress, onKnown }: FileTask,
  { given, graceAfterCancel }: OnThread = {},
): Promise<FileFinding> {
  const begun = Date.now();
  let wire: Wire | undefined;
  const known = (): KnownAnswer | undefined =>
    wire === undefined ? undefined : (fromWire(wire) as KnownAnswer);
  const { question } = request;
  try {
    if (file === '-') {
      const read = await readStandardInput({ ...request.limits, signal });
      if (read.kind === 'stopped') return { kind: 'overrun', reason: read.reason };
      given = read;
    }
    const ended: WorkEnd<Wire> = await thread.run(
      'runTask',
      { file, request, begun, given },
      {
        limits: request.limits,
        signal,
        onProgress: (progress) => onProgress(file, progress),
        onKnown: (said) => {
          wire = said;
          onKnown?.(file, known()!);
        },
        spent: Date.now() - begun,
        ...(graceAfterCancel !== undefined && { graceAfterCancel }),
      },
    );
    const finding = ended.kind === 'done' ? (fromWire(ended.value) as FileFinding) : ended;
    return await withKnown(finding, known, question);
  } catch (error) {
    return withKnown({ kind: 'failed', failure: toFailure(error) }, known, question);
  }
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
