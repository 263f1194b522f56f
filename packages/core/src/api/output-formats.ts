import type { NetOutputFormat } from '../parameterized/print-attack-net.js';
import { frontEnds, type InputFormat } from './front-ends.js';

/** What programs are written in besides the languages of front ends. */
export const otherFormats = ['promela', 'dot', 'smt2', 'automata'] as const;
export type OtherFormat = (typeof otherFormats)[number];

export type ProgramFormat = InputFormat | OtherFormat;

/** The formats that programs are written in. */
export const programFormats: readonly ProgramFormat[] = [
  ...frontEnds.flatMap(({ id, print }) => (print ? [id] : [])),
  ...otherFormats,
];

/** The formats that attacks are written in as nets. */
export const netOutputFormats = [
  'mist',
  'tts',
  'pnml',
] as const satisfies readonly NetOutputFormat[];

export type OutputFormat = ProgramFormat | NetOutputFormat;

/** All formats that are written: those of programs, and those of nets, for attacks. */
export const outputFormats: readonly OutputFormat[] = [...programFormats, ...netOutputFormats];

export function isNetFormat(format: OutputFormat): format is NetOutputFormat {
  return netOutputFormats.some((one) => one === format);
}
