import { type NameCollector, primariesOf, soleOf, type ThreadNames } from './name-collector.js';
import type { InvariantDeclaration, PropertyDeclaration } from './syntax.js';
import type { CallSyntax, ExpressionSyntax, Reference } from './syntax-expressions.js';
import type { Name } from './syntax-node.js';

/**
 * The callbacks that note the names in a property or an invariant for an index of names, and the
 * rules for the terms of the condition.
 */
interface NameRules {
  /**
   * Notes the name of a thread, or of an invariant's binder; returns the names declared in the
   * thread, `undefined` for an unknown thread.
   */
  readonly thread: (name: Name, copy: ExpressionSyntax | undefined) => ThreadNames | undefined;
  /** Notes the names in the index of a shared array. */
  readonly index: (index: ExpressionSyntax | undefined) => void;
  readonly functions: readonly string[];
  /** Whether an address in the condition of the property or invariant may mention cells. */
  readonly readsAddresses: boolean;
}

const kindsOfProperty: readonly string[] = ['never', 'finally', 'exists', 'stuck', 'progress'];

export function indexProperty(node: PropertyDeclaration, names: NameCollector): void {
  names.declareQuestion('property', node.name);
  names.builtin(node.quantifier, (word) => kindsOfProperty.includes(word));
  const sole = node.condition && soleOf(node.condition);
  if (node.quantifier.text === 'progress' && sole?.kind === 'Reference' && !sole.label) {
    useThread(sole.name, sole.index, names);
    return;
  }
  visit(node.condition, names, {
    thread: (name, copy) => useThread(name, copy, names),
    index: (index) => names.constant(index),
    functions: ['ended', 'drained'],
    readsAddresses: true,
  });
}

function useThread(
  name: Name,
  copy: ExpressionSyntax | undefined,
  names: NameCollector,
): ThreadNames | undefined {
  const thread = names.thread(name.text);
  names.mark(name, thread?.symbol, 'use');
  if (thread) names.constant(copy);
  return thread;
}

export function indexInvariant(node: InvariantDeclaration, names: NameCollector): void {
  const owner = names.declareQuestion('invariant', node.name);
  const binders = new Map<string, number>();
  const bound = new Map<string, ThreadNames>();
  for (const { name, thread } of node.binders) {
    names.declareIn(binders, 'binder', name, owner);
    const known = useThread(thread, undefined, names);
    if (known) bound.set(name.text, known);
  }
  if (bound.size < node.binders.length) return;
  const question: NameRules = {
    thread: (name, copy) => {
      const binder = copy ? undefined : binders.get(name.text);
      if (binder === undefined) return useThread(name, copy, names);
      names.mark(name, binder, 'use');
      return bound.get(name.text);
    },
    index: (index) => visit(index, names, question),
    functions: ['ended'],
    readsAddresses: false,
  };
  for (const condition of node.conditions) visit(condition, names, question);
}

function visit(
  expression: ExpressionSyntax | undefined,
  names: NameCollector,
  question: NameRules,
): void {
  for (const primary of primariesOf(expression))
    switch (primary.kind) {
      case 'Parentheses':
        visit(primary.expression, names, question);
        break;
      case 'MemoryAccess':
        if (question.readsAddresses) names.constant(primary.address);
        break;
      case 'AddressOf':
        if (question.readsAddresses) names.constantAddress(primary);
        break;
      case 'Call':
        visitFunction(primary, names, question);
        break;
      case 'Reference':
        visitReference(primary, names, question);
        break;
      case 'NumberLiteral':
      case 'EveryIndex':
      case 'BooleanLiteral':
    }
}

/** Notes the names in `ended(t)` or `drained(t)`. */
function visitFunction(call: CallSyntax, names: NameCollector, question: NameRules): void {
  if (!names.builtin(call.name, (word) => question.functions.includes(word))) return;
  const [argument] = call.arguments;
  const sole = argument && soleOf(argument);
  if (sole?.kind === 'Reference') question.thread(sole.name, sole.index);
}

/** Notes the names in a reference: `x`, `a[e]`, `t @ l`, `t.r`. */
function visitReference(
  { name, index, label, register }: Reference,
  names: NameCollector,
  question: NameRules,
): void {
  if (!label && !register) {
    const symbol = names.shared(name.text);
    names.mark(name, symbol, 'load');
    if (symbol !== undefined) question.index(index);
    return;
  }
  const thread = question.thread(name, index);
  if (!thread) return;
  if (label) names.mark(label, thread.labels.get(label.text), 'use');
  if (register?.text === 'self' && !question.readsAddresses) names.builtin(register);
  else if (register) names.mark(register, thread.registers.get(register.text), 'load');
}
