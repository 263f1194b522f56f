import path from 'node:path';
import type { InputFormat } from '@fencewright/core';
import type { NetFormat } from '@fencewright/core/cover';

/** The formats that programs are read from. */
export const inputFormats = [
  'native',
  'trencher',
  'litmus',
  'memorax',
] as const satisfies readonly InputFormat[];
export type { InputFormat } from '@fencewright/core';

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
const netFormats: Readonly<Record<string, NetFormat>> = { '.spec': 'mist', '.tts': 'tts' };

/** The format that a file name stands for, if it is one of nets. */
export function netFormatOf(file: string): NetFormat | undefined {
  return netFormats[path.extname(file).toLowerCase()];
}
