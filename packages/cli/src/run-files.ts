import { isReportPiped } from './ci-options.js';
import {
  benchTable,
  type BenchRow,
  type JsonDocument,
  jsonFormatVersion,
  type ProofRow,
} from '@fencewright/core';
import type { CiFindings } from './ci-findings.js';
import { type ExitCode, exitCodes, worstOf } from './exit-codes.js';
import type { FileReport } from './file-report.js';
import type { FileVerb } from './file-verb.js';
import type { Finding } from './finding.js';
import { watchInterrupts } from './interrupt.js';
import { terminalPalette } from './palette.js';
import { taskNeedsThread } from './needs-thread.js';
import { ProgressLine } from './progress.js';
import { type FileTask, runHere } from './run-here.js';
import { reportOn } from './report-on.js';
import type { Settings } from './settings.js';
import { version } from './version.js';

/** Runs one file here, unless it is nested so deeply that it takes the larger stack of a thread. */
async function runShallow(file: string, task: FileTask): Promise<Finding> {
  const finding = await runHere(file, task);
  if (finding.kind !== 'too-deep') return finding;
  const { runInWorkers } = await import('./run-in-workers.js');
  return (await runInWorkers([file], task, 1)[0]) ?? finding;
}

/** What is found out, in the order of the files, each as soon as it and what was before it is there. */
async function* findingsOf(
  files: readonly string[],
  task: FileTask,
  jobs: number,
): AsyncGenerator<Finding> {
  if ((jobs > 1 && files.length > 1) || taskNeedsThread(files, task)) {
    const { runInWorkers } = await import('./run-in-workers.js');
    yield* runInWorkers(files, task, files.length > 1 ? jobs : 1);
    return;
  }
  for (const file of files)
    yield task.signal.aborted ? { kind: 'cancelled' } : await runShallow(file, task);
}

/** The reports on it. */
async function* reportsOf(
  files: readonly string[],
  task: FileTask,
  jobs: number,
): AsyncGenerator<FileReport> {
  let next = 0;
  for await (const finding of findingsOf(files, task, jobs))
    yield reportOn(task.verb, files[next++] ?? '', finding, task.settings);
}

/** The same for each of the instances that were asked for. */
async function* reportsOfInstances(
  files: readonly string[],
  task: FileTask,
  jobs: number,
): AsyncGenerator<FileReport> {
  const { instances } = task.settings;
  if (!instances) {
    yield* reportsOf(files, task, jobs);
    return;
  }
  const told = new Set<string>();
  for (const copies of instances) {
    const settings = { ...task.settings, copies };
    for await (const report of reportsOf(files, { ...task, settings }, jobs)) {
      // Messages about the file are the same for each of its instances: once is enough.
      yield told.has(report.stderr) ? { ...report, stderr: '' } : report;
      told.add(report.stderr);
    }
  }
}

function documentOf(verb: FileVerb, results: readonly FileReport['json'][]): JsonDocument {
  const head = { tool: 'fencewright' as const, version, formatVersion: jsonFormatVersion } as const;
  // The results are those of the verb: `reportOn` made them.
  return { ...head, command: verb, results } as JsonDocument;
}

/** Runs a verb on files, prints what comes out, and gives the exit code of the whole. */
export async function runFiles(
  verb: FileVerb,
  files: readonly string[],
  settings: Settings,
  jobs: number,
): Promise<ExitCode> {
  const progress = new ProgressLine(process.stderr);
  const interrupts = watchInterrupts(() => {
    progress.clear();
    if (process.stderr.isTTY)
      process.stderr.write('stopping; press Ctrl-C again to leave at once\n');
  });
  if (settings.engine === 'spin') {
    // For a second Ctrl-C, which nothing waits for.
    const { removeSpinLeftovers } = await import('@fencewright/core/node');
    process.once('exit', removeSpinLeftovers);
  }
  const task: FileTask = {
    verb,
    // Either files run side by side, or the searches of the one file.
    settings: { ...settings, queryJobs: files.length === 1 ? jobs : 1 },
    signal: interrupts.signal,
    onProgress: (file, { states, memory, milliseconds }) =>
      progress.show(file, { states, memory, milliseconds }),
  };
  const codes: ExitCode[] = [];
  const findings: CiFindings[] = [];
  const results: FileReport['json'][] = [];
  const rows: BenchRow[] = [];
  const proofs: ProofRow[] = [];
  let printed = false;
  const text = settings.ci && isReportPiped(settings.ci) ? process.stderr : process.stdout;
  for await (const report of reportsOfInstances(files, task, jobs)) {
    progress.clear();
    codes.push(report.exitCode);
    results.push(report.json);
    if (report.ci) findings.push(report.ci);
    if (report.row) rows.push(report.row);
    const { row, proofRow = row && { name: row.name, failure: row.failure ?? '' } } = report;
    if (proofRow) proofs.push(proofRow);
    process.stderr.write(report.stderr);
    if (settings.json || report.stdout === '') continue;
    if (verb !== 'bench') text.write((printed ? '\n' : '') + report.stdout);
    printed = true;
  }
  interrupts.release();
  if (settings.json)
    process.stdout.write(
      `${JSON.stringify(documentOf(settings.suite === 'reduction' ? 'prove' : verb, results), null, 2)}\n`,
    );
  else if (verb === 'bench') {
    const palette = terminalPalette(settings.colours.stdout);
    const table =
      settings.suite === 'reduction'
        ? (await import('@fencewright/core/prove')).proofTable(proofs, palette)
        : benchTable(rows, palette);
    process.stdout.write(table);
  }
  const failed = settings.ci
    ? await (await import('./ci-reports.js')).writeCiReports(settings.ci, findings)
    : [];
  process.stderr.write(failed.join(''));
  return worstOf(failed.length > 0 ? [...codes, exitCodes.usage] : codes);
}
