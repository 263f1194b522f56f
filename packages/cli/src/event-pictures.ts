import { type Palette, quoteName } from '@fencewright/core';
import { terminalPalette } from './palette.js';
import type { RunSettings } from './run-settings.js';
import { writeWhole } from './write-whole.js';

/** A picture for a file, drawn when the file is written. */
interface EventPicture {
  readonly what: string;
  /**
   * The file for the picture; `-` is standard output; absent if the user did not ask for the
   * picture.
   */
  readonly file: string | undefined;
  /** Draws the picture; returns `undefined` if there is nothing to draw. */
  readonly draw: () => Promise<string | undefined>;
}

/**
 * Writes pictures to their files, and returns the report. A picture may take standard output, so
 * that the report goes to stderr.
 */
export async function withPictures(
  pictures: readonly EventPicture[],
  { colours }: RunSettings,
  report: (palette: Palette) => string,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly hasFailed: boolean }> {
  let [piped, notes, failures] = ['', '', ''];
  const isPiped = pictures.some(({ file }) => file === '-');
  for (const { what, file, draw } of pictures) {
    if (file === undefined) continue;
    const text = await draw();
    if (text === undefined)
      notes += `\n${quoteName(file)} is not written: without an execution there is no picture\n`;
    else if (file === '-') piped = text;
    else {
      const failure = await writeWhole(file, text);
      if (failure === undefined) notes += `\n${what} is in ${quoteName(file)}\n`;
      else failures += failure;
    }
  }
  const palette = terminalPalette(isPiped ? colours.stderr : colours.stdout);
  const shown = report(palette) + notes;
  return {
    stdout: isPiped ? piped : shown,
    stderr: failures + (isPiped ? shown : ''),
    hasFailed: failures !== '',
  };
}
