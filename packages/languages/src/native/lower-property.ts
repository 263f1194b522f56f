import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Property, StateExpression } from '@fencewright/model/program/program.js';
import { constantValue } from '@fencewright/model/program/evaluate.js';
import { mapLeaves, registerValue } from '@fencewright/model/program/expression.js';
import {
  indexOutOfBounds,
  misplaced,
  unknownWord,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { evaluateConstant } from './evaluate-constant.js';
import { findLabel } from './find-label.js';
import type { PropertyDeclaration } from './syntax.js';
import type { LoweredBody, LoweredThread } from './lowered-thread.js';
import type { ProblemList } from './problem-list.js';
import { readTerm } from './read-term.js';
import { type SharedScope, lookUpShared } from './scope.js';
import type { CallTerm, NameTerm, StateTerm, NativeTerm } from './term.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

/**
 * The threads and shared variables that a property may name; `threads` is indexed by `ThreadId`.
 */
export interface PropertyScope {
  readonly shared: SharedScope;
  readonly threads: readonly LoweredThread[];
  /**
   * The events and procedures; present in programs without threads. Properties cannot refer to
   * their registers and labels.
   */
  readonly bodies?: readonly LoweredBody[];
  readonly problems: ProblemList;
}

const kinds = ['never', 'finally', 'exists', 'stuck', 'progress'] as const;

const questions = ['ended', 'drained'] as const;

/** Returns the property for a declaration; `undefined` after a reported error. */
export function lowerProperty(
  node: PropertyDeclaration,
  scope: PropertyScope,
): Property | undefined {
  const { problems } = scope;
  const { text: name } = node.quantifier;
  const kind = kinds.find((known) => known === name);
  if (!kind)
    problems.add(
      unknownWord(node.quantifier.span, 'kind of property', name, kinds, kindHabits.get(name)),
    );
  if ((kind === 'stuck' || kind === 'progress') && scope.bodies)
    problems.add(
      misplaced(
        node.quantifier.span,
        `'${kind}' is about waiting threads, and a program of events has none`,
        'ask with never, finally or exists',
      ),
    );
  const term = readTerm(node.condition, problems);
  const lower = kind === 'progress' ? lowerProgress : lowerState;
  const condition = term && lower(term, scope);
  return kind && condition && { name: node.name.text, kind, condition, span: node.span };
}

/** Words for kinds of properties in other languages, with hints for this language. */
const kindHabits: ReadonlyMap<string, string> = new Map([
  ['always', 'for a condition that always holds, write never (!(...))'],
  ['forall', 'for a condition that always holds, write never (!(...))'],
  ['eventually', 'for the end of every run, write finally (...)'],
  ['live', 'for a thread that can always go on, write progress (t)'],
  ['liveness', 'for a thread that can always go on, write progress (t)'],
]);

/**
 * Returns the goal of a progress claim: `t` for the end of thread `t`, `t @ l` for its label `l`;
 * `undefined` after a reported error.
 */
function lowerProgress(term: NativeTerm, scope: PropertyScope): StateExpression | undefined {
  if (refuseTasks(term.span, scope)) return undefined;
  if (term.kind === 'at') {
    const isOne = findThread(term.thread, term.copy, term.nameSpan, scope) !== undefined;
    return isOne ? lowerPart(term, scope) : undefined;
  }
  if (term.kind === 'name') {
    const thread = findThread(term.name, term.index, term.span, scope);
    return thread === undefined ? undefined : { kind: 'ended', thread };
  }
  const hint = 'write progress (t), or progress (t @ l) with a label of t';
  scope.problems.add(misplaced(term.span, 'a progress property names one thread', hint));
  return undefined;
}

/**
 * Returns the expression for a term in a property's condition; `undefined` after a reported error.
 */
function lowerState(term: NativeTerm, scope: PropertyScope): StateExpression | undefined {
  switch (term.kind) {
    case 'number':
      return { kind: 'constant', value: term.value };
    case 'name':
      return lowerName(term, scope);
    case 'memory': {
      const address = evaluateIn(term.address, scope);
      return address === undefined ? undefined : { kind: 'memory', address };
    }
    case 'every-index':
    case 'address-of': {
      const value = evaluateIn(term, scope);
      return value === undefined ? undefined : { kind: 'constant', value };
    }
    case 'call':
      return lowerCall(term, scope);
    case 'at':
    case 'member':
      return lowerPart(term, scope);
    case 'unary': {
      const operand = lowerState(term.operand, scope);
      return operand && { kind: 'unary', operator: term.operator, operand };
    }
    case 'binary': {
      const left = lowerState(term.left, scope);
      const right = lowerState(term.right, scope);
      if (!left || !right || refuseRightSide(term, right, scope)) return undefined;
      return { kind: 'binary', operator: term.operator, left, right };
    }
    default:
      return unreachable(term);
  }
}

/**
 * Reports a division or shift in a property's condition that has no result in every state. The
 * divisor has to be a constant other than 0, and the shift count a constant from 0 to 31, or to 63
 * for 64-bit operators. Returns whether there was an error.
 */
function refuseRightSide(
  { operator, right: { span } }: Extract<NativeTerm, { kind: 'binary' }>,
  right: StateExpression,
  { problems }: PropertyScope,
): boolean {
  const isDivision = /^[/%]/.test(operator);
  if (!isDivision && !/^(?:<<|>>)/.test(operator)) return false;
  const most = operator.includes(':') ? 63 : 31;
  const count = constantValue(
    mapLeaves(right, () => registerValue(0)),
    [],
  );
  if (count !== undefined && (isDivision ? count !== 0 : count >= 0 && count <= most)) return false;
  const [must, instead] = isDivision
    ? ['be divided by a constant other than 0', 'compare products instead: x == y * z']
    : [`be shifted by a constant from 0 to ${most}`, 'write each case: (y == 1 && x == 2 || ...)'];
  problems.add(wrongOperand(span, `in a property, a value can only ${must}`, instead));
  return true;
}

/**
 * Reports a term that only properties of threads may have, if the program has tasks instead;
 * returns whether there was an error.
 */
function refuseTasks(span: Span, { bodies, problems }: PropertyScope): boolean {
  if (!bodies) return false;
  problems.add(
    misplaced(
      span,
      'properties cannot read positions and registers of tasks',
      'store the value in a shared variable',
    ),
  );
  return true;
}

function lowerPart(term: StateTerm, scope: PropertyScope): StateExpression | undefined {
  if (refuseTasks(term.span, scope)) return undefined;
  const named = findNamed(term.thread, term.copy, term.nameSpan, scope);
  if (named === undefined) return undefined;
  const lowered = scope.threads[named.thread]!;
  if (term.kind === 'at') {
    const location = findLabel(lowered, term, scope.problems);
    return location === undefined ? undefined : { kind: 'at', ...named, location };
  }
  const { registers } = lowered;
  const register = registers.get(term.part);
  if (register !== undefined) return { kind: 'register', ...named, register };
  scope.problems.addUnknown(term.partSpan, 'register', term.part, () => registers.keys());
  return undefined;
}

/**
 * A thread that a property names, with the number of the named copy if the thread has any number of
 * copies.
 */
interface NamedThread {
  readonly thread: ThreadId;
  readonly copy?: number;
}

/**
 * Returns the thread that a property of states names, with the named copy if the thread has any
 * number of copies; `undefined` after a reported error.
 */
function findNamed(
  name: string,
  copy: NativeTerm | undefined,
  span: Span,
  scope: PropertyScope,
): NamedThread | undefined {
  const found = scope.threads.findIndex(
    ({ thread, isUnbounded, isUncertain }) =>
      thread.name === name && isUnbounded === true && !isUncertain,
  );
  if (found < 0) {
    const thread = findThread(name, copy, span, scope);
    return thread === undefined ? undefined : { thread };
  }
  if (!copy) {
    scope.problems.add(
      wrongOperand(
        span,
        `'${name}' stands for any number of copies`,
        `write ${name}[0] for any copy, and ${name}[1] for any other one`,
      ),
    );
    return undefined;
  }
  const number = evaluateIn(copy, scope);
  if (number === undefined) return undefined;
  if (number >= 0) return { thread: found, copy: number };
  scope.problems.add(
    wrongOperand(copy.span, 'copies are numbered from 0', `write ${name}[0] for any copy`),
  );
  return undefined;
}

/**
 * Returns the thread that a property names, which must be one thread; `undefined` after a reported
 * error.
 */
export function findThread(
  name: string,
  copy: NativeTerm | undefined,
  span: Span,
  scope: PropertyScope,
): ThreadId | undefined {
  const { threads, problems } = scope;
  const isNamed = ({ thread }: LoweredThread) => (thread.copy?.template ?? thread.name) === name;
  const first = threads.findIndex(isNamed);
  if (first < 0) {
    problems.addUnknown(span, 'thread', name, () =>
      threads.map(({ thread }) => thread.copy?.template ?? thread.name),
    );
    return undefined;
  }
  if (threads[first]!.isUncertain) return undefined;
  const count = threads[first]!.thread.copy ? threads.filter(isNamed).length : 0;
  const complaint = threads[first]!.isUnbounded
    ? ([
        `'${name}' stands for any number of copies, and one thread is meant here`,
        `in an invariant, bind copies: invariant m(a: ${name}, b: ${name}): !(a@l && b@l); for progress, write a number of copies`,
      ] as const)
    : copy && count === 0
      ? ([`'${name}' is a single thread`, `write ${name} without an index`] as const)
      : !copy && count > 0
        ? ([
            `'${name}' stands for ${countOf(count, 'copy', 'copies')}`,
            `name one copy: ${name}[0]`,
          ] as const)
        : undefined;
  if (complaint) {
    const [message, hint] = complaint;
    problems.add(wrongOperand(span, message, hint));
    return undefined;
  }
  if (!copy) return first;
  const index = evaluateIn(copy, scope);
  if (index === undefined) return undefined;
  if (index >= 0 && index < count) return first + index;
  problems.add(indexOutOfBounds(copy.span, name, index, count));
  return undefined;
}

function evaluateIn(term: NativeTerm, { shared, problems }: PropertyScope): number | undefined {
  const scope = {
    lookUp: (name: string) => lookUpShared(shared, name),
    candidates: () => [...shared.constants.keys(), ...shared.symbolIds.keys()],
  };
  return evaluateConstant(term, scope, problems);
}

function lowerName(term: NameTerm, scope: PropertyScope): StateExpression | undefined {
  const { shared, problems } = scope;
  const meaning = lookUpShared(shared, term.name);
  if (!meaning) {
    const owner = [...scope.threads, ...(scope.bodies ?? [])].find(({ registers }) =>
      registers.has(term.name),
    );
    if (owner && scope.bodies) refuseTasks(term.span, scope);
    else if (owner)
      problems.add(
        wrongOperand(
          term.span,
          `'${term.name}' is a register of a thread`,
          `name the thread, too: ${owner.thread.name}.${term.name}`,
        ),
      );
    else
      problems.addUnknown(term.span, 'shared variable', term.name, () => [
        ...shared.symbolIds.keys(),
        ...shared.constants.keys(),
      ]);
    return undefined;
  }
  if (meaning.kind !== 'symbol' || (!term.index && !meaning.declaration.isArray)) {
    if (meaning.kind === 'symbol') return { kind: 'memory', address: meaning.declaration.base };
    const value = evaluateIn(term, scope);
    return value === undefined ? undefined : { kind: 'constant', value };
  }
  const { name, base, length, isArray } = meaning.declaration;
  if (!term.index || !isArray) {
    problems.add(
      isArray
        ? wrongOperand(term.span, `'${name}' is an array`, `name one of its cells: ${name}[0]`)
        : wrongOperand(term.span, `'${name}' is not an array`, `write ${name} without an index`),
    );
    return undefined;
  }
  const index = evaluateIn(term.index, scope);
  if (index === undefined) return undefined;
  if (index >= 0 && index < length) return { kind: 'memory', address: base + index };
  problems.add(indexOutOfBounds(term.index.span, name, index, length));
  return undefined;
}

/** Returns the expression for `ended(t)` or `drained(t)`; `undefined` after a reported error. */
function lowerCall(term: CallTerm, scope: PropertyScope): StateExpression | undefined {
  const kind = questions.find((known) => known === term.name);
  if (!kind) {
    scope.problems.add(unknownWord(term.span, 'question about threads', term.name, questions));
    return undefined;
  }
  if (refuseTasks(term.span, scope)) return undefined;
  const [argument, ...more] = term.arguments;
  if (argument?.kind !== 'name' || more.length > 0) {
    const hint = `write ${kind}(t)`;
    scope.problems.add(misplaced(term.span, `${kind} takes the name of a thread`, hint));
    return undefined;
  }
  const named = findNamed(argument.name, argument.index, argument.span, scope);
  return named && { kind, ...named };
}
