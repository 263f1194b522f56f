import { nearestName } from '@fencewright/ground/source/nearest-name.js';
import { openBraceAt } from './check-text.js';
import { isReserved, keywords } from './keywords.js';
import { reservedPlainWords } from './plain-instructions.js';
import type { SyntaxProblem } from './syntax-problem.js';

const reserved = [...keywords.keys()].filter(isReserved);

/** Words that C programmers write from habit, with hints for this language. */
const habits: ReadonlyMap<string, string> = new Map([
  ['for', "there is no 'for': write while (...) { ... }"],
  ['switch', "there is no 'switch': write if (...) { ... } else if (...) { ... }"],
  [
    'return',
    'a thread ends after its last statement: jump to its end with goto; a procedure has no result',
  ],
  ['and', 'write &&'],
  ['or', 'write ||'],
  ['then', 'write if (...) { ... } else { ... }'],
  ['elif', 'write else if (...)'],
  ['*', 'the cell at the address p is mem[p]'],
  ['->', 'there are no structures: use arrays, one for each field'],
  ['struct', 'there are no structures: use arrays, one for each field'],
  ['enum', "there is no 'enum': write const A = 0, B = 1"],
  ['typedef', 'there are no types: all values are numbers of 32 bits'],
  ['int', "registers are declared with 'local', shared variables with 'var'"],
  ['shared', 'write var x'],
  ['void', 'a thread is written thread t { ... }; C is read from files that end in .c'],
  ['bool', "registers are declared with 'local', shared variables with 'var'"],
  ['==', "'=' stores, '==' compares"],
  [':=', "'=' stores in statements, '<-' in the automaton form"],
  ['+=', 'write x = x + 1, which is a load and a store'],
  ['-=', 'write x = x - 1, which is a load and a store'],
  ['++', 'write x = x + 1, which is a load and a store'],
  ['--', 'write x = x - 1, which is a load and a store'],
]);

/**
 * Phrases that C programmers write from habit, with hints: each pattern matches the text before an
 * error, within its statement.
 */
const phrases: readonly (readonly [RegExp, string])[] = [
  [
    /\(\s*(?:(?:const|volatile|unsigned|signed|struct)\s+)*(?:void|bool|char|short|int|long|u?int\d*_t|size_t|\w+\s*\*)[\w\s*]*\)\s*$/,
    'there are no casts: all values are numbers of 32 bits; remove the cast',
  ],
  [/=.*\(\s*struct\b[\w\s*)]*$/, 'there are no casts, and no structures: an address is a number'],
  [/\bnot\s*$/, 'write !'],
  [/\.\s*store\w*\s*$/, 'a store is written x = e'],
  [/\.\s*load\w*\s*$/, 'a load is written r = x'],
  [/\.\s*exchange\w*\s*$/, 'an exchange is written r = xchg(x, e)'],
  [/\.\s*compare_exchange\w*\s*$/, 'write r = cas(x, old, new)'],
  [/\.\s*fetch_\w*\s*$/, 'write r = fetch_add(x, 1)'],
];

/**
 * Returns the hint for a phrase that ends at an error (a name after a dot included); `undefined`
 * if there is none.
 */
function phraseHint(text: string, offset: number, length: number): string | undefined {
  const before = text.slice(statementStart(text, offset), offset);
  const image = text.slice(offset, offset + length);
  const more = image === '.' ? (/^\.\s*\w*/.exec(text.slice(offset, offset + 60))?.[0] ?? '') : '';
  return phrases.find(([pattern]) => pattern.test(before + more))?.[1];
}

/**
 * Matches a word that cannot be inside a block: the start of a declaration, or the empty text at
 * the end of the file.
 */
const startsDeclaration =
  /^(|const|var|domain|thread|property|program|invariant|events?|procedure)$/;

/** Returns the offset at which the statement around `offset` starts, judging by its text. */
function statementStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !';{}:\n'.includes(text.charAt(start - 1))) start -= 1;
  return start;
}

/**
 * Returns a hint on the intended text: another spelling, a keyword, or the unclosed brace;
 * `undefined` if there is no hint.
 */
export function hintFor(
  { offset, length, expected }: SyntaxProblem,
  text: string,
): string | undefined {
  const image = text.slice(offset, offset + length);
  const first = /[_a-zA-Z]\w*/.exec(text.slice(statementStart(text, offset), offset))?.[0];
  if (expected === 'a name' && isReserved(image)) return 'keywords cannot be names';
  const phrase = phraseHint(text, offset, length);
  if (phrase !== undefined) return phrase;
  if (image === '(' && reservedPlainWords.some((word) => word === first)) return `write ${first};`;
  const symbols = [text.slice(offset, offset + 2), text.slice(offset - 1, offset + 1)];
  for (const habit of [first, image, ...symbols]) {
    const hint = habit === undefined ? undefined : habits.get(habit);
    if (hint !== undefined && expected?.includes(habit ?? '') !== true) return hint;
  }
  for (const word of [image, first]) {
    if (word === undefined || !/^[a-z]{2,}$/i.test(word) || isReserved(word)) continue;
    const keyword = nearestName(word, reserved);
    if (keyword !== undefined) return `did you mean '${keyword}'?`;
  }
  if (image === '(' && first === 'thread') return 'threads take no parameters: thread t { ... }';
  if (expected?.endsWith("'}'") !== true || !startsDeclaration.test(image)) return undefined;
  const open = openBraceAt(text, offset);
  return open && `the '{' in line ${open.line + 1} is not closed`;
}
