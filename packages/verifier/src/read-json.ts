/** Nothing that is written for the verifier is nested half as deep. */
const deepest = 10_000;

/**
 * The value of a JSON text. Throws `SyntaxError`, also where arrays and objects are nested so deep
 * that all memory would go into them.
 */
export function readJson(text: string): unknown {
  if (isDeep(text)) throw new SyntaxError(`more than ${deepest} brackets are open at once`);
  return JSON.parse(text) as unknown;
}

/** Whether so many arrays and objects are open somewhere, if it is JSON. */
function isDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') isText = !isText;
    else if (isText) at += sign === '\\' ? 1 : 0;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
