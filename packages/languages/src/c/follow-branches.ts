import type { CToken } from './c-token.js';

/** A token other than a directive, with the preceding directives. */
export interface FollowedToken extends CToken {
  /** The number of conditional directives (`#if`, `#else`, ...) that come before the token. */
  readonly conditionals: number;
  /** Whether a pragma comes directly before the token, and concerns the text from there. */
  readonly isAfterPragma: boolean;
}

/** The purpose of a preprocessor directive. */
type DirectiveRole = 'if' | 'never' | 'else' | 'endif' | 'pragma' | 'other';

function roleOf({ text }: CToken): DirectiveRole {
  const bare = text.replaceAll(/\\\r?\n/g, '').replaceAll(/\/\*[^]*?\*\//g, ' ');
  const name = /^#\s*([a-z]+)/.exec(bare)?.[1];
  switch (name) {
    case 'if':
      return /^#\s*if\s+0\s*$/.test(bare) ? 'never' : 'if';
    case 'ifdef':
    case 'ifndef':
      return 'if';
    case 'elif':
    case 'elifdef':
    case 'elifndef':
    case 'else':
      return 'else';
    case 'endif':
    case 'pragma':
      return name;
    default:
      return 'other';
  }
}

const opening = new Set(['(', '[', '{']);
const closing = new Set([')', ']', '}']);

/** Whether each bracket in the list of tokens has its partner in the list. */
function isBalanced(tokens: readonly CToken[]): boolean {
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind !== 'symbol') continue;
    if (opening.has(text)) depth += 1;
    else if (closing.has(text)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** A conditional (`#if` to `#endif`) that is being read: the tokens of its branches so far. */
interface OpenConditional {
  readonly branches: FollowedToken[][];
  readonly isNever: boolean;
}

/**
 * Returns the tokens that stand for a conditional: those of all branches if the brackets in each
 * branch are balanced, otherwise those of the first branch. The branch of `#if 0` does not count.
 */
function followed({ branches, isNever }: OpenConditional): readonly FollowedToken[] {
  const possible = isNever ? branches.slice(1) : branches;
  return possible.every(isBalanced) ? possible.flat() : (possible[0] ?? []);
}

/**
 * Ends the innermost `#if`, and adds its tokens, as `followed` returns them, to the enclosing text.
 */
function close(open: OpenConditional[]): void {
  const done = followed(open.pop()!);
  const around = open.at(-1)!.branches.at(-1)!;
  for (const token of done) around.push(token);
}

/**
 * Returns the tokens without directives. Conditional text appears with all branches, one after the
 * other, unless a bracket opens in one branch and closes elsewhere: then only the first branch
 * appears. Text after `#if 0` is left out.
 */
export function followBranches(tokens: readonly CToken[]): readonly FollowedToken[] {
  const open: OpenConditional[] = [{ branches: [[]], isNever: false }];
  let conditionals = 0;
  let isAfterPragma = false;
  for (const token of tokens) {
    if (token.kind !== 'directive') {
      open
        .at(-1)!
        .branches.at(-1)!
        .push({ ...token, conditionals, isAfterPragma });
      isAfterPragma = false;
      continue;
    }
    const role = roleOf(token);
    if (role === 'pragma') isAfterPragma = true;
    if (role === 'pragma' || role === 'other') continue;
    conditionals += 1;
    if (role === 'if' || role === 'never') open.push({ branches: [[]], isNever: role === 'never' });
    else if (open.length === 1) continue;
    else if (role === 'else') open.at(-1)!.branches.push([]);
    else close(open);
  }
  // Unclosed conditionals end with the text.
  while (open.length > 1) close(open);
  return open[0]!.branches[0]!;
}
