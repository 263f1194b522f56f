import { keywords } from './keywords.js';
import type { ModelSyntax } from './syntax.js';
import type { NodeBase } from './syntax-node.js';
import { nodesIn, tokensIn } from './syntax-tree.js';
import { isShell } from './token-reader.js';

/** The kinds of syntax nodes that declare a name. */
const declaring: ReadonlySet<string> = new Set(
  'ConstDefinition Variable LocalVariable ThreadDeclaration Binder EventDeclaration ProcedureDeclaration'.split(
    ' ',
  ),
);

/** Kinds of syntax nodes in which an error may have hidden any declaration. */
const open: ReadonlySet<string> = new Set(
  'Model VarDeclaration ThreadDeclaration Automaton Block LocalStatement UnreadStatement EventDeclaration ProcedureDeclaration'.split(
    ' ',
  ),
);

/**
 * Returns the names that unreadable text may declare: all names in a damaged construct that
 * declares no names besides these. Returns `any` if a comment does not end, a declaration lacks its
 * name, or a damaged construct may declare any name.
 */
export function unreadNames(model: ModelSyntax): ReadonlySet<string> | 'any' {
  const names = new Set<string>();
  let isAny =
    tokensIn(model)
      .at(-1)
      ?.trivia.some(({ kind }) => kind === 'open-comment') === true;
  const visit = (node: NodeBase): void => {
    if (isShell(node.kind) && node.isDamaged) {
      if (open.has(node.kind)) isAny = true;
      else addNames(node, names);
    }
    const inner = nodesIn(node);
    if (declaring.has(node.kind) && inner.some(isMissingName)) isAny = true;
    if (!isAny) inner.forEach(visit);
  };
  visit(model);
  return isAny ? 'any' : names;
}

/** Adds the names in a node to `names`, without those in nested statements and declarations. */
function addNames(node: NodeBase, names: Set<string>): void {
  for (const { kind, text } of tokensIn(node))
    if (kind === 'NAME' || keywords.get(text)?.mayBeName === true)
      names.add(text.replaceAll('′', "'"));
  for (const inner of nodesIn(node)) if (!isShell(inner.kind)) addNames(inner, names);
}

function isMissingName(node: NodeBase): boolean {
  return node.kind === 'Name' && node.parts.length === 0;
}
