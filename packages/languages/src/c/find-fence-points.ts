import { scanC } from './c-token.js';
import type { FencePoint } from './fence-point.js';
import { followBranches, type FollowedToken } from './follow-branches.js';
import { partnersOf } from './partners.js';
import { StatementReader } from './read-statements.js';

/** Whether a text has the comment that forbids fences in its file, as test harnesses may have. */
export function wantsNoFences(text: string): boolean {
  return /^[ \t]*\/\/ fencewright: no fences in this file[ \t]*$/m.test(text);
}

/**
 * Returns the places for fences in a text of C or C++: before each statement of each function, at
 * the ends of functions and of bodies of loops, and before conditions and conditionally evaluated
 * operands. The text is not preprocessed: macro expansions are ignored, and code not understood has
 * no places. A text with the line `// fencewright: no fences in this file` has none.
 */
export function findFencePoints(text: string): readonly FencePoint[] {
  if (wantsNoFences(text)) return [];
  const tokens = followBranches(scanC(text));
  const points: FencePoint[] = [];
  for (const [open, close] of functionBodies(tokens))
    points.push(...new StatementReader(tokens.slice(open, close + 1)).read());
  return points;
}

/** Words allowed between a function's parameters and body. */
const qualifiers = new Set([
  'const',
  'volatile',
  'noexcept',
  'override',
  'final',
  'mutable',
  'try',
]);
const attributes = new Set(['__attribute__', '__declspec', 'alignas', '_Alignas', 'noexcept']);
const scopes = new Set(['struct', 'class', 'union', 'namespace', 'extern']);

/**
 * Returns the bodies of functions, each as the indices of the tokens of its opening and its closing
 * brace.
 */
function functionBodies(tokens: readonly FollowedToken[]): readonly (readonly [number, number])[] {
  const partner = partnersOf(tokens);
  const bodies: [number, number][] = [];
  let run = 0;
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (kind !== 'symbol') continue;
    if (text === ';' || text === '}') run = i + 1;
    const end = partner.get(i);
    if (end === undefined || end < i) continue;
    if (text === '(' || text === '[') i = end;
    if (text !== '{') continue;
    const words = tokens.slice(run, i);
    const role = roleOf(words);
    if (role === 'body') {
      bodies.push([i, end]);
      i = end;
      run = end + 1;
    } else if (role === 'scope') run = i + 1;
    else i = end;
  }
  return bodies;
}

/**
 * Returns the kind of text that a brace outside of functions encloses, judging by the tokens before
 * the brace: a function's body, a scope such as a class, or a value.
 */
function roleOf(before: readonly FollowedToken[]): 'body' | 'scope' | 'value' {
  const words = withoutAttributes(before);
  const last = words.at(-1);
  // Parameters of the old style are declared between the parentheses and the brace.
  if (!last) return 'body';
  // An equals sign in parentheses gives a parameter its default value.
  const isValue = outsideBrackets(words).some(({ text }) => text === '=');
  if (isValue && !words.some(({ text }) => text === 'template' || text === 'operator'))
    return 'value';
  if (last.text === ')' || qualifiers.has(last.text) || endsInInitialiser(words)) return 'body';
  if (words.some(({ text }) => text === '->')) return 'body';
  return words.some(({ text }) => scopes.has(text)) ? 'scope' : 'value';
}

/** Returns the tokens outside of all brackets, and the brackets that are outside of others. */
function outsideBrackets(words: readonly FollowedToken[]): readonly FollowedToken[] {
  let depth = 0;
  return words.filter(({ text }) => {
    if (text === '(' || text === '[' || text === '{') return depth++ === 0;
    if (text === ')' || text === ']' || text === '}') return --depth === 0;
    return depth === 0;
  });
}

/** Whether the tokens end in a member's initialiser in braces, as before a constructor's body. */
function endsInInitialiser(words: readonly FollowedToken[]): boolean {
  if (words.at(-1)?.text !== '}') return false;
  const outside = outsideBrackets(words).map(({ text }) => text);
  return outside.some((text, i) => {
    const before = outside[i - 1] ?? '';
    return text === ':' && (before === ')' || qualifiers.has(before));
  });
}

/** Returns the tokens without attributes at their end. */
function withoutAttributes(words: readonly FollowedToken[]): readonly FollowedToken[] {
  let depth = 0;
  if (words.at(-1)?.text !== ')' && words.at(-1)?.text !== ']') return words;
  for (let i = words.length - 1; i >= 0; i--) {
    const { text } = words[i]!;
    if (text === ')' || text === ']') depth += 1;
    else if (text === '(' || text === '[') depth -= 1;
    if (depth > 0) continue;
    const isAttribute = text === '[' || attributes.has(words[i - 1]?.text ?? '');
    if (!isAttribute) return words;
    return withoutAttributes(words.slice(0, text === '[' ? i : i - 1));
  }
  return words;
}
