// The work of the threads of `--jobs`.
import type { MessagePort } from 'node:worker_threads';
import type { AttackerPart, Limits, PartOutcome } from '@fencewright/core';
import type { ProgramJob } from './batch/answer-job.js';
import type { SourceText } from './read-source.js';
import type { FileHooks, KnownAnswer } from './known-answer.js';
import type { Request } from './run-settings.js';
import type { Works } from './run-watched.js';
import { toWire, type Wire } from './wire.js';
import type { FromWorker, PoolOrder, ToWorker } from './worker-messages.js';

/** An order to answer the question about a file. */
interface FileOrder extends PoolOrder {
  readonly file: string;
  readonly request: Request;
  /** The time at which work on the file began, in milliseconds since 1970. */
  readonly begun: number;
  /** The text of the file, if only the main thread can read the text. */
  readonly given?: SourceText;
}

/** A part of a search for attacks: the program, and the threads to consider as attackers. */
interface PartOrder extends PoolOrder {
  readonly part: AttackerPart;
  readonly limits: Limits;
}

/**
 * The number of milliseconds after which known answers are sent at once. Most files take less time,
 * and encoding an answer costs as much as finding it.
 */
const holdFor = 50;

/**
 * Does work on this thread: sends its progress through a port, and stops the work when the port
 * receives a message. An answer known within the first milliseconds is sent together with the first
 * report of progress, if the work takes that long.
 */
async function throughPort<T>(
  port: MessagePort,
  work: (hooks: FileHooks) => Promise<T>,
): Promise<T> {
  const cancellation = new AbortController();
  const begun = performance.now();
  const say = (message: FromWorker): void => port.postMessage(message);
  let held: KnownAnswer | undefined;
  const sendHeld = (): void => {
    if (held) say({ kind: 'known', wire: toWire(held) });
    held = undefined;
  };
  port.on('message', (message: ToWorker) => cancellation.abort(message));
  try {
    return await work({
      signal: cancellation.signal,
      onProgress: (progress) => {
        sendHeld();
        say({ kind: 'progress', progress });
      },
      onKnown: (known) => {
        held = known;
        if (performance.now() - begun >= holdFor) sendHeld();
      },
    });
  } finally {
    port.close();
  }
}

/** Answers the question about one file; returns the finding, encoded by `toWire`. */
export function runTask({ file, request, begun, given, port }: FileOrder): Promise<Wire> {
  return throughPort(port, async (hooks) => {
    const { runOnFile } = await import('./run-on-file.js');
    return toWire(await runOnFile(file, request, hooks, { begun, ...(given && { given }) }));
  });
}

/** An order to do a job of a batch. */
interface JobOnThread extends PoolOrder {
  readonly job: ProgramJob;
  /** The time at which work on the job began, in milliseconds since 1970. */
  readonly begun: number;
}

/** Does a job of a batch about one program; returns a `JobAnswer`, encoded by `toWire`. */
export function runJob({ job, begun, port }: JobOnThread): Promise<Wire> {
  return throughPort(port, async (hooks) => {
    const { answerJob } = await import('./batch/answer-job.js');
    return toWire(await answerJob(job, begun, hooks));
  });
}

/** An order for work other than a question about a program. */
interface WorkOrder<W extends keyof Works> extends PoolOrder {
  readonly name: W;
  readonly request: Works[W][0];
}

/** Does work other than a question about a program; returns the finding, encoded by `toWire`. */
export function runWork<W extends keyof Works>({
  name,
  request,
  port,
}: WorkOrder<W>): Promise<Wire> {
  return throughPort(port, async (hooks) => {
    const { work } = await import('./run-watched.js');
    return toWire(await work(name, request, hooks));
  });
}

/** Searches for the attacks of a part of a program. */
export function searchPartInWorker({ part, limits, port }: PartOrder): Promise<PartOutcome> {
  return throughPort(port, async ({ onKnown: _, ...hooks }) => {
    const { searchHere } = await import('./search-here.js');
    return searchHere(part, { ...limits, ...hooks });
  });
}
