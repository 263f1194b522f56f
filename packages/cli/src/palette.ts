import type { Palette } from '@fencewright/core';
import picocolors from 'picocolors';

/** Returns the colours of the terminal, or no colours. */
export function terminalPalette(enabled: boolean): Palette {
  const colours = picocolors.createColors(enabled);
  return {
    good: (text) => colours.bold(colours.green(text)),
    bad: (text) => colours.bold(colours.red(text)),
    doubtful: colours.yellow,
    strong: colours.bold,
    accent: colours.cyan,
    faint: colours.dim,
  };
}

export type ColourChoice = 'auto' | 'always' | 'never';

/**
 * Whether to write colours to a stream. Source: NO_COLOR and FORCE_COLOR, as agreed by terminal
 * tools.
 */
export function wantsColour(
  choice: ColourChoice,
  stream: { readonly isTTY?: boolean },
  environment: NodeJS.ProcessEnv,
): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (environment.NO_COLOR) return false;
  const force = environment.FORCE_COLOR;
  if (force) return force !== '0';
  return stream.isTTY === true && environment.TERM !== 'dumb';
}
