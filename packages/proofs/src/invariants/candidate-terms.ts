import { computeLiveRegisters, instructionAccess } from '@fencewright/model/analysis/liveness.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import {
  forEachRegister,
  hasPart,
  keyOf,
  mapLeaves,
  mapParts,
  selfRegister,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId, SymbolId, ThreadId } from '@fencewright/model/program/ids.js';
import type { InvariantExpression } from '@fencewright/model/program/program.js';
import { operandsOf } from '@fencewright/model/program/rewrite.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { isOwnIndex, symbolOfAddress, type ValueClasses } from './value-classes.js';

/** A term that candidate invariants compare. */
export interface CandidateTerm {
  /** Returns the term as an expression about the thread bound by `binder`. */
  readonly expression: (binder: number) => InvariantExpression;
  /**
   * The class of the term's values: candidate invariants do not compare terms of different classes.
   */
  readonly valueClass: string;
  /**
   * - `shared`: a term independent of threads.
   * - `name`: the number of a thread, or an expression over this number.
   * - `register`: a register of a thread.
   * - `cell`: a cell of shared memory at an index given by a thread.
   */
  readonly kind: 'shared' | 'name' | 'register' | 'cell';
  /** The registers read by the term; only live registers are useful. */
  readonly registers: readonly RegisterId[];
}

/** The terms that candidate invariants of a program compare. */
export interface CandidateTerms {
  readonly shared: readonly CandidateTerm[];
  /** For each thread, its candidate terms, indexed by `ThreadId`. */
  readonly threads: readonly (readonly CandidateTerm[])[];
  /** Whether all registers of the term are live when the thread is at the location. */
  readonly isLive: (term: CandidateTerm, thread: ThreadId, location: LocationId) => boolean;
}

/**
 * Returns the terms of a program: the shared terms (scalars, cells with a constant index, and cells
 * that variables point to) and the terms of each thread (its registers, its number, and the cells
 * at indices in its code).
 */
export function candidateTerms(
  { templates, unbounded }: ProofProgram,
  classes: ValueClasses,
): CandidateTerms {
  const { symbols } = templates;
  const cellClass = (symbol: SymbolId): string => classes.classOf({ kind: 'cell', symbol });
  const shared = new Map<string, CandidateTerm>();
  const addShared = (symbol: SymbolId, index?: InvariantExpression): void => {
    const expression = { kind: 'cell', symbol, ...(index && { index }) } as const;
    shared.set(keyOf(expression), {
      expression: () => expression,
      valueClass: cellClass(symbol),
      kind: 'shared',
      registers: [],
    });
  };
  const scalars = symbols.flatMap(({ isArray }, symbol) => (isArray ? [] : [symbol]));
  for (const symbol of scalars) addShared(symbol);
  for (const [symbol, { isArray }] of symbols.entries())
    if (isArray)
      for (const pointer of scalars)
        if (classes.classOf({ kind: 'index', symbol }) === cellClass(pointer))
          addShared(symbol, { kind: 'cell', symbol: pointer });
  const threads = templates.threads.map((owner, thread) => {
    const terms = new Map<string, CandidateTerm>();
    const add = (kind: CandidateTerm['kind'], source: Expression, symbol?: SymbolId): void => {
      const valueClass =
        symbol === undefined ? classes.classOfExpression(thread, source) : cellClass(symbol);
      if (valueClass === undefined || !isArithmetic(source)) return;
      const registers = registersOf(source).filter((register) => register !== selfRegister);
      const expression = (binder: number): InvariantExpression => {
        const index = ofBoundThread(source, binder);
        return symbol === undefined ? index : { kind: 'cell', symbol, index };
      };
      terms.set(keyOf(expression(0)), { expression, valueClass, kind, registers });
    };
    for (const register of owner.registers.keys()) add('register', { kind: 'register', register });
    for (const { instruction } of owner.transitions) {
      const parts = operandsOf(instruction);
      for (const part of parts)
        if (unbounded.includes(thread)) for (const own of ownParts(part)) add('name', own);
      for (const part of parts) {
        if (part.kind !== 'element') {
          if (!('address' in instruction) || part !== instruction.address) continue;
          const symbol = symbolOfAddress(templates, part);
          const { isArray, base = 0 } = symbols[symbol ?? -1] ?? {};
          if (symbol !== undefined && isArray && part.kind === 'constant')
            addShared(symbol, { kind: 'constant', value: part.value - base });
        } else if (part.index.kind === 'constant') addShared(part.symbol, part.index);
        else add('cell', part.index, part.symbol);
      }
    }
    return [...terms.values()];
  });
  const live = templates.threads.map((thread) => computeLiveRegisters(thread, instructionAccess));
  return {
    shared: [...shared.values()],
    threads,
    isLive: ({ registers }, thread, location) =>
      registers.every((register) => live[thread]?.[location]?.[register] === true),
  };
}

/** Returns the largest parts of an expression that read `self` and no further register. */
function ownParts(expression: Expression): readonly Expression[] {
  if (isOwnIndex(expression) && registersOf(expression).length > 0) return [expression];
  const found: Expression[] = [];
  mapParts(expression, (part) => {
    found.push(...ownParts(part));
    return part;
  });
  return found;
}

function registersOf(expression: Expression): readonly RegisterId[] {
  const found = new Set<RegisterId>();
  forEachRegister(expression, (register) => found.add(register));
  return [...found];
}

/** Whether the expression consists of numbers and registers only. */
function isArithmetic(expression: Expression): boolean {
  return !hasPart(expression, ({ kind }) => kind === 'address' || kind === 'element');
}

/** Returns an expression of a thread's code as one about the thread bound by `binder`. */
export function ofBoundThread(expression: Expression, binder: number): InvariantExpression {
  return mapLeaves(expression, (leaf) => {
    if (leaf.kind !== 'register') throw new InternalError('an address is no term');
    return { kind: 'register', binder, register: leaf.register };
  });
}
