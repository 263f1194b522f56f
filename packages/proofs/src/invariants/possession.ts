import { hasPart, isSame, type Expression } from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId, SymbolId, ThreadId } from '@fencewright/model/program/ids.js';
import type { InvariantExpression, Thread } from '@fencewright/model/program/program.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { atPlace, CandidateMaker, implies, join, type Candidate } from './candidates.js';
import { ofBoundThread } from './candidate-terms.js';
import { placesBeforeGiving, placesHolding } from './held-registers.js';
import { programConstants } from './program-constants.js';
import {
  computeValueClasses,
  isOwnIndex,
  symbolOfAddress,
  type ValueClasses,
} from './value-classes.js';

/** The maximum number of candidates, not counting their weaker candidates. */
const mostCandidates = 2000;

/**
 * A register that holds a name (a ticket, a slot or a node) at some places of a thread; at all of
 * these places, the name comes from the same instructions.
 */
interface Holding {
  readonly thread: ThreadId;
  /**
   * The expression for the name. At places where the register is set, the expression is the
   * register; at earlier places, it is the expression over the thread's own number that the thread
   * will assign to the register.
   */
  readonly name: Expression;
  readonly places: readonly LocationId[];
}

/**
 * The parts of a program related to the names of one class (tickets, slots or nodes of one kind).
 */
interface NameClass {
  readonly holdings: readonly Holding[];
  readonly scalars: readonly SymbolId[];
  /** The arrays indexed by names of this class. */
  readonly arrays: readonly SymbolId[];
  /**
   * Whether some locked instruction adds to a variable of the class. If so, candidates may compare
   * names by `<`.
   */
  readonly isCounted: boolean;
}

/**
 * Returns candidates about who holds which name, for programs in which locked instructions give out
 * names: tickets, slots or nodes. At the places where threads hold names in registers: two threads
 * hold different names, or names in order; a name differs from, or is ordered with, a shared
 * variable; the cell of a name has, or has not, a constant value; of the cells of two names, or of
 * a name and a variable, one has not a constant value; and, if `speaksOfAllCells`, the cells of
 * larger names are 0. These are the shapes of invariants of ticket locks, array locks and list
 * locks. Candidates are about all places of a register together; weaker ones are about single
 * places.
 */
export function possessionCandidates(
  program: ProofProgram,
  speaksOfAllCells: boolean,
): readonly Candidate[] {
  const classes = nameClasses(program);
  const counts = classes.some(({ isCounted, arrays }) => isCounted && arrays.length > 0);
  if (speaksOfAllCells && !counts) return [];
  const maker = new PossessionMaker(program, speaksOfAllCells);
  const candidates = classes.flatMap((names) => maker.about(names));
  return candidates.length > mostCandidates ? [] : candidates;
}

/** Returns the classes of the variables that hold names and are changed by locked instructions. */
function nameClasses(program: ProofProgram): readonly NameClass[] {
  const { templates } = program;
  const classes = computeValueClasses(templates);
  const found = new Map<string, boolean>();
  for (const { transitions } of templates.threads)
    for (const { instruction } of transitions) {
      if (instruction.kind !== 'rmw') continue;
      const symbol = symbolOfAddress(templates, instruction.address);
      if (symbol === undefined || templates.symbols[symbol]?.isArray !== false) continue;
      const cell = classes.classOf({ kind: 'cell', symbol });
      const isCounted = isIncrement(instruction.operation);
      const isIndex = templates.symbols.some(
        ({ isArray }, array) =>
          isArray && classes.classOf({ kind: 'index', symbol: array }) === cell,
      );
      if (isCounted || isIndex) found.set(cell, isCounted || found.get(cell) === true);
    }
  return [...found].map(([name, isCounted]) => classOf(program, classes, name, isCounted));
}

/**
 * Whether the operation adds to the value of its cell: a fetch-and-add, or a `cas` that replaces
 * the value of a register by a sum with this register.
 */
function isIncrement({
  name,
  operands,
}: {
  name: string;
  operands: readonly Expression[];
}): boolean {
  if (name === 'fetch_add') return true;
  const [expected, desired] = operands;
  return (
    name === 'cas' &&
    expected?.kind === 'register' &&
    desired?.kind === 'binary' &&
    desired.operator === '+' &&
    desired.left.kind === 'register' &&
    desired.left.register === expected.register
  );
}

/**
 * Returns the expression over the thread's own number, such as `self + 1`, assigned to the register
 * by the thread; `undefined` if the thread assigns no such expression.
 */
function ownName({ transitions }: Thread, register: RegisterId): Expression | undefined {
  for (const { instruction } of transitions)
    if (
      instruction.kind === 'assign' &&
      instruction.into === register &&
      isOwnIndex(instruction.value) &&
      hasPart(instruction.value, ({ kind }) => kind === 'register')
    )
      return instruction.value;
  return undefined;
}

function classOf(
  { templates, threads }: ProofProgram,
  classes: ValueClasses,
  name: string,
  isCounted: boolean,
): NameClass {
  const holdings = threads.flatMap(({ thread, places }) => {
    const owner = templates.threads[thread];
    if (!owner) return [];
    return [...owner.registers.keys()].flatMap((register) => {
      if (classes.classOf({ kind: 'register', thread, register }) !== name) return [];
      const own = ownName(owner, register);
      const unborn = own ? placesBeforeGiving(owner, register, places) : [];
      return [
        ...placesHolding(owner, register, places).map((held) => ({
          thread,
          name: { kind: 'register', register } as const,
          places: held,
        })),
        ...(own && unborn.length > 0 ? [{ thread, name: own, places: unborn }] : []),
      ];
    });
  });
  const symbols = [...templates.symbols.entries()];
  return {
    holdings,
    scalars: symbols.flatMap(([symbol, { isArray }]) =>
      !isArray && classes.classOf({ kind: 'cell', symbol }) === name ? [symbol] : [],
    ),
    arrays: symbols.flatMap(([symbol, { isArray }]) =>
      isArray && classes.classOf({ kind: 'index', symbol }) === name ? [symbol] : [],
    ),
    isCounted,
  };
}

const everyIndex: InvariantExpression = { kind: 'every-index' };
const constant = (value: number): InvariantExpression => ({ kind: 'constant', value });
const cellOf = (symbol: SymbolId, index?: InvariantExpression): InvariantExpression => ({
  kind: 'cell',
  symbol,
  ...(index && { index }),
});
const held = (binder: number, { name }: Holding): InvariantExpression =>
  ofBoundThread(name, binder);
const equal = (left: InvariantExpression, right: InvariantExpression): InvariantExpression => ({
  kind: 'binary',
  operator: '==',
  left,
  right,
});

/** Makes candidates about the holders of names (tickets, slots or nodes) in one program. */
class PossessionMaker {
  readonly #program: ProofProgram;
  readonly #make: CandidateMaker;
  readonly #speaksOfAllCells: boolean;
  readonly #constants: readonly number[];
  readonly #classes: ValueClasses;

  constructor(program: ProofProgram, speaksOfAllCells: boolean) {
    this.#program = program;
    this.#speaksOfAllCells = speaksOfAllCells;
    this.#make = new CandidateMaker(program, 'held');
    this.#constants = programConstants(program.templates).filter(
      (value) => value >= 0 && value < 3,
    );
    this.#classes = computeValueClasses(program.templates);
  }

  about(names: NameClass): readonly Candidate[] {
    const { holdings, scalars, arrays } = names;
    return [
      ...scalars.flatMap((scalar) => this.#ofScalar(scalar, names)),
      ...holdings.flatMap((holding) => this.#ofHolding(holding, names)),
      ...this.#pairs(holdings).flatMap(([one, other]) => this.#ofPair(one, other, names)),
      ...arrays.flatMap((array) => this.#cellsOfTwo(array, names)),
    ];
  }

  #ofScalar(scalar: SymbolId, { scalars, arrays, isCounted }: NameClass): readonly Candidate[] {
    if (!isCounted) return [];
    const mine = cellOf(scalar);
    const [initial = 0] = this.#program.templates.symbols[scalar]?.initial ?? [];
    return [
      this.#make.candidate([], join('>=', mine, constant(initial))),
      ...scalars
        .filter((other) => other !== scalar)
        .flatMap((other) =>
          (['<', '<='] as const).map((operator) =>
            this.#make.candidate([], join(operator, mine, cellOf(other))),
          ),
        ),
      ...(this.#speaksOfAllCells ? arrays : []).map((array) =>
        this.#make.candidate([], this.#emptyBeyond(array, mine, '<'), [
          this.#make.candidate([], this.#emptyBeyond(array, mine, '<=')),
        ]),
      ),
    ];
  }

  /**
   * Returns the condition that the cells of the array at indices from `name` on are 0; with `<=`,
   * the condition excludes the cell at index `name`.
   */
  #emptyBeyond(
    array: SymbolId,
    name: InvariantExpression,
    relation: '<' | '<=',
  ): InvariantExpression {
    return join(
      '||',
      join(relation, everyIndex, name),
      equal(cellOf(array, everyIndex), constant(0)),
    );
  }

  /**
   * Returns a candidate for a claim about one thread at all places of a holding. Its weaker
   * candidates make the claim at single places.
   */
  #everywhere(holding: Holding, claim: InvariantExpression): Candidate {
    const { thread, places } = holding;
    const at = (some: readonly LocationId[]): InvariantExpression =>
      implies([anyOf(some.map((place) => atPlace(0, { thread, place })))], claim);
    return this.#make.candidate(
      [thread],
      at(places),
      places.length > 1 ? places.map((place) => this.#make.candidate([thread], at([place]))) : [],
    );
  }

  #ofHolding(holding: Holding, { scalars, arrays, isCounted }: NameClass): readonly Candidate[] {
    const mine = held(0, holding);
    const least = Math.min(
      ...scalars.map((scalar) => this.#program.templates.symbols[scalar]?.initial[0] ?? 0),
    );
    const claims = [
      ...(isCounted ? [join('>=', mine, constant(least))] : []),
      ...scalars.flatMap((scalar) => [
        ...(isCounted
          ? (['<', '<=', '>='] as const).map((operator) => join(operator, mine, cellOf(scalar)))
          : []),
        join('!=', cellOf(scalar), mine),
        equal(cellOf(scalar), mine),
      ]),
      ...arrays.flatMap((array) => [
        ...this.#constants.flatMap((value) => [
          equal(cellOf(array, mine), constant(value)),
          join('!=', cellOf(array, mine), constant(value)),
        ]),
        ...(this.#holdsNames(array) ? [equal(cellOf(array, mine), mine)] : []),
        ...(isCounted && this.#speaksOfAllCells ? [this.#emptyBeyond(array, mine, '<=')] : []),
      ]),
    ];
    return claims.map((claim) => this.#everywhere(holding, claim));
  }

  /** Whether the cells of an array hold names that index the array. */
  #holdsNames(symbol: SymbolId): boolean {
    return (
      this.#classes.classOf({ kind: 'cell', symbol }) ===
      this.#classes.classOf({ kind: 'index', symbol })
    );
  }

  #pairs(holdings: readonly Holding[]): readonly (readonly [Holding, Holding])[] {
    const { unbounded } = this.#program;
    return holdings.flatMap((one, i) =>
      holdings
        .slice(i)
        .filter((other) => other.thread !== one.thread || unbounded.includes(one.thread))
        .map((other) => [one, other] as const),
    );
  }

  #ofPair(one: Holding, other: Holding, { isCounted }: NameClass): readonly Candidate[] {
    const claims = [
      join('!=', held(0, one), held(1, other)),
      ...(isCounted && isSame(one.name, other.name) && one.thread === other.thread
        ? (one === other ? (['<='] as const) : (['<=', '>='] as const)).map((operator) =>
            join(operator, held(0, one), held(1, other)),
          )
        : []),
    ];
    return claims.map((claim) => this.#ofTwo(one, other, claim, true));
  }

  /**
   * Returns a candidate for a claim about two threads, each at one of the places of its holding.
   * With `isAlsoAtPlaces`, its weaker candidates make the claim at single pairs of places.
   */
  #ofTwo(
    one: Holding,
    other: Holding,
    claim: InvariantExpression,
    isAlsoAtPlaces: boolean,
  ): Candidate {
    const threads = [one.thread, other.thread];
    const premise = (some: readonly LocationId[], others: readonly LocationId[]) => [
      anyOf(some.map((place) => atPlace(0, { thread: one.thread, place }))),
      anyOf(others.map((place) => atPlace(1, { thread: other.thread, place }))),
    ];
    const weaker = isAlsoAtPlaces
      ? one.places.flatMap((a) =>
          other.places.map((b) => this.#make.candidate(threads, implies(premise([a], [b]), claim))),
        )
      : [];
    return this.#make.candidate(threads, implies(premise(one.places, other.places), claim), weaker);
  }

  /**
   * Returns candidates claiming that at most one, or at least one, of two cells has a certain
   * value.
   */
  #cellsOfTwo(array: SymbolId, { holdings, scalars }: NameClass): readonly Candidate[] {
    const tests = this.#constants.flatMap((value) => [
      (index: InvariantExpression) => join('!=', cellOf(array, index), constant(value)),
      (index: InvariantExpression) => equal(cellOf(array, index), constant(value)),
    ]);
    return tests.flatMap((passes) => [
      ...this.#pairs(holdings).map(([one, other]) =>
        this.#ofTwo(one, other, join('||', passes(held(0, one)), passes(held(1, other))), false),
      ),
      ...holdings.flatMap((holding) =>
        scalars.map((scalar) =>
          this.#everywhere(holding, join('||', passes(held(0, holding)), passes(cellOf(scalar)))),
        ),
      ),
    ]);
  }
}

/** Returns the disjunction of at least one condition. */
function anyOf(conditions: readonly InvariantExpression[]): InvariantExpression {
  return conditions.reduce((left, right) => join('||', left, right));
}
