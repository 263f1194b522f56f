import { type Palette, quoteName } from '@fencewright/core';
import { exitCodes, worstOf } from './exit-codes.js';
import type { FileReport } from './file-report.js';
import { terminalPalette } from './palette.js';
import type { RunSettings } from './run-settings.js';
import { writeWhole } from './write-whole.js';

/** The names of the files for pictures; `-` is standard output. */
export interface PictureFiles {
  readonly html?: string | undefined;
  readonly svg?: string | undefined;
  readonly dot?: string | undefined;
}

/** Returns the error in the options for picture files; `undefined` if the options are valid. */
export function pictureComplaint(
  { html, svg, dot, json }: PictureFiles & { readonly json?: true | undefined },
  files: readonly string[],
): string | undefined {
  const outputs = [html, svg, dot].filter((file) => file !== undefined);
  if (outputs.length > 0 && files.length > 1)
    return '--report needs a single file for html, svg and dot';
  const piped = outputs.filter((file) => file === '-').length;
  if (piped > 1) return 'standard output has room for one picture';
  if (piped > 0 && json) return '--json and a picture cannot share standard output';
  return undefined;
}

/** A picture for a file, drawn when the file is written. */
interface Picture {
  readonly what: string;
  /** The noun by which messages name the picture if it is missing; `picture` by default. */
  readonly noun?: string;
  /** The name of the file for the picture; absent if the user did not ask for the picture. */
  readonly file: string | undefined;
  /**
   * Draws the picture; returns `undefined` if the picture would show an execution and there is
   * none.
   */
  readonly draw: () => Promise<string | undefined> | string | undefined;
}

/**
 * Writes pictures to their files, and returns the report with the text of `textIn` and remarks on
 * the pictures. If a picture goes to standard output, the text goes to stderr.
 */
export async function withPictures(
  report: FileReport,
  pictures: readonly Picture[],
  { colours }: RunSettings,
  textIn: (palette: Palette) => string,
): Promise<FileReport> {
  const notes: string[] = [];
  let [piped, failures] = ['', ''];
  for (const { what, noun = 'picture', file, draw } of pictures) {
    if (file === undefined) continue;
    const picture = await draw();
    if (picture === undefined)
      notes.push(`${quoteName(file)} is not written: without an execution there is no ${noun}`);
    else if (file === '-') piped = picture;
    else {
      const failure = await writeWhole(file, picture);
      if (failure === undefined) notes.push(`${what} is in ${quoteName(file)}`);
      else failures += failure;
    }
  }
  const isPiped = pictures.some(({ file }) => file === '-');
  const shown =
    textIn(terminalPalette(isPiped ? colours.stderr : colours.stdout)) +
    (notes.length > 0 ? `\n${notes.join('\n')}\n` : '');
  return {
    ...report,
    exitCode: failures === '' ? report.exitCode : worstOf([report.exitCode, exitCodes.usage]),
    stdout: isPiped ? piped : shown,
    stderr: report.stderr + failures + (isPiped ? shown : ''),
  };
}
