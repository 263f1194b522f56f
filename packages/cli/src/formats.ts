import path from 'node:path';
import {
  formatByExtension,
  frontEnds,
  type InputFormat,
  netFormats,
  type NetInputFormat,
} from '@fencewright/core/words';

export type { InputFormat, NetInputFormat } from '@fencewright/core/words';

/** The formats that programs are read from. */
export const inputFormats: readonly InputFormat[] = frontEnds.map(({ id }) => id);

/** The formats that nets are read from. */
export const netInputFormats: readonly NetInputFormat[] = netFormats.map(({ id }) => id);

/** The format that a file name stands for; that of standard input is the first of all. */
export function formatOf(file: string): InputFormat | undefined {
  return file === '-' ? inputFormats[0] : formatByExtension(frontEnds, path.extname(file))?.id;
}

/** The format that a file name stands for, if it is one of nets. */
export function netFormatOf(file: string): NetInputFormat | undefined {
  return formatByExtension(netFormats, path.extname(file))?.id;
}

/** `.fw (the native language), .txt and .trencher (Trencher's)`: what files there are, for help. */
export function filesInWords(): string {
  return frontEnds
    .map(({ extensions, title }) => `${extensions.join(' and ')} (${title})`)
    .join(', ');
}
