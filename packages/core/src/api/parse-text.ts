import { parseTrencher } from '../frontends/trencher/parse-trencher.js';
import type { ParseResult } from '../program/parse-result.js';
import { notSupported } from '../source/diagnostic.js';

/** The formats that programs are read from. */
export type InputFormat = 'native' | 'trencher' | 'litmus' | 'memorax';

/**
 * Parses a text in a format; `copies` overrides what it says about numbers of threads. Only the
 * front end that is needed is loaded.
 */
export async function parseText(
  format: InputFormat,
  text: string,
  copies?: ReadonlyMap<string, number>,
): Promise<ParseResult> {
  if (copies && format !== 'native') {
    const hint = 'convert it to the native language';
    return { diagnostics: [notSupported(undefined, 'this format has no copies of threads', hint)] };
  }
  switch (format) {
    case 'native': {
      const { parseNative } = await import('../frontends/native/parse-native.js');
      return parseNative(text, copies);
    }
    case 'trencher':
      return parseTrencher(text);
    case 'litmus': {
      const { parseLitmus } = await import('../frontends/litmus/parse-litmus.js');
      return parseLitmus(text);
    }
    case 'memorax': {
      const { parseMemorax } = await import('../frontends/memorax/parse-memorax.js');
      return parseMemorax(text);
    }
  }
}
