import { quoteName } from '@fencewright/core';
import type { Actions } from './command-line.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { reasonOfOverrun } from './file-report.js';
import { needsThread } from './needs-thread.js';

type Verb = keyof Omit<Actions, 'files'>;

/** Runs a verb that prints by itself; on a thread of its own, which is ended when it does not keep to its limits, where that may be needed. */
export async function runWatched<V extends Verb>(
  verb: V,
  files: readonly string[],
  args: Parameters<Actions[V]>,
): Promise<ExitCode> {
  const { limits } = args.at(-1) as Parameters<Actions['convert']>[1];
  if (!needsThread(files, limits)) {
    const { verbs } = await import('./verbs/verbs.js');
    return (verbs[verb] as (...args: Parameters<Actions[V]>) => Promise<ExitCode>)(...args);
  }
  const { WorkThread } = await import('./work-thread.js');
  const { watchInterrupts } = await import('./interrupt.js');
  const { workerScript } = await import('./run-on-thread.js');
  const thread = new WorkThread(workerScript, files.includes('-'));
  const interrupts = watchInterrupts(() => undefined);
  const watch = { limits, signal: interrupts.signal };
  const ended = await thread.run<ExitCode>('runVerb', { verb, args }, watch);
  await thread.close();
  interrupts.release();
  if (ended.kind === 'done') return ended.value;
  const file = quoteName(files.at(-1) ?? '');
  process.stderr.write(`fencewright: ${file}: ${reasonOfOverrun[ended.reason]}\n`);
  return exitCodes.unknown;
}
