import type { NetOutputFormat } from '../parameterized/print-attack-net.js';

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

/** All formats that are written: those of programs, and those of nets, for attacks. */
export const outputFormats = [...programFormats, ...netOutputFormats] as const;
export type OutputFormat = (typeof outputFormats)[number];

export function isNetFormat(format: OutputFormat): format is NetOutputFormat {
  return netOutputFormats.some((one) => one === format);
}
