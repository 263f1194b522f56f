import { nearestName } from '../../source/nearest-name.js';
import { openBraceAt } from './check-text.js';
import type { SyntaxProblem } from './syntax-problem.js';

const keywords: ReadonlySet<string> = new Set(
  (
    'assert assume atomic begin break check choose const continue do domain else false fence goto havoc if in init local ' +
    'loop mem mfence or program property regs skip thread true var while with'
  ).split(' '),
);

/** Whether the word cannot be a name. */
export function isKeyword(word: string): boolean {
  return keywords.has(word);
}

/** What C programmers write out of habit, and what this language has instead. */
const habits: ReadonlyMap<string, string> = new Map([
  ['for', "there is no 'for': write while (...) { ... }"],
  ['switch', "there is no 'switch': write if (...) { ... } else if (...) { ... }"],
  ['return', 'a thread ends behind its last statement: jump there with goto'],
  ['then', 'write if (...) { ... } else { ... }'],
  ['elif', 'write else if (...)'],
  ['*', 'the cell at the address p is mem[p]'],
  ['->', 'there are no structures: use arrays, one for each field'],
  ['int', "registers are declared with 'local', shared variables with 'var'"],
  ['bool', "registers are declared with 'local', shared variables with 'var'"],
  ['==', "'=' stores, '==' compares"],
  [':=', "'=' stores in statements, '<-' in the automaton form"],
  ['+=', 'write x = x + 1, which is a load and a store'],
  ['-=', 'write x = x - 1, which is a load and a store'],
  ['++', 'write x = x + 1, which is a load and a store'],
  ['--', 'write x = x - 1, which is a load and a store'],
]);

/** What cannot stand in a block: the end of the file, too. */
const startsDeclaration = /^(|const|var|domain|thread|property|program)$/;

/** Where the statement around `offset` starts, as far as its text tells. */
export function statementStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !';{}:\n'.includes(text.charAt(start - 1))) start -= 1;
  return start;
}

/** What may have been meant: another way to write it, a keyword, or the brace that is not closed. */
export function hintFor(
  { offset, length, expected }: SyntaxProblem,
  text: string,
): string | undefined {
  const image = text.slice(offset, offset + length);
  const first = /[_a-zA-Z]\w*/.exec(text.slice(statementStart(text, offset), offset))?.[0];
  if (expected === 'a name' && isKeyword(image)) return 'keywords cannot be names';
  const symbols = [text.slice(offset, offset + 2), text.slice(offset - 1, offset + 1)];
  for (const habit of [first, image, ...symbols]) {
    const hint = habit === undefined ? undefined : habits.get(habit);
    if (hint !== undefined && expected?.includes(habit ?? '') !== true) return hint;
  }
  for (const word of [image, first]) {
    if (word === undefined || !/^[a-z]{2,}$/i.test(word) || isKeyword(word)) continue;
    const keyword = nearestName(word, keywords);
    if (keyword !== undefined) return `did you mean '${keyword}'?`;
  }
  if (image === '(' && first === 'thread') return 'threads take no parameters: thread t { ... }';
  if (expected?.endsWith("'}'") !== true || !startsDeclaration.test(image)) return undefined;
  const open = openBraceAt(text, offset);
  return open && `the '{' in line ${open.line + 1} is not closed`;
}
