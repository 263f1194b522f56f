import type { CToken } from './c-token.js';

/** A token of the text, and what the preprocessor is told around it. */
export interface FollowedToken extends CToken {
  /** How many directives of conditional text stand before it. */
  readonly conditionals: number;
  /** The token before it is a pragma, which is about what follows. */
  readonly isAfterPragma: boolean;
}

/** What a directive is for. */
type Role = 'if' | 'never' | 'else' | 'endif' | 'pragma' | 'other';

function roleOf({ text }: CToken): Role {
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

/** Whether each bracket has its partner in the list. */
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

/** The branches of a conditional that is being read. */
interface Open {
  readonly branches: FollowedToken[][];
  readonly isNever: boolean;
}

/** What of a conditional is followed: all its branches, if each could stand by itself. */
function followed({ branches, isNever }: Open): readonly FollowedToken[] {
  const possible = isNever ? branches.slice(1) : branches;
  return possible.every(isBalanced) ? possible.flat() : (possible[0] ?? []);
}

/** Ends the innermost conditional, which is not the text itself. */
function close(open: Open[]): void {
  const done = followed(open.pop()!);
  const around = open.at(-1)!.branches.at(-1)!;
  for (const token of done) around.push(token);
}

/**
 * The tokens without directives. Of conditional text every branch is there, one after the other,
 * unless brackets are opened in one and closed elsewhere: then the first alone, as if it were
 * chosen. What is behind `#if 0` is left out.
 */
export function followBranches(tokens: readonly CToken[]): readonly FollowedToken[] {
  const open: Open[] = [{ branches: [[]], isNever: false }];
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
  // What is not ended ends with the text.
  while (open.length > 1) close(open);
  return open[0]!.branches[0]!;
}
