// What the threads of `--jobs` do.
import type { MessagePort } from 'node:worker_threads';
import type { AttackerPart, Limits, PartOutcome } from '@fencewright/core';
import type { ExitCode } from './exit-codes.js';
import type { FileVerb } from './file-verb.js';
import type { Finding } from './finding.js';
import type { SourceText } from './read-source.js';
import type { Hooks, Settings } from './settings.js';
import type { FromWorker, Order, ToWorker } from './worker-messages.js';

/** A file to run. */
interface FileOrder extends Order {
  readonly verb: FileVerb;
  readonly file: string;
  readonly settings: Settings;
  /** When the work on the file began, in milliseconds since 1970. */
  readonly begun: number;
  /** What the file says, where only the main thread can read it. */
  readonly given?: SourceText;
}

/** Attackers of a program to search. */
interface PartOrder extends Order {
  readonly part: AttackerPart;
  readonly limits: Limits;
}

/** Does something that tells through a port how far it has come, and hears there when to stop. */
async function throughPort<T>(port: MessagePort, work: (hooks: Hooks) => Promise<T>): Promise<T> {
  const cancellation = new AbortController();
  port.on('message', (message: ToWorker) => cancellation.abort(message));
  try {
    return await work({
      signal: cancellation.signal,
      onProgress: (progress: FromWorker) => port.postMessage(progress),
    });
  } finally {
    port.close();
  }
}

/** Runs one file. */
export function runTask({ verb, file, settings, begun, given, port }: FileOrder): Promise<Finding> {
  return throughPort(port, async (hooks) => {
    const { runOnFile } = await import('./run-on-file.js');
    return runOnFile(verb, file, settings, hooks, { begun, ...(given && { given }) });
  });
}

/** A verb that prints by itself. */
interface VerbOrder extends Order {
  readonly verb: 'convert' | 'cover' | 'verifyCertificate';
  readonly args: readonly unknown[];
}

/** Runs a verb that prints by itself; gives the exit code. */
export function runVerb({ verb, args, port }: VerbOrder): Promise<ExitCode> {
  return throughPort(port, async () => {
    const { verbs } = await import('./verbs/verbs.js');
    return (verbs[verb] as (...args: readonly unknown[]) => Promise<ExitCode>)(...args);
  });
}

/** Searches for the attacks of a part of a program. */
export function searchPart({ part, limits, port }: PartOrder): Promise<PartOutcome> {
  return throughPort(port, async (hooks) => {
    const { searchHere } = await import('./search-here.js');
    return searchHere(part, { ...limits, ...hooks });
  });
}
