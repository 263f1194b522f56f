import {
  check,
  type CheckResult,
  type HappensBefore,
  type Model,
  finiteProgram,
  type Program,
  type ProveResult,
  type Templates,
  templatesOf,
} from '@fencewright/core';
import { prove, proveReport } from '@fencewright/core/prove';
import { exitCodes } from '../exit-codes.js';
import type { FileReport } from '../file-report.js';
import type { LoadedFile } from '../load-program.js';
import { missingSolverReport } from '../missing-solver.js';
import { terminalPalette } from '../palette.js';
import type { Hooks, Settings } from '../settings.js';
import { checkFile } from './check.js';

/** Milliseconds for Horn clauses where the user has set no limit. */
const hornTimeout = 20_000;

/** What settled a question that the search left open. */
type Settlement =
  | { readonly by: 'proof'; readonly result: ProveResult; readonly isRobust: boolean }
  | { readonly by: 'horn-clauses'; readonly result: CheckResult };

/** `check --prove`: a search, and a proof where it has no answer or does not know such programs. */
export async function checkOrProve(
  loaded: LoadedFile,
  model: Model,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const { file, source = '', format = 'native' } = loaded;
  const open = templatesOf(model);
  if (model.kind === 'open') {
    const json = { file, program: open.templates.name, verdict: 'unknown' as const };
    const nothing = { exitCode: exitCodes.unknown, stdout: '', stderr: '' };
    const report = { ...nothing, json: { ...json, diagnostics: [] } };
    return await settleByProof(loaded, open, report, settings, hooks);
  }
  const subject = { ...loaded, model, program: open.templates, source, format };
  const report = await checkFile(subject, settings, hooks);
  if (report.exitCode !== exitCodes.unknown || hooks.signal?.aborted) return report;
  return await settleByProof(loaded, open, report, settings, hooks);
}

/**
 * Where the search ended without an answer or could not start: tries movers with inferred abstractions, then Horn clauses. `report` is
 * what the search has to say; a proof that answers the question is put in its place.
 */
async function settleByProof(
  loaded: LoadedFile,
  open: Templates,
  report: FileReport,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const { chooseSmtSolver } = await import('@fencewright/core/node');
  const solver = chooseSmtSolver(settings.solver, settings.limits.maxMemory);
  const missing = missingSolverReport(loaded, solver, settings);
  if (missing) return missing;
  const settlement = await settle(open, finiteProgram(loaded.model), solver, settings, hooks);
  const palette = terminalPalette(settings.colours.stdout);
  if (settlement.by === 'horn-clauses')
    return {
      ...report,
      exitCode: exitCodes.robust,
      stdout: `${report.stdout}\n${palette.good('Horn clauses')} settle it: robust (standard happens-before)\n`,
      json: { ...answered(report), happensBefore: 'standard', settledBy: 'horn-clauses' },
    };
  const { result, isRobust } = settlement;
  const text = proveReport({ file: loaded.file, program: open }, result, palette);
  const heading = isRobust
    ? `${palette.good('A proof')} settles it:`
    : 'A proof does not settle it:';
  const stdout = `${report.stdout}${report.stdout === '' ? '' : '\n'}${heading}\n${text}`;
  if (!isRobust) return { ...report, exitCode: exitCodes.unknown, stdout };
  return {
    ...report,
    exitCode: exitCodes.robust,
    stdout,
    json: { ...answered(report), happensBefore: settings.notion, settledBy: 'proof' },
  };
}

function answered({ json }: FileReport): FileReport['json'] {
  const { file, diagnostics } = json;
  const program = json.program === undefined ? {} : { program: json.program };
  return { file, ...program, verdict: 'robust', diagnostics };
}

async function settle(
  open: Templates,
  program: Program | undefined,
  solver: Parameters<typeof prove>[1]['solver'],
  { notion, limits }: Settings,
  hooks: Hooks,
): Promise<Settlement> {
  const all = { ...limits, ...hooks };
  try {
    const { result } = await prove(open, {
      solver,
      limits: all,
      searchInstances: false,
      infer: true,
    });
    const isRobust = answers(result, notion);
    if (isRobust || !program) return { by: 'proof', result, isRobust };
    const { timeout = hornTimeout } = limits;
    const horn = await check(program, {
      engine: 'chc',
      smtSolver: solver,
      limits: { ...all, timeout },
    });
    // Robust in the standard notion is robust by values, too.
    if (horn.verdict.kind === 'robust') return { by: 'horn-clauses', result: horn };
    return { by: 'proof', result, isRobust };
  } finally {
    await solver.close();
  }
}

/** Whether the proof is one of robustness, in the notion that was asked for. */
function answers({ verdict }: ProveResult, notion: HappensBefore): boolean {
  return (
    verdict.kind === 'proved' &&
    verdict.conclusion.kind === 'robust' &&
    (notion === 'value' || verdict.conclusion.notion === 'standard')
  );
}
