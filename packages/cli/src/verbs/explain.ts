import {
  type CheckResult,
  explainReport,
  graphSvg,
  happensBeforeGraph,
  quoteName,
  type Replay,
  replay,
  witnessToDot,
} from '@fencewright/core';
import { exitCodes, worstOf } from '../exit-codes.js';
import type { FileReport } from '../file-report.js';
import type { CheckableFile } from '../load-program.js';
import { terminalPalette } from '../palette.js';
import type { Hooks, PictureSettings, Settings } from '../settings.js';
import { version } from '../version.js';
import { writeWhole } from '../write-whole.js';
import { decideSubject, reportOn } from './check.js';
import { defaultFences } from './fence.js';

/** A picture with its destination; without a text where there is nothing to draw. */
interface Picture {
  readonly what: string;
  readonly file: string;
  readonly text?: string;
}

async function pageOf(
  subject: CheckableFile,
  result: CheckResult,
  replayed: Replay | undefined,
  settings: Settings,
  hooks: Hooks,
): Promise<string> {
  const limits = { ...settings.limits, ...hooks };
  const fences =
    replayed &&
    subject.model.kind === 'finite' &&
    (await defaultFences(subject, result.notion, limits));
  const { explainHtml } = await import('@fencewright/core/page');
  return explainHtml(subject, result, {
    ...(replayed && { replay: replayed }),
    ...(fences && { fences }),
    diagnostics: subject.diagnostics,
    version,
  });
}

/** The pictures that were asked for. */
async function draw(
  subject: CheckableFile,
  result: CheckResult,
  replayed: Replay | undefined,
  settings: Settings,
  hooks: Hooks,
): Promise<Picture[]> {
  const { html, svg, dot }: PictureSettings = settings.pictures ?? {};
  const { program } = subject;
  const { verdict } = result;
  const witness = verdict.kind === 'not-robust' ? verdict.witness : undefined;
  const pictures: Picture[] = [];
  if (html !== undefined) {
    const text = await pageOf(subject, result, replayed, settings, hooks);
    pictures.push({ what: 'the page', file: html, text });
  }
  if (svg !== undefined) {
    const text =
      witness &&
      graphSvg(program, happensBeforeGraph(program, witness, result.notion), { standalone: true });
    pictures.push({ what: 'the graph', file: svg, ...(text !== undefined && { text }) });
  }
  if (dot !== undefined) {
    const text = witness && witnessToDot(program, witness, result.notion);
    pictures.push({ what: 'the graph', file: dot, ...(text !== undefined && { text }) });
  }
  return pictures;
}

/** Writes pictures into their files; gives the lines that say so, and those that say what failed. */
async function writePictures(
  pictures: readonly Picture[],
): Promise<{ readonly done: string[]; readonly failed: string[] }> {
  const done: string[] = [];
  const failed: string[] = [];
  for (const { what, file, text } of pictures) {
    if (text === undefined) {
      done.push(`${quoteName(file)} is not written: without an execution there is no graph`);
      continue;
    }
    if (file === '-') continue;
    const failure = await writeWhole(file, text);
    if (failure === undefined) done.push(`${what} is in ${quoteName(file)}`);
    else failed.push(failure);
  }
  return { done, failed };
}

/** `explain`: the witness step by step, as text and as pictures. */
export async function explainFile(
  given: CheckableFile,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const { about: subject, result } = await decideSubject(given, settings, hooks);
  const { program } = subject;
  const { verdict } = result;
  const replayed =
    verdict.kind === 'not-robust' ? replay(program, verdict.witness.computation) : undefined;
  const pictures = await draw(subject, result, replayed, settings, hooks);
  const { done, failed } = await writePictures(pictures);
  const piped = pictures.find(({ file }) => file === '-');
  const palette = terminalPalette(piped ? settings.colours.stderr : settings.colours.stdout);
  const notes = done.length > 0 ? `\n${done.join('\n')}\n` : '';
  const text = explainReport(subject, result, replayed, { palette, width: settings.width }) + notes;
  const report = reportOn(subject, result, settings, piped ? (piped.text ?? '') : text, replayed);
  return {
    ...report,
    exitCode: worstOf([report.exitCode, ...(failed.length > 0 ? [exitCodes.usage] : [])]),
    stderr: report.stderr + failed.join('') + (piped ? text : ''),
  };
}
