import {
  type Diagnostic,
  type Model,
  type ProveResult,
  type ProveVerdict,
  quoteName,
  type Templates,
  templatesOf,
} from '@fencewright/core';
import {
  certificateScript,
  type Proof,
  type ProofClaims,
  prove,
  proveReport,
  proveToJson,
  sealCertificate,
} from '@fencewright/core/prove';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { diagnosticsFor, type FileReport } from '../file-report.js';
import type { LoadedFile } from '../load-program.js';
import { missingSolverReport } from '../missing-solver.js';
import { terminalPalette } from '../palette.js';
import type { Hooks, Settings } from '../settings.js';
import { writeWhole } from '../write-whole.js';

const exitCodeOf: Readonly<Record<ProveVerdict['kind'], ExitCode>> = {
  proved: exitCodes.robust,
  'not-robust': exitCodes.notRobust,
  unknown: exitCodes.unknown,
};

/** `prove`: write-atomicity by movers, for unbounded data and any number of copies. */
export async function proveFile(
  loaded: LoadedFile,
  model: Model,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const program = templatesOf(model);
  // Looking for Z3 takes time that no other verb should pay for.
  const { chooseSmtSolver } = await import('@fencewright/core/node');
  const { proof: options = {} } = settings;
  const solver = chooseSmtSolver(settings.solver, settings.limits.maxMemory);
  const missing = missingSolverReport(loaded, solver, settings);
  if (missing) return missing;
  const { file, diagnostics } = loaded;
  try {
    const started = performance.now();
    const { result, questions, claims } = await prove(program, {
      solver,
      limits: { ...settings.limits, ...hooks },
      ...(options.properties && { properties: options.properties }),
      ...(options.infer && { infer: true }),
      onQuestion: (asked) =>
        hooks.onProgress?.({ states: asked, memory: 0, milliseconds: performance.now() - started }),
    });
    const problem = claims && (await writeProof(file, program, claims, questions, options));
    if (problem !== undefined) return failure(file, problem);
    const report = proveReport({ file, program }, result, terminalPalette(settings.colours.stdout));
    const found: readonly Diagnostic[] = result.diagnostics;
    return {
      exitCode: isUnanswered(result.properties)
        ? exitCodes.unknown
        : exitCodeOf[result.verdict.kind],
      stdout: report + (await abstractedProgram(result)),
      stderr: diagnosticsFor(loaded, found, settings),
      json: proveToJson(file, program, result, diagnostics),
      proofRow: { name: program.templates.name, result },
    };
  } finally {
    await solver.close();
  }
}

/** Writes what was asked for of a proof; gives what went wrong. */
async function writeProof(
  file: string,
  program: Templates,
  claims: ProofClaims,
  questions: Proof['questions'],
  { certificate, script }: NonNullable<Settings['proof']>,
): Promise<string | undefined> {
  if (certificate !== undefined) {
    const sealed = await sealCertificate('proof', program, claims);
    const problem = await writeWhole(certificate, `${JSON.stringify(sealed, undefined, 1)}\n`);
    if (problem !== undefined) return problem;
  }
  if (script === undefined) return undefined;
  const head = [`${program.templates.name} (${quoteName(file)})`, 'verdict: proved'];
  return writeWhole(script, certificateScript(questions, head));
}

/** The program with the abstractions that were found, for who wants to go on with it. */
async function abstractedProgram({ abstraction }: ProveResult): Promise<string> {
  if (!abstraction) return '';
  const { printNative } = await import('@fencewright/core/native');
  return `\n${printNative(abstraction)}`;
}

function isUnanswered(properties: readonly { readonly verdict: string }[]): boolean {
  return properties.some(({ verdict }) => verdict === 'unknown');
}

function failure(file: string, message: string): FileReport {
  return {
    exitCode: exitCodes.usage,
    stdout: '',
    stderr: message,
    json: { file, verdict: 'error', cause: 'tool', diagnostics: [] },
  };
}
