import { InternalError } from '../base/unreachable.js';

/**
 * An s-expression of SMT-LIB 2: a symbol, number or string as written (a quoted symbol without its
 * bars), or a list.
 */
export type SExpression = string | readonly SExpression[];

const token = /\s+|;[^\n]*|([()])|\|([^|]*)\||("(?:[^"]|"")*")|([^\s()|";]+)/gy;

/**
 * Parses a text into its s-expressions, without comments. Throws `InternalError` on unbalanced
 * parentheses, as the texts are generated here or come from solvers.
 */
export function parseSExpressions(text: string): SExpression[] {
  const open: SExpression[][] = [[]];
  const innermost = (): SExpression[] => {
    const list = open.at(-1);
    if (!list) throw new InternalError('an s-expression has a closing parenthesis too many');
    return list;
  };
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (!match)
      throw new InternalError(`an s-expression cannot be read from ${text.slice(at, at + 40)}`);
    const [, parenthesis, quoted, string, atom] = match;
    if (parenthesis === '(') open.push([]);
    else if (parenthesis === ')') {
      const list = open.pop() ?? [];
      innermost().push(list);
    } else {
      const leaf = quoted ?? string ?? atom;
      if (leaf !== undefined) innermost().push(leaf);
    }
  }
  if (open.length !== 1) throw new InternalError('an s-expression has no end');
  return innermost();
}

/** Formats an s-expression on one line. Bars are added to symbols if necessary. */
export function formatSExpression(expression: SExpression): string {
  if (typeof expression !== 'string') return `(${expression.map(formatSExpression).join(' ')})`;
  const isPlain = /^[^\s()|";]+$/.test(expression) || expression.startsWith('"');
  return isPlain ? expression : `|${expression}|`;
}
