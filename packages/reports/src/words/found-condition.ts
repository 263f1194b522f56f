const opposites: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/** Whether the brackets of a text are closed within the text. */
function isBalanced(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === '(') open += 1;
    if (sign === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

/** Returns the two sides of a comparison and its operator; `undefined` for other texts. */
function comparison(text: string): readonly [string, string, string] | undefined {
  const [, left = '', operator = '', right = ''] =
    /^((?:(?!&&|\|\|).)+?) (==|!=|<=?|>=?) ((?:(?!&&|\|\||[<>=!]=?).)+)$/.exec(text) ?? [];
  return operator !== '' && isBalanced(left) && isBalanced(right)
    ? [left, operator, right]
    : undefined;
}

/** Returns the text within the brackets that a text begins with and `end` follows. */
function within(text: string, begin: string, end: string): string | undefined {
  if (!text.startsWith(begin) || !text.endsWith(end)) return undefined;
  const inner = text.slice(begin.length, text.length - end.length);
  return isBalanced(inner) ? inner : undefined;
}

function plain(text: string): string {
  const [is, isNot] = [within(text, '(', ') != 0'), within(text, '(', ') == 0')];
  if (is !== undefined && comparison(is)) return plain(is);
  const negated = isNot ?? within(text, '!(', ')');
  const compared = negated === undefined ? undefined : comparison(negated);
  if (!compared) return text;
  const [left, operator, right] = compared;
  return plain(`${left} ${opposites[operator]!} ${right}`);
}

/**
 * Returns the condition that a thread of C finds true, of the instruction `assume(!(x != 0))`: `x
 * == 0`, without the comparisons of comparisons that compilers write.
 */
export function foundCondition(instruction: string): string {
  return plain(instruction.slice('assume('.length, -1));
}
