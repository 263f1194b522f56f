/**
 * The maximum depth of nested brackets in JSON, more than twice the depth of any file written for
 * the verifier.
 */
const deepest = 10_000;

/**
 * The maximum number of bytes that an array or object takes while a text is parsed, without its
 * elements.
 */
const bytesOfBracket = 80;
/** The maximum number of bytes that an element takes while a text is parsed. */
const bytesOfElement = 40;

/** Thrown if the values of a JSON text would take more memory than allowed. */
export class JsonTooLarge extends Error {
  constructor() {
    super('the memory limit was reached: raise --max-memory');
  }
}

/**
 * Parses a JSON text. Throws `SyntaxError`, also if arrays and objects are nested too deeply, and
 * `JsonTooLarge`, before any value is made, if the values may take more than `maxMemory` bytes.
 */
export function readJson(text: string, maxMemory = Number.POSITIVE_INFINITY): unknown {
  const { isDeep, bytes } = measure(text);
  if (isDeep) throw new SyntaxError(`more than ${deepest} brackets are open at once`);
  if (bytes > maxMemory) throw new JsonTooLarge();
  return JSON.parse(text) as unknown;
}

/**
 * Returns whether more than `deepest` arrays and objects are nested somewhere in a JSON text, and
 * an upper bound on the bytes that the text takes together with its values.
 */
function measure(text: string): { readonly isDeep: boolean; readonly bytes: number } {
  let depth = 0;
  let isText = false;
  let bytes = 2 * text.length;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') isText = !isText;
    else if (isText) at += sign === '\\' ? 1 : 0;
    else if (sign === '[' || sign === '{') {
      depth += 1;
      bytes += bytesOfBracket + bytesOfElement;
    } else if (sign === ']' || sign === '}') depth -= 1;
    else if (sign === ',' || sign === ':') bytes += bytesOfElement;
    if (depth > deepest) return { isDeep: true, bytes };
  }
  return { isDeep: false, bytes };
}
