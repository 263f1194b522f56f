import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { selfRegister } from '@fencewright/model/program/expression.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type {
  Invariant,
  InvariantBinder,
  InvariantExpression,
} from '@fencewright/model/program/program.js';
import {
  duplicateName,
  misplaced,
  unknownWord,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { evaluateConstant } from './evaluate-constant.js';
import { findLabel } from './find-label.js';
import type { DeclarationSyntax, InvariantDeclaration } from './syntax.js';
import { findThread, type PropertyScope } from './lower-property.js';
import type { LoweredThread } from './lowered-thread.js';
import { readTerms } from './read-term.js';
import { lookUpShared } from './scope.js';
import type { CallTerm, NameTerm, StateTerm, NativeTerm } from './term.js';

/** The threads for which a binder of an invariant may stand. */
interface Candidates {
  readonly name: string;
  readonly threads: readonly ThreadId[];
}

interface InvariantScope extends PropertyScope {
  /**
   * The binders of the invariant; single threads that the invariant mentions directly are added.
   */
  readonly binders: InvariantBinder[];
  /** The indices of the declared binders by name, without the single threads added to `binders`. */
  readonly bound: ReadonlyMap<string, number>;
}

/**
 * Returns the invariants of the text. An invariant that binds threads with a fixed number of copies
 * becomes one invariant for each choice of distinct copies, all with the invariant's name.
 */
export function lowerInvariants(
  declarations: readonly DeclarationSyntax[],
  scope: PropertyScope,
): readonly Invariant[] {
  const places = new Map<string, Span>();
  return declarations
    .filter((node) => node.kind === 'InvariantDeclaration')
    .filter((node) => !node.isDamaged)
    .flatMap((node) => {
      const name = node.name.text;
      const span = node.name.span;
      const first = places.get(name);
      if (first) scope.problems.add(duplicateName(span, 'invariant', name, first));
      else places.set(name, span);
      return lowerInvariant(node, scope);
    });
}

function lowerInvariant(node: InvariantDeclaration, scope: PropertyScope): readonly Invariant[] {
  const { problems } = scope;
  const candidates = readBinders(node, scope);
  const parts = readTerms(node.conditions, problems);
  if (!candidates || !parts) return [];
  const bound = new Map(candidates.map(({ name }, index) => [name, index]));
  const invariants: Invariant[] = [];
  for (const choice of distinctChoices(candidates)) {
    const before = problems.count;
    const binders = choice.map((thread, i) => ({ name: at(candidates, i).name, thread }));
    const lowered = parts.map((part) => lower(part, { ...scope, binders, bound }));
    if (problems.count > before || lowered.includes(undefined)) return [];
    const condition = (lowered as readonly InvariantExpression[]).reduceRight((right, left) => ({
      kind: 'binary',
      operator: '||',
      left: { kind: 'unary', operator: '!', operand: left },
      right,
    }));
    invariants.push({ name: node.name.text, binders, condition, span: node.span });
  }
  return invariants;
}

function readBinders(
  { binders }: InvariantDeclaration,
  { threads, problems }: PropertyScope,
): readonly Candidates[] | undefined {
  const nameOf = ({ thread }: LoweredThread): string => thread.copy?.template ?? thread.name;
  const seen = new Map<string, Span>();
  const before = problems.count;
  const read = binders.map((node) => {
    const name = node.name.text;
    const span = node.name.span;
    const first = seen.get(name);
    if (first) problems.add(duplicateName(span, 'name', name, first));
    else seen.set(name, span);
    if (threads.some((thread) => nameOf(thread) === name))
      problems.add(wrongOperand(span, `'${name}' is a thread already`, 'take another name'));
    const wanted = node.thread.text;
    const found = threads.flatMap((thread, id) => (nameOf(thread) === wanted ? [id] : []));
    if (found.length === 0)
      problems.addUnknown(node.thread.span, 'thread', wanted, () => threads.map(nameOf));
    return { name, threads: found };
  });
  return problems.count > before ? undefined : read;
}

/**
 * Returns all assignments of a thread to each binder of an invariant; several binders get the same
 * thread only if it is a template with any number of copies.
 */
function distinctChoices(candidates: readonly Candidates[]): readonly (readonly ThreadId[])[] {
  return candidates.reduce<readonly (readonly ThreadId[])[]>(
    (choices, { threads }) =>
      choices.flatMap((chosen) =>
        threads
          .filter((thread) => threads.length === 1 || !chosen.includes(thread))
          .map((thread) => [...chosen, thread]),
      ),
    [[]],
  );
}

/** Returns the invariant's expression for a term; `undefined` after a reported error. */
function lower(term: NativeTerm, scope: InvariantScope): InvariantExpression | undefined {
  switch (term.kind) {
    case 'number':
      return { kind: 'constant', value: term.value };
    case 'name':
      return lowerName(term, scope);
    case 'every-index':
      return { kind: 'every-index' };
    case 'memory':
    case 'address-of': {
      const hint = 'name the shared variable';
      scope.problems.add(
        wrongOperand(term.span, 'invariants know shared variables by their names only', hint),
      );
      return undefined;
    }
    case 'call':
      return lowerEnded(term, scope);
    case 'at':
    case 'member':
      return lowerPart(term, scope);
    case 'unary': {
      const operand = lower(term.operand, scope);
      return operand && { kind: 'unary', operator: term.operator, operand };
    }
    case 'binary': {
      const left = lower(term.left, scope);
      const right = lower(term.right, scope);
      return left && right && { kind: 'binary', operator: term.operator, left, right };
    }
    default:
      return unreachable(term);
  }
}

/**
 * Returns the index in `scope.binders` of the thread that an invariant calls `name`. A thread that
 * the invariant mentions directly is added to the binders at its first mention. `undefined` if
 * there is no such thread.
 */
function binderOf(
  name: string,
  copy: NativeTerm | undefined,
  span: Span,
  scope: InvariantScope,
): number | undefined {
  const known = scope.bound.get(name);
  if (known !== undefined && !copy) return known;
  const thread = findThread(name, copy, span, scope);
  if (thread === undefined) return undefined;
  const index = scope.binders.findIndex((binder) => binder.thread === thread);
  if (index >= 0) return index;
  const written = scope.threads[thread]?.thread.name ?? name;
  return scope.binders.push({ name: written, thread }) - 1;
}

function lowerPart(term: StateTerm, scope: InvariantScope): InvariantExpression | undefined {
  const { problems } = scope;
  const binder = binderOf(term.thread, term.copy, term.nameSpan, scope);
  const lowered = binder === undefined ? undefined : scope.threads[scope.binders[binder]!.thread];
  if (binder === undefined || !lowered) return undefined;
  const { registers, thread, isUnbounded } = lowered;
  if (term.kind === 'at') {
    const location = findLabel(lowered, term, problems);
    return location === undefined ? undefined : { kind: 'at', binder, location };
  }
  if (term.part === 'self') {
    if (isUnbounded) return { kind: 'register', binder, register: selfRegister };
    if (thread.copy) return { kind: 'constant', value: thread.copy.index };
    problems.add(misplaced(term.partSpan, `'${thread.name}' is a single thread, without a number`));
    return undefined;
  }
  const register = registers.get(term.part);
  if (register !== undefined) return { kind: 'register', binder, register };
  problems.addUnknown(term.partSpan, 'register', term.part, () => registers.keys());
  return undefined;
}

function lowerName(term: NameTerm, scope: InvariantScope): InvariantExpression | undefined {
  const { shared, problems } = scope;
  const meaning = lookUpShared(shared, term.name);
  if (!meaning) {
    problems.addUnknown(term.span, 'shared variable', term.name, () => [
      ...shared.symbolIds.keys(),
      ...shared.constants.keys(),
    ]);
    return undefined;
  }
  if (meaning.kind !== 'symbol') {
    const value = evaluateConstant(
      term,
      { lookUp: (name) => lookUpShared(shared, name), candidates: () => shared.constants.keys() },
      problems,
    );
    return value === undefined ? undefined : { kind: 'constant', value };
  }
  const { symbol, declaration } = meaning;
  const { name, isArray } = declaration;
  if (isArray !== (term.index !== undefined)) {
    problems.add(
      isArray
        ? wrongOperand(term.span, `'${name}' is an array`, `name one of its cells: ${name}[0]`)
        : wrongOperand(term.span, `'${name}' is not an array`, `write ${name} without an index`),
    );
    return undefined;
  }
  if (!term.index) return { kind: 'cell', symbol };
  const index = lower(term.index, scope);
  return index && { kind: 'cell', symbol, index };
}

function lowerEnded(term: CallTerm, scope: InvariantScope): InvariantExpression | undefined {
  const [argument, ...more] = term.arguments;
  if (term.name !== 'ended') {
    scope.problems.add(unknownWord(term.span, 'question about threads', term.name, ['ended']));
    return undefined;
  }
  if (argument?.kind !== 'name' || more.length > 0) {
    scope.problems.add(misplaced(term.span, 'ended takes the name of a thread', 'write ended(t)'));
    return undefined;
  }
  const binder = binderOf(argument.name, argument.index, argument.span, scope);
  return binder === undefined ? undefined : { kind: 'ended', binder };
}
