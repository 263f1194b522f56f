import { frontEnds, type InputFormat } from '@fencewright/languages/read/front-ends.js';

/** Output formats for programs that no front end reads. */
export const otherFormats = ['c', 'promela', 'dot', 'smt2', 'automata'] as const;
export type OtherFormat = (typeof otherFormats)[number];

export type ProgramFormat = InputFormat | OtherFormat;

/** All formats for printing programs. */
export const programFormats: readonly ProgramFormat[] = [
  ...frontEnds.flatMap(({ id, print }) => (print ? [id] : [])),
  ...otherFormats,
];

/** All formats for printing attacks as nets. */
export const netOutputFormats = ['mist', 'tts', 'pnml', 'json'] as const;
export type NetOutputFormat = (typeof netOutputFormats)[number];

/**
 * The kinds of nets: `flat`, with a place for each cell and value, whose size is linear in the
 * number of cells ([BDM13x] Theorem 10); `product`, with all cells in the control, which is smaller
 * for few cells.
 */
export const netKinds = ['flat', 'product'] as const;
export type NetKind = (typeof netKinds)[number];

/** Output formats for programs of events only. */
export const eventOutputFormats = ['seq', 'two-threads'] as const;
export type EventOutputFormat = (typeof eventOutputFormats)[number];

export type OutputFormat = ProgramFormat | NetOutputFormat | EventOutputFormat;

/** All output formats: for programs, for attacks as nets, and for programs of events. */
export const outputFormats: readonly OutputFormat[] = [
  ...programFormats,
  ...netOutputFormats,
  ...eventOutputFormats,
];

export function isNetFormat(format: OutputFormat): format is NetOutputFormat {
  return netOutputFormats.some((one) => one === format);
}

export function isEventFormat(format: OutputFormat): format is EventOutputFormat {
  return eventOutputFormats.some((one) => one === format);
}
