import type { Span } from './span.js';

/**
 * The maximum nesting depth of brackets in a text that is read; every pass can cope with this depth
 * on the stack of any thread.
 */
const deepest = 1000;

/**
 * Finds the first bracket nested too deeply; `undefined` if there is none. Independent of the
 * language: brackets in comments count.
 */
export function deepBracket(text: string): Span | undefined {
  let depth = 0;
  let line = 0;
  let lineStart = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x0a:
        line += 1;
        lineStart = at + 1;
        break;
      case 0x28:
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth <= deepest) break;
        return {
          start: { line, column: at - lineStart },
          end: { line, column: at - lineStart + 1 },
        };
      case 0x29:
      case 0x5d:
      case 0x7d:
        depth = Math.max(0, depth - 1);
        break;
      default:
    }
  }
  return undefined;
}
