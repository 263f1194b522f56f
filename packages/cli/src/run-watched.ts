import { quoteName } from '@fencewright/core';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { reasonOfOverrun } from './file-report.js';
import { watchInterrupts } from './interrupt.js';
import { needsThread } from './needs-thread.js';
import { ProgressLine } from './progress.js';
import type { CertificateFinding, CertificateRequest } from './run-on-certificate.js';
import type { NetFinding, NetRequest } from './run-on-net.js';
import type { Hooks, Request } from './run-settings.js';
import type { Wire } from './wire.js';

/**
 * The kinds of work besides questions about programs: for each, the types of its request and of its
 * finding.
 */
export interface Works {
  readonly net: readonly [NetRequest, NetFinding];
  readonly certificate: readonly [CertificateRequest, CertificateFinding];
}

/** Does the work that a request asks for; the code is loaded on demand. */
export async function work<W extends keyof Works>(
  name: W,
  request: Works[W][0],
  hooks: Hooks,
): Promise<Works[W][1]> {
  if (name === 'net')
    return (await import('./run-on-net.js')).runOnNet(request as NetRequest, hooks);
  const { runOnCertificate } = await import('./run-on-certificate.js');
  return runOnCertificate(request as CertificateRequest);
}

/**
 * The finding of a request; or `overrun` if a limit ended the work, which has then been reported to
 * the user.
 */
export type WatchedRun<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'overrun'; readonly exitCode: ExitCode };

/**
 * Does the work in this thread, or, if the work may take long, on a separate thread, which is ended
 * when limits are exceeded. `listens`: the work in this thread reacts to the user's wish to stop.
 */
export async function runWatched<W extends keyof Works>(
  name: W,
  request: Works[W][0] & Pick<Request, 'limits'>,
  files: readonly string[],
  listens: boolean,
): Promise<WatchedRun<Works[W][1]>> {
  const isOnThread = needsThread(files, request);
  if (!isOnThread && !listens) return { kind: 'done', value: await work(name, request, {}) };
  const progress = new ProgressLine(process.stderr);
  const interrupts = watchInterrupts(() => progress.clear());
  const { signal } = interrupts;
  const file = files.at(-1) ?? '';
  const onProgress: NonNullable<Hooks['onProgress']> = (said) => progress.show(file, said);
  try {
    if (!isOnThread)
      return { kind: 'done', value: await work(name, request, { signal, onProgress }) };
    const { WorkThread } = await import('./work-thread.js');
    const { workerScript } = await import('./worker-script.js');
    const thread = new WorkThread(workerScript, files.includes('-'));
    const watch = { limits: request.limits, signal, onProgress };
    const ended = await thread.run<Wire>('runWork', { name, request }, watch);
    await thread.close();
    if (ended.kind === 'done') {
      const { fromWire } = await import('./wire.js');
      return { kind: 'done', value: fromWire(ended.value) as Works[W][1] };
    }
    progress.clear();
    process.stderr.write(`fencewright: ${quoteName(file)}: ${reasonOfOverrun[ended.reason]}\n`);
    return { kind: 'overrun', exitCode: exitCodes.unknown };
  } finally {
    progress.clear();
    interrupts.release();
  }
}
