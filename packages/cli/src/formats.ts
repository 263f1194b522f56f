import path from 'node:path';
import type { InputFormat, NetOutputFormat } from '@fencewright/core';

/** The formats that programs are read from. */
export const inputFormats = [
  'native',
  'trencher',
  'litmus',
  'memorax',
] as const satisfies readonly InputFormat[];
export type { InputFormat } from '@fencewright/core';

/** The formats that programs are written in. */
export const programFormats = [
  'native',
  'trencher',
  'litmus',
  'memorax',
  'promela',
  'dot',
  'smt2',
  'automata',
] as const;
export type ProgramFormat = (typeof programFormats)[number];

/** The formats that attacks are written in as nets. */
export const netOutputFormats = [
  'mist',
  'tts',
  'pnml',
] as const satisfies readonly NetOutputFormat[];

/** The formats that `convert` writes: those of programs, and those of nets, for attacks. */
export const outputFormats = [...programFormats, ...netOutputFormats] as const;
export type OutputFormat = (typeof outputFormats)[number];

const byExtension: Readonly<Record<string, InputFormat>> = {
  '.fw': 'native',
  '.txt': 'trencher',
  '.trencher': 'trencher',
  '.litmus': 'litmus',
  '.rmm': 'memorax',
};

/** The format that a file name stands for; standard input is native. */
export function formatOf(file: string): InputFormat | undefined {
  return file === '-' ? 'native' : byExtension[path.extname(file).toLowerCase()];
}

/** The formats that nets are read from, by the ends of their names. */
const netFormats = { '.spec': 'mist', '.tts': 'tts' } as const;
export type NetFormat = (typeof netFormats)[keyof typeof netFormats];

/** The format that a file name stands for, if it is one of nets. */
export function netFormatOf(file: string): NetFormat | undefined {
  const extension = path.extname(file).toLowerCase();
  return extension in netFormats ? netFormats[extension as keyof typeof netFormats] : undefined;
}
