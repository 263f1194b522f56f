import { styleText } from 'node:util';
import type { Palette } from '@fencewright/core';

type Styles = Parameters<typeof styleText>[0];

/** Returns the colours of the terminal, or, if not `enabled`, no colours. */
export function terminalPalette(enabled: boolean): Palette {
  // The caller knows whether the stream takes colours.
  const style =
    (styles: Styles) =>
    (text: string): string =>
      enabled ? styleText(styles, text, { validateStream: false }) : text;
  const { isTTY, columns } = process.stdout;
  return {
    ...(isTTY && columns > 0 && { width: columns }),
    good: style(['bold', 'green']),
    bad: style(['bold', 'red']),
    doubtful: style('yellow'),
    strong: style('bold'),
    accent: style('cyan'),
    faint: style('dim'),
  };
}

export type ColourChoice = 'auto' | 'always' | 'never';

/**
 * Whether to write colours to a stream, with the environment variables NO_COLOR and FORCE_COLOR as
 * in other terminal tools.
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
