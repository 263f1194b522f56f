import type { Body, BodyId } from '@fencewright/model/program/event-program.js';
import { selfRegister } from '@fencewright/model/program/expression.js';
import type { RegisterId, SymbolId } from '@fencewright/model/program/ids.js';
import type { Domain, SharedSymbol } from '@fencewright/model/program/program.js';
import { misplaced, outsideDomain } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { ProblemList } from './problem-list.js';

/**
 * The facts about an event or procedure needed for calls and postings: number, kind and parameters.
 */
export interface BodySignature {
  readonly id: BodyId;
  readonly role: Body['role'];
  /**
   * The number of parameters of the event or procedure; `undefined` if an error made some
   * unreadable.
   */
  readonly parameters: number | undefined;
}

/** The names declared for the whole program. */
export interface SharedScope {
  readonly constants: ReadonlyMap<string, number>;
  /** By name, the ids of the shared variables. */
  readonly symbolIds: ReadonlyMap<string, SymbolId>;
  /** The shared variables, indexed by `SymbolId`. */
  readonly symbols: readonly SharedSymbol[];
  readonly domain?: Domain;
  /** By name, the events and procedures. */
  readonly bodies: ReadonlyMap<string, BodySignature>;
  /** Whether the program consists of events instead of threads. */
  readonly isEventDriven: boolean;
  /**
   * By name, the spans of the declarations of constants, shared variables, events and procedures.
   */
  readonly places: ReadonlyMap<string, Span>;
}

/** The names declared in one thread, and for the whole program. */
export interface ThreadScope {
  readonly shared: SharedScope;
  readonly registers: ReadonlyMap<string, RegisterId>;
  /**
   * The number of copies of the thread; `invocations` for events and procedures, which have no
   * copies.
   */
  readonly copies: DeclaredCopies | { readonly kind: 'invocations' };
}

/**
 * The number of copies that a thread's declaration asks for: one, a fixed number, or any number.
 */
export type DeclaredCopies =
  | { readonly kind: 'single' }
  | { readonly kind: 'fixed'; readonly count: number }
  | { readonly kind: 'any' };

/** The meaning of a name in an expression. */
export type NameMeaning =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'symbol'; readonly symbol: SymbolId; readonly declaration: SharedSymbol }
  | { readonly kind: 'register'; readonly register: RegisterId };

/** Returns the meaning of `name` in a thread; `undefined` after a reported error. */
export function lookUp(
  scope: ThreadScope,
  name: string,
  span: Span,
  problems: ProblemList,
): NameMeaning | undefined {
  if (name === 'self') return lookUpSelf(scope, span, problems);
  const register = scope.registers.get(name);
  if (register !== undefined) return { kind: 'register', register };
  const shared = lookUpShared(scope.shared, name);
  if (shared) return shared;
  problems.addUnknown(span, 'variable', name, () => [
    ...scope.registers.keys(),
    ...scope.shared.symbolIds.keys(),
    ...scope.shared.constants.keys(),
  ]);
  return undefined;
}

/** Returns the meaning of `name` outside of threads; `undefined` if there is none. */
export function lookUpShared(scope: SharedScope, name: string): NameMeaning | undefined {
  const value = scope.constants.get(name);
  if (value !== undefined) return { kind: 'constant', value };
  const symbol = scope.symbolIds.get(name);
  return symbol === undefined
    ? undefined
    : { kind: 'symbol', symbol, declaration: scope.symbols[symbol]! };
}

function lookUpSelf(
  scope: ThreadScope,
  span: Span,
  problems: ProblemList,
): NameMeaning | undefined {
  switch (scope.copies.kind) {
    case 'fixed':
    case 'any':
      return { kind: 'register', register: selfRegister };
    case 'invocations':
      problems.add(
        misplaced(
          span,
          "'self' is the number of a thread's copy, and events and procedures have no such number",
          'pass the number as an argument',
        ),
      );
      return undefined;
    case 'single':
      problems.add(
        misplaced(
          span,
          "'self' stands in a thread without copies",
          'write the number of copies: thread t[2] { ... }',
        ),
      );
      return undefined;
  }
}

/** Reports a constant to be stored that lies outside the domain. */
export function checkDomain(
  { domain }: SharedScope,
  value: number | undefined,
  span: Span,
  problems: ProblemList,
): void {
  if (!domain || value === undefined || (value >= domain.low && value <= domain.high)) return;
  problems.add(outsideDomain(span, value, domain.low, domain.high));
}
