import {
  type JsonDocument,
  jsonFormatVersion,
  type Question,
  type Result,
  type ResultOf,
} from '@fencewright/core';
import { type ExitCode, exitCodes, worstOf } from './exit-codes.js';
import type { PrintedReport } from './file-report.js';
import type { FileFinding } from './finding.js';
import { type Interrupts, watchInterrupts } from './interrupt.js';
import type { ValuesOf } from './options/declare.js';
import type { KnownAnswer } from './known-answer.js';
import { withPathsOfPages } from './manual-folder.js';
import { taskNeedsThread } from './needs-thread.js';
import { ProgressLine } from './progress.js';
import { type FileTask, runHere } from './run-here.js';
import { type Asking, reportOn } from './report-on.js';
import type { Request } from './run-settings.js';
import { type Settings, settingsOf } from './settings.js';
import type { FileOptions, FileVerb } from './verb.js';
import { version } from './version.js';

/**
 * Works on one file in this thread. A file nested too deeply gets a new thread with a larger stack.
 */
async function runShallow(file: string, task: FileTask): Promise<FileFinding> {
  const finding = await runHere(file, task);
  if (finding.kind !== 'too-deep') return finding;
  const { runInWorkers } = await import('./run-in-workers.js');
  return (await runInWorkers([file], task, 1)[0]) ?? finding;
}

/**
 * Yields the findings about all files, in the order of the files; each finding as soon as all
 * earlier ones are there.
 */
async function* findingsOf(
  files: readonly string[],
  task: FileTask,
  jobs: number,
): AsyncGenerator<FileFinding> {
  if ((jobs > 1 && files.length > 1) || taskNeedsThread(files, task)) {
    const { runInWorkers } = await import('./run-in-workers.js');
    yield* runInWorkers(files, task, files.length > 1 ? jobs : 1);
    return;
  }
  for (const file of files)
    yield task.signal.aborted ? { kind: 'cancelled' } : await runShallow(file, task);
}

/** Yields a report on each finding. */
async function* reportsOf<O extends FileOptions, K extends Result['kind']>(
  files: readonly string[],
  asking: Asking<O, K>,
  task: FileTask,
  jobs: number,
): AsyncGenerator<PrintedReport> {
  let next = 0;
  for await (const finding of findingsOf(files, task, jobs))
    yield reportOn(asking, files[next++] ?? '', finding);
}

/** Yields the reports for each of the requested instances. */
async function* reportsOfInstances<O extends FileOptions, K extends Result['kind']>(
  files: readonly string[],
  asking: Asking<O, K>,
  task: FileTask,
  { jobs, instances }: Pick<Settings, 'jobs' | 'instances'>,
): AsyncGenerator<PrintedReport> {
  if (!instances) {
    yield* reportsOf(files, asking, task, jobs);
    return;
  }
  const told = new Set<string>();
  for (const copies of instances) {
    const request = { ...task.request, copies };
    const run = { ...asking.run, copies };
    for await (const report of reportsOf(files, { ...asking, run }, { ...task, request }, jobs)) {
      // Messages about the file are equal for all instances, and are printed once.
      yield told.has(report.stderr) ? { ...report, stderr: '' } : report;
      told.add(report.stderr);
    }
  }
}

function documentOf(command: string, reports: readonly PrintedReport[]): JsonDocument {
  const head = { tool: 'fencewright' as const, version, formatVersion: jsonFormatVersion } as const;
  // The verb made the results, so their types fit.
  return { ...head, command, results: reports.map(({ json }) => json) } as JsonDocument;
}

/**
 * Starts to handle stop signals. With `isDeaf`, does nothing: such a run only prints texts, and
 * ends too soon to be stopped.
 */
function interruptsOf(isDeaf: boolean, progress: ProgressLine): Interrupts {
  if (isDeaf) return { signal: new AbortController().signal, release: () => undefined };
  return watchInterrupts(() => {
    progress.clear();
    if (process.stderr.isTTY)
      process.stderr.write('stopping; press Ctrl-C again to leave at once\n');
  });
}

async function sweepAfter(question: Question): Promise<void> {
  if (!('engine' in question) || question.engine !== 'spin') return;
  // After a second Ctrl-C the process ends without waiting.
  const { removeSpinLeftovers } = await import('@fencewright/core/node');
  process.once('exit', removeSpinLeftovers);
}

/** Runs a verb on files, prints the reports, and returns the exit status of the whole run. */
export async function runFiles<O extends FileOptions, K extends Result['kind']>(
  verb: FileVerb<O, K>,
  files: readonly string[],
  values: ValuesOf<O>,
): Promise<ExitCode> {
  const isPiped = verb.takesStdout?.(values) ?? false;
  const { quiet: isQuiet = false } = values as { readonly quiet?: true };
  const asksForStdout = Object.values(values).includes('-');
  const settings = settingsOf(values, isPiped);
  const request: Request = { ...settings.given, ...verb.request(values, files) };
  const asking = { verb, values, run: settings.run };
  const progress = new ProgressLine(process.stderr);
  const isDeaf = verb.makesText === true && !taskNeedsThread(files, { request });
  const interrupts = interruptsOf(isDeaf, progress);
  await sweepAfter(request.question);
  const { signal } = interrupts;
  const text = isPiped ? process.stderr : process.stdout;
  const announce = ({ isFinal, result }: KnownAnswer): void => {
    const said = isFinal ? verb.announce?.(result as ResultOf<K>) : undefined;
    if (said !== undefined) progress.note(said);
  };
  const isAlone = files.length === 1 && !settings.instances && !settings.run.json && !isQuiet;
  const announces = isAlone && progress.isSeen && verb.announce !== undefined;
  const task: FileTask = {
    ...{ request, signal, onProgress: (...said) => progress.show(...said) },
    ...(announces && { onKnown: (_, known) => announce(known) }),
  };
  const reports: PrintedReport[] = [];
  let printed = false;
  for await (const report of reportsOfInstances(files, asking, task, settings)) {
    progress.clear();
    // Printed text is not kept.
    reports.push({ ...report, stdout: '', stderr: '' });
    const isUnasked = isQuiet && (isPiped || !asksForStdout);
    const isPrinted = !settings.run.json && report.stdout !== '';
    // The answer comes first; messages follow it.
    if (isPrinted && !verb.isSilent && !isUnasked)
      text.write((printed ? '\n' : '') + report.stdout);
    process.stderr.write(withPathsOfPages(report.stderr));
    printed ||= isPrinted;
  }
  interrupts.release();
  if (settings.run.json) {
    const document = documentOf(verb.documentOf?.(values) ?? verb.name, reports);
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  }
  const { stdout = '', failed = [] } = (await verb.conclude?.(reports, settings.run, values)) ?? {};
  if (!isQuiet || asksForStdout) process.stdout.write(stdout);
  process.stderr.write(failed.join(''));
  const codes = reports.map(({ exitCode }) => exitCode);
  return worstOf(failed.length > 0 ? [...codes, exitCodes.usage] : codes);
}
