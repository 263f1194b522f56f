import path from 'node:path';

/** The formats that programs are read from. */
export const inputFormats = ['native', 'trencher', 'litmus', 'memorax'] as const;
export type InputFormat = (typeof inputFormats)[number];

/** The formats that programs are written in. */
export const outputFormats = ['native', 'trencher', 'litmus', 'promela', 'dot', 'smt2'] as const;
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
