import { keywords } from './keywords.js';
import type { Model } from './syntax.js';
import type { NodeBase } from './syntax-node.js';
import { nodesIn, tokensIn } from './syntax-tree.js';
import { isShell } from './token-reader.js';

/** What declares the name in it. */
const declaring: ReadonlySet<string> = new Set(
  'ConstDefinition Variable LocalVariable ThreadDeclaration Binder EventDeclaration ProcedureDeclaration'.split(
    ' ',
  ),
);

/** In these an error may have turned anything into anything. */
const open: ReadonlySet<string> = new Set(
  'Model VarDeclaration ThreadDeclaration Automaton Block LocalStatement UnreadStatement EventDeclaration ProcedureDeclaration'.split(
    ' ',
  ),
);

/**
 * The names that may have been declared in what could not be read: those in it, if it is something
 * that declares no others, and `any` if it may have been anything, or if what declares a name has
 * lost it.
 */
export function unreadNames(model: Model): ReadonlySet<string> | 'any' {
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

/** Adds the names in a node, without those in the shells within it. */
function addNames(node: NodeBase, names: Set<string>): void {
  for (const { kind, text } of tokensIn(node))
    if (kind === 'NAME' || keywords.get(text)?.mayBeName === true)
      names.add(text.replaceAll('′', "'"));
  for (const inner of nodesIn(node)) if (!isShell(inner.kind)) addNames(inner, names);
}

function isMissingName(node: NodeBase): boolean {
  return node.kind === 'Name' && node.parts.length === 0;
}
