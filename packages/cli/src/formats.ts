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

/** The formats that programs are read from. */
export const inputFormats: readonly InputFormat[] = frontEnds.map(({ id }) => id);

/** The formats that nets are read from. */
export const netInputFormats: readonly NetInputFormat[] = netFormats.map(({ id }) => id);

/** Formats of extensions as the user says, each with its dot: `.lit` for example. */
export type FormatsByExtension = Readonly<Record<string, InputFormat>>;

/**
 * The format that a file name stands for, where `further` says nothing else; that of standard input
 * is the first of all.
 */
export function formatOf(file: string, further: FormatsByExtension = {}): InputFormat | undefined {
  if (file === '-') return inputFormats[0];
  const extension = path.extname(file);
  return Object.hasOwn(further, extension)
    ? further[extension]
    : formatByExtension(frontEnds, extension)?.id;
}

/** The format that a file name stands for, if it is one of nets. */
export function netFormatOf(file: string): NetInputFormat | undefined {
  return formatByExtension(netFormats, path.extname(file))?.id;
}

/** What files there are, for help: a line for each format. */
export function filesInHelp(): string {
  const rows = frontEnds.map(({ extensions, title }) => [extensions.join(', '), title] as const);
  return rows.map(([extensions, title]) => `  ${extensions.padEnd(26)}${title}`).join('\n');
}
