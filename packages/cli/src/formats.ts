import path from 'node:path';
import type { NetOutputFormat } from '@fencewright/core';
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

/** What programs are written in besides the languages of front ends. */
const otherFormats = ['promela', 'dot', 'smt2', 'automata'] as const;
export type OtherFormat = (typeof otherFormats)[number];

/** The formats that programs are written in. */
export type ProgramFormat = InputFormat | OtherFormat;

/** The formats that attacks are written in as nets. */
export const netOutputFormats = [
  'mist',
  'tts',
  'pnml',
] as const satisfies readonly NetOutputFormat[];

export type OutputFormat = ProgramFormat | NetOutputFormat;

/** The formats that `convert` writes: those of programs, and those of nets, for attacks. */
export const outputFormats: readonly OutputFormat[] = [
  ...frontEnds.flatMap(({ id, print }) => (print ? [id] : [])),
  ...otherFormats,
  ...netOutputFormats,
];

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
