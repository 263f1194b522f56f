import type { TextRange } from '@fencewright/ground/source/tokens.js';
import type { CToken } from './c-token.js';

/**
 * An operand that is not yet read to its end: the operator before it (`behind`), the bracket depth,
 * and the start.
 */
interface OpenOperand {
  readonly behind: '&&' | '||' | '?' | ':';
  readonly depth: number;
  readonly start: number;
}

/**
 * For each symbol, the operators whose right operands end before the symbol, at equal bracket
 * depth.
 */
const ended: Readonly<Record<string, readonly OpenOperand['behind'][]>> = {
  '&&': ['&&'],
  '||': ['&&', '||'],
  '?': ['&&', '||'],
  ':': ['&&', '||', ':'],
  ',': ['&&', '||', ':'],
};

/**
 * Returns the operands of an expression that are evaluated conditionally: those after `&&`, `||`,
 * `?`, and the matching colon. In the order of their ends.
 */
export function findOperands(tokens: readonly CToken[]): readonly TextRange[] {
  const found: TextRange[] = [];
  const open: OpenOperand[] = [];
  let depth = 0;
  let braces = 0;
  let brackets = 0;
  const close = (index: number): void => {
    const { start } = open.pop()!;
    const first = tokens[start];
    const last = tokens[index - 1];
    if (first && last && start < index) found.push({ start: first.start, end: last.end });
  };
  const closeAll = (index: number, ends: (one: OpenOperand) => boolean): void => {
    while (open.length > 0 && ends(open.at(-1)!)) close(index);
  };
  tokens.forEach(({ kind, text }, index) => {
    if (kind !== 'symbol') return;
    if (text === '{') braces += 1;
    if (text === '}') braces -= 1;
    if (braces > 0) return;
    if (text === '[') brackets += 1;
    if (text === ']') brackets -= 1;
    if (text === '(' || text === '[') depth += 1;
    else if (text === ')' || text === ']') {
      closeAll(index, (one) => one.depth >= depth);
      depth -= 1;
    } else if (text === ';') closeAll(index, () => true);
    else if (text in ended) {
      const isChoice = open.some((one) => one.behind === '?' && one.depth === depth);
      if (text === ':' && !isChoice) return;
      closeAll(index, (one) => one.depth === depth && ended[text]!.includes(one.behind));
      if (text === ',') return;
      if (text === ':') close(index);
      // The operand may be the size of an array.
      if (brackets > 0) return;
      open.push({ behind: text as OpenOperand['behind'], depth, start: index + 1 });
    }
  });
  closeAll(tokens.length, () => true);
  return found;
}
