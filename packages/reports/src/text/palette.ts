import type { AttackVerdict } from '@fencewright/model/verdict/attack.js';

/** A function that gives a text a colour, or returns the text unchanged. */
export type Paint = (text: string) => string;

/** The colours of a report, by meaning. */
export interface Palette {
  readonly good: Paint;
  readonly bad: Paint;
  readonly doubtful: Paint;
  /** The colour for text that readers should see first. */
  readonly strong: Paint;
  /** The colour for headings, line numbers and carets. */
  readonly accent: Paint;
  /** The colour for text that readers may skip. */
  readonly faint: Paint;
}

const asIs: Paint = (text) => text;

/** The palette without colours, for files, pipes and `NO_COLOR`. */
export const plainPalette: Palette = {
  good: asIs,
  bad: asIs,
  doubtful: asIs,
  strong: asIs,
  accent: asIs,
  faint: asIs,
};

/** Returns the colour for each verdict on an attack. */
export function attackPaint(palette: Palette): Readonly<Record<AttackVerdict, Palette['good']>> {
  return {
    feasible: palette.bad,
    infeasible: palette.good,
    'by-cfg': palette.faint,
    unknown: palette.doubtful,
  };
}
