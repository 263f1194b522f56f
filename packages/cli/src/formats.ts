import path from 'node:path';
import {
  formatByExtension,
  frontEnds,
  type InputFormat,
  netFormats,
  type NetInputFormat,
} from '@fencewright/core/words';

export { frontEndOf, needsCompiler } from '@fencewright/core/words';
export type { InputFormat, NetInputFormat } from '@fencewright/core/words';

/** The input formats for programs. */
export const inputFormats: readonly InputFormat[] = frontEnds.map(({ id }) => id);

/** The input formats for nets. */
export const netInputFormats: readonly NetInputFormat[] = netFormats.map(({ id }) => id);

/**
 * Formats by file extension, from the user's configuration; extensions include the dot, such as
 * `.lit`.
 */
export type FormatsByExtension = Readonly<Record<string, InputFormat>>;

/**
 * Returns the format of a file, by its extension; `further` takes precedence. Standard input has
 * the first format of the list. Returns `undefined` for unknown extensions.
 */
export function formatOf(file: string, further: FormatsByExtension = {}): InputFormat | undefined {
  if (file === '-') return inputFormats[0];
  const extension = path.extname(file);
  return Object.hasOwn(further, extension)
    ? further[extension]
    : formatByExtension(frontEnds, extension)?.id;
}

/** Returns the format of a net by file name; `undefined` if the extension is not for nets. */
export function netFormatOf(file: string): NetInputFormat | undefined {
  return formatByExtension(netFormats, path.extname(file))?.id;
}

/** Returns the file extensions of all formats, for help: a line for each format. */
export function filesInHelp(): string {
  const rows = frontEnds.map(({ extensions, title }) => [extensions.join(', '), title] as const);
  return rows.map(([extensions, title]) => `  ${extensions.padEnd(26)}${title}`).join('\n');
}
