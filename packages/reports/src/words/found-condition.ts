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

/** Returns the two sides of a comparison and the operator; `undefined` for other texts. */
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

/** Whether a text is a compare-and-swap; its value says whether the compare-and-swap wrote. */
function isSwap(text: string): boolean {
  return within(text, 'cas(', ')') !== undefined;
}

/** Whether a text is a truth value by itself: a comparison or a compare-and-swap. */
function isTruth(text: string): boolean {
  return comparison(text) !== undefined || isSwap(text);
}

/**
 * Returns a condition without the mask `& 1`, by which compilers reduce a byte to a truth value. A
 * masked comparison becomes the comparison; a masked `bool` becomes `flag != 0`.
 */
function withoutMask(text: string): string {
  const masked = /^(.*) & 1$/.exec(text)?.[1];
  if (masked === undefined || !isBalanced(masked) || comparison(text)) return text;
  const inner = within(masked, '(', ')') ?? masked;
  if (isTruth(inner)) return inner;
  return /^[\w.[\]>-]+$/.test(inner) ? `${inner} != 0` : text;
}

function plain(given: string): string {
  const text = withoutMask(given);
  const [is, isNot] = [within(text, '(', ') != 0'), within(text, '(', ') == 0')];
  if (is !== undefined && comparison(is)) return plain(is);
  const unmasked = isNot ?? within(text, '!(', ')');
  const negated = unmasked === undefined ? undefined : withoutMask(unmasked);
  const compared = negated === undefined ? undefined : comparison(negated);
  if (!compared) return text;
  const [left, operator, right] = compared;
  return plain(`${left} ${opposites[operator]!} ${right}`);
}

/**
 * Returns the condition that a thread of C finds true: `x == 0` for the instruction `assume(!(x !=
 * 0))`. Comparisons of the results of comparisons, which compilers write, are simplified.
 */
export function foundCondition(instruction: string): string {
  return plain(instruction.slice('assume('.length, -1));
}

/**
 * Whether the condition of an instruction only tests whether the thread's last compare-and-swap
 * wrote. The step of the compare-and-swap already says this.
 */
export function testsOwnSwap(instruction: string): boolean {
  const found = foundCondition(instruction)
    .replace(/^!/, '')
    .replace(/ [!=]= [01]$/, '');
  return isSwap(withoutMask(within(found, '(', ')') ?? found));
}
