import type { AttackVerdict } from '@fencewright/model/verdict/attack.js';

/** Paints a piece of text, or leaves the text unchanged. */
export type Paint = (text: string) => string;

/** The colours of a report, by meaning. */
export interface Palette {
  readonly good: Paint;
  readonly bad: Paint;
  readonly doubtful: Paint;
  /** Text that the eye should find first. */
  readonly strong: Paint;
  /** Headings, line numbers, carets. */
  readonly accent: Paint;
  /** Text that readers may skip. */
  readonly faint: Paint;
}

const asIs: Paint = (text) => text;

/** The palette for files, pipes and `NO_COLOR`. */
export const plainPalette: Palette = {
  good: asIs,
  bad: asIs,
  doubtful: asIs,
  strong: asIs,
  accent: asIs,
  faint: asIs,
};

/** How the verdict on an attack is painted. */
export function attackPaint(palette: Palette): Readonly<Record<AttackVerdict, Palette['good']>> {
  return {
    feasible: palette.bad,
    infeasible: palette.good,
    'by-cfg': palette.faint,
    unknown: palette.doubtful,
  };
}
