import path from 'node:path';
import {
  allAssertions,
  anyNumberRefused,
  Budget,
  type CostModel,
  fence,
  type FenceFindings,
  type FenceOptions,
  fenceParameterized,
  fenceReport,
  type FenceResult,
  fenceToJson,
  type FenceVerdict,
  type HappensBefore,
  type Limits,
  type LocationId,
  printableLine,
  quoteName,
  reasonInWords,
  sizeCosts,
  type ThreadId,
  unifiedDiff,
  type UnknownReason,
} from '@fencewright/core';
import { costModelOf, type CostsRead } from '../cost-model.js';
import { editSource, type EditedSource } from '../edit-source.js';
import { type ExitCode, exitCodes, worstOf } from '../exit-codes.js';
import { diagnosticsFor, type FileReport, inputErrorReport } from '../file-report.js';
import type { InputFormat } from '../formats.js';
import { findPropertyProblems } from '../named-properties.js';
import { terminalPalette } from '../palette.js';
import type { FenceSettings, Hooks, Settings } from '../settings.js';
import { type TextEditor, textEditorOf } from '../text-editor.js';
import { type ReadText, writeWhole } from '../write-whole.js';
import type { CheckableFile } from '../load-program.js';

const exitCodeOf: Readonly<Record<FenceVerdict['kind'], ExitCode>> = {
  found: exitCodes.robust,
  impossible: exitCodes.notRobust,
  'property-fails': exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

/** The options of `fence` mean this where nobody gave them. */
const defaults: FenceSettings = { mode: 'fence', costs: { kind: 'size' } };

/** What `fence` and its variant for any number of threads have in common. */
interface Answer extends FenceResult {
  readonly certificate?: object;
  readonly uncertified?: UnknownReason;
}

/** What is to be said of an answer, and the program with the fences in it. */
interface Outcome {
  readonly answer: Answer;
  readonly edited?: EditedSource;
}

/** The verdict can only be taken back, where the limits did not allow to check the edited text. */
function withEdit(answer: Answer, edited: EditedSource): Outcome {
  const { verdict, certificate: _, ...rest } = answer;
  if (edited.kind !== 'unknown' || verdict.kind !== 'found') return { answer, edited };
  const unknown = { kind: 'unknown', reason: edited.reason, bound: verdict.cost } as const;
  return { answer: { ...rest, verdict: unknown } };
}

/** What is asked for instead of robustness. */
function askedFor({
  properties,
}: FenceSettings): Pick<FenceOptions, 'properties' | 'assertions'> | undefined {
  return (
    properties && {
      properties: properties.filter((name) => name !== allAssertions),
      assertions: properties.includes(allAssertions),
    }
  );
}

async function solve(
  { program, model, source }: CheckableFile,
  format: InputFormat,
  editor: TextEditor,
  costs: CostModel,
  settings: FenceSettings,
  notion: HappensBefore,
  limitsLeft: () => Limits,
): Promise<Outcome> {
  const { mode } = settings;
  const certify = settings.certificate !== undefined;
  const asked = askedFor(settings);
  const options = {
    mode,
    costs,
    canFence: (thread: ThreadId, location: LocationId) =>
      editor.placesOf(thread, location).length > 0,
    notion,
    limits: limitsLeft(),
  };
  const answer: Answer =
    model.kind === 'unbounded'
      ? await fenceParameterized(model, { ...options, certify })
      : await fence(program, { ...options, ...asked });
  const { verdict } = answer;
  if (verdict.kind !== 'found') return { answer };
  const isChanged = mode.startsWith('minimise')
    ? verdict.removable.length > 0
    : verdict.repairs.length > 0;
  if (!isChanged)
    return { answer, edited: { kind: 'text', text: source, chosenPlaces: () => undefined } };
  const goal = { notion, limits: limitsLeft, ...(asked && { asked }) };
  return withEdit(answer, await editSource(format, editor, verdict, goal));
}

/** Where the fences of a location came to stand. */
function placesIn(editor: TextEditor, edited: EditedSource | undefined): FenceFindings['placesOf'] {
  return (thread, location) => {
    const places = editor.placesOf(thread, location);
    const chosen = edited?.kind === 'text' ? edited.chosenPlaces(thread, location) : undefined;
    return chosen ? chosen.flatMap((index) => places[index] ?? []) : places;
  };
}

/** Writes what was asked for; gives the lines that say so, and those that say what failed. */
async function writeFiles(
  { answer, edited }: Outcome,
  { output, certificate }: FenceSettings,
  read: ReadText,
  mark: string,
): Promise<{
  readonly done: string[];
  readonly failed: string[];
  /** What there is not, although there is an answer. */
  readonly missing: string[];
}> {
  const files: [what: string, file: string, text: string | undefined][] = [];
  if (output !== undefined && output !== '-')
    files.push(['the program', output, edited?.kind === 'text' ? mark + edited.text : undefined]);
  if (certificate !== undefined) {
    const made = answer.certificate;
    const text = made && `${JSON.stringify(made, null, 1)}\n`;
    files.push(['the certificate', certificate, text]);
  }
  const done: string[] = [];
  const failed: string[] = [];
  for (const [what, file, text] of files) {
    if (text === undefined) continue;
    const failure = await writeWhole(file, text, read);
    if (failure === undefined) done.push(`${what} is in ${quoteName(file)}`);
    else failed.push(failure);
  }
  return { done, failed, missing: missingCertificate(answer, certificate) };
}

/** Why there is no certificate, if one was asked for. */
function missingCertificate(
  { verdict, certificate, uncertified }: Answer,
  file: string | undefined,
): string[] {
  if (file === undefined || verdict.kind !== 'found') return [];
  if (certificate) return [];
  const reason = uncertified ? reasonInWords[uncertified] : 'there is none for this';
  return [`fencewright: ${quoteName(file)} is not written: no proof was found, ${reason}\n`];
}

async function reportOn(
  subject: CheckableFile,
  outcome: Outcome,
  findings: FenceFindings,
  settings: Settings,
): Promise<FileReport> {
  const { fence: asked = defaults } = settings;
  const { edited } = outcome;
  const { verdict, diagnostics } = outcome.answer;
  const refusals = edited?.kind === 'refused' ? edited.diagnostics : [];
  const { file, source, byteOrderMark: mark = '' } = subject;
  const read = { file, text: mark + source };
  const { done, failed, missing } = await writeFiles(outcome, asked, read, mark);
  const codes = [
    exitCodeOf[verdict.kind],
    ...(refusals.length > 0 ? [exitCodes.input] : []),
    ...(failed.length > 0 ? [exitCodes.usage] : []),
    ...(missing.length > 0 ? [exitCodes.unknown] : []),
  ];
  const isPiped = asked.output === '-';
  const palette = terminalPalette(isPiped ? settings.colours.stderr : settings.colours.stdout);
  const notes = done.length > 0 ? `\n${done.join('\n')}\n` : '';
  const text = fenceReport(subject, findings, palette) + notes;
  const program = edited?.kind === 'text' ? mark + edited.text : '';
  const errors =
    diagnosticsFor(subject, [...diagnostics, ...refusals], settings) +
    [...failed, ...missing].join('');
  return {
    exitCode: worstOf(codes),
    stdout: isPiped ? program : text,
    stderr: isPiped ? errors + text : errors,
    json: fenceToJson(subject.file, subject.program, findings, [
      ...subject.diagnostics,
      ...refusals,
    ]),
  };
}

/** Looks for a fence set, and for where it goes in the text. */
async function findFences(
  subject: CheckableFile,
  costs: CostModel,
  asked: FenceSettings,
  notion: HappensBefore,
  limitsLeft: () => Limits,
): Promise<{ readonly outcome: Outcome; readonly findings: FenceFindings }> {
  const { file, program, source, format } = subject;
  const { mode, properties } = asked;
  const editor = await textEditorOf(format, source, program);
  const outcome = await solve(subject, format, editor, costs, asked, notion, limitsLeft);
  const { edited } = outcome;
  const shown = file === '-' ? 'standard-input' : printableLine(path.basename(file));
  const findings: FenceFindings = {
    mode,
    costModel: costs.name,
    ...(properties && { properties }),
    result: outcome.answer,
    placesOf: placesIn(editor, edited),
    ...(edited?.kind === 'text' && { diff: unifiedDiff(source, edited.text, shown) }),
  };
  return { outcome, findings };
}

/** The limits of all that is done from now on: at each call, with the time that is left. */
function limitsFromNow(limits: Limits): () => Limits {
  const budget = new Budget(limits);
  return () => budget.share(1);
}

/** What `fence` finds without any options but the notion. */
export async function defaultFences(
  subject: CheckableFile,
  notion: HappensBefore,
  limits: Limits,
): Promise<FenceFindings> {
  const costs = sizeCosts(subject.program);
  return (await findFences(subject, costs, defaults, notion, limitsFromNow(limits))).findings;
}

/** What is said where the limits did not allow to find out what fences cost. */
function withoutCosts(
  { mode, properties }: FenceSettings,
  { name, reason }: Extract<CostsRead, { kind: 'unknown' }>,
  milliseconds: number,
): { readonly outcome: Outcome; readonly findings: FenceFindings } {
  const answer: Answer = {
    verdict: { kind: 'unknown', reason, bound: 0 },
    statistics: { rounds: 0, clauses: 0, states: 0, milliseconds },
    diagnostics: [],
  };
  const asked = { mode, costModel: name, ...(properties && { properties }) };
  return {
    outcome: { answer },
    findings: { ...asked, result: answer, placesOf: () => [] },
  };
}

/** `fence`: a cheapest fence set, in the program's own text. */
export async function fenceFile(
  subject: CheckableFile,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const { file, program } = subject;
  const { fence: asked = defaults } = settings;
  const problems =
    subject.model.kind === 'unbounded' && asked.properties
      ? [anyNumberRefused('fence --for')]
      : findPropertyProblems(program, asked.properties ?? []);
  if (problems.length > 0) return inputErrorReport({ ...subject, diagnostics: problems }, settings);
  const started = performance.now();
  const limitsLeft = limitsFromNow({ ...settings.limits, ...hooks });
  const read = await costModelOf(asked.costs, program, limitsLeft());
  if (read.kind === 'failure') {
    const { file: costFile, source: costSource, diagnostics } = read;
    const failed = {
      file: costFile,
      ...(costSource !== undefined && { source: costSource }),
      diagnostics,
    };
    const report = inputErrorReport(failed, settings);
    return { ...report, json: { ...report.json, file } };
  }
  if (read.kind === 'unknown') {
    const { outcome, findings } = withoutCosts(asked, read, performance.now() - started);
    return reportOn(subject, outcome, findings, settings);
  }
  const { outcome, findings } = await findFences(
    subject,
    read.costs,
    asked,
    settings.notion,
    limitsLeft,
  );
  return reportOn(subject, outcome, findings, settings);
}
