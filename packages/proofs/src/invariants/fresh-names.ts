import { constantValue } from '@fencewright/model/program/evaluate.js';
import type { RegisterId, SymbolId, ThreadId } from '@fencewright/model/program/ids.js';
import type { InvariantExpression } from '@fencewright/model/program/program.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { atPlace, CandidateMaker, implies, join, type Candidate } from './candidates.js';
import { computeValueClasses, symbolOfAddress, type ValueClasses } from './value-classes.js';

/** The maximum number of candidates about fresh names. */
const mostCandidates = 3000;

/** A register into which the program's text puts a fresh name: `n = fetch_add(counter, 1)`. */
interface FreshName {
  readonly thread: ThreadId;
  readonly register: RegisterId;
  readonly counter: SymbolId;
}

/**
 * Returns candidates for programs that give out names, such as nodes or tickets, by counting up:
 * every register, variable and cell that may hold a name holds a smaller number than the counter; a
 * name is at least the first name given out, so constants such as the null pointer 0 are not names;
 * and, place by place, only the register that received a name holds this name: no variable, no cell
 * of an array, no further register. Such claims are true of a node that its thread has not
 * published, and make the stores to the node left movers. Claims cover arrays as a whole,
 * `next[*]`. Programs without counting have no candidates.
 */
export function freshNameCandidates(program: ProofProgram): readonly Candidate[] {
  const classes = computeValueClasses(program.templates);
  const make = new CandidateMaker(program, 'fresh');
  const names = freshNames(program);
  const counters = new Set(names.map(({ counter }) => counter));
  const candidates = [
    ...[...counters].flatMap((counter) => [
      make.candidate([], atLeastFirst(program, counter, { kind: 'cell', symbol: counter })),
      ...belowCounter(program, classes, make, counter),
    ]),
    ...names.flatMap((name) => heldByNobody(program, classes, make, name)),
  ];
  return candidates.length > mostCandidates ? [] : candidates;
}

function freshNames({ templates }: ProofProgram): readonly FreshName[] {
  const found = new Map<string, FreshName>();
  for (const [thread, { transitions }] of templates.threads.entries())
    for (const { instruction } of transitions) {
      if (instruction.kind !== 'rmw' || instruction.operation.name !== 'fetch_add') continue;
      const { into: register, address, operation } = instruction;
      const counter = symbolOfAddress(templates, address);
      const [step] = operation.operands;
      if (register === undefined || counter === undefined || !step) continue;
      if (templates.symbols[counter]?.isArray !== false) continue;
      if ((constantValue(step, templates.symbols) ?? 0) > 0)
        found.set(`${thread}.${register}.${counter}`, { thread, register, counter });
    }
  return [...found.values()];
}

/**
 * Returns the variables and arrays that may hold names (numbers that a counter hands out), except
 * for the counter.
 */
function sharedHolders(
  { templates, memory }: ProofProgram,
  classes: ValueClasses,
  counter: SymbolId,
): readonly InvariantExpression[] {
  const wanted = classes.classOf({ kind: 'cell', symbol: counter });
  // If all of memory is one map, an array is only a part of the map.
  const isNamed = memory.variables.length >= templates.symbols.length;
  return templates.symbols.flatMap(({ isArray }, symbol): readonly InvariantExpression[] => {
    if (symbol === counter || classes.classOf({ kind: 'cell', symbol }) !== wanted) return [];
    if (!isArray) return [{ kind: 'cell', symbol }];
    return isNamed ? [{ kind: 'cell', symbol, index: { kind: 'every-index' } }] : [];
  });
}

/**
 * Returns the registers of a thread that may hold names, the numbers that the counter hands out.
 */
function registerHolders(
  { templates }: ProofProgram,
  classes: ValueClasses,
  counter: SymbolId,
  thread: ThreadId,
): readonly RegisterId[] {
  const wanted = classes.classOf({ kind: 'cell', symbol: counter });
  return [...(templates.threads[thread]?.registers.keys() ?? [])].filter(
    (register) => classes.classOf({ kind: 'register', thread, register }) === wanted,
  );
}

function belowCounter(
  program: ProofProgram,
  classes: ValueClasses,
  make: CandidateMaker,
  counter: SymbolId,
): readonly Candidate[] {
  const end: InvariantExpression = { kind: 'cell', symbol: counter };
  return [
    ...sharedHolders(program, classes, counter).map((holder) =>
      make.candidate([], join('<', holder, end)),
    ),
    ...program.threads.flatMap(({ thread }) =>
      registerHolders(program, classes, counter, thread).map((register) =>
        make.candidate([thread], join('<', { kind: 'register', binder: 0, register }, end)),
      ),
    ),
  ];
}

/** Returns the claim that a name is not smaller than the first name that the counter hands out. */
function atLeastFirst(
  { templates }: ProofProgram,
  counter: SymbolId,
  name: InvariantExpression,
): InvariantExpression {
  const [value = 0] = templates.symbols[counter]?.initial ?? [];
  return join('>=', name, { kind: 'constant', value });
}

/**
 * Returns candidates claiming, at each place of the thread, that the register holds a name given
 * out by the counter, and that nothing but the register holds this name.
 */
function heldByNobody(
  program: ProofProgram,
  classes: ValueClasses,
  make: CandidateMaker,
  { thread, register, counter }: FreshName,
): readonly Candidate[] {
  const mine: InvariantExpression = { kind: 'register', binder: 0, register };
  const shared = sharedHolders(program, classes, counter);
  const registersOf = (owner: ThreadId) => registerHolders(program, classes, counter, owner);
  const { places = [] } = program.threads[thread] ?? {};
  return places.flatMap((place) => {
    const here = [atPlace(0, { thread, place })];
    /**
     * Returns a weaker candidate for a cell of an array: the claim holds for all cells except the
     * cell whose index is the name itself, where a payload may equal the name. Returns none if
     * `holder` is no cell of an array.
     */
    const exceptOwnCell = (
      holder: InvariantExpression,
      claim: InvariantExpression,
    ): readonly Candidate[] => {
      if (holder.kind !== 'cell' || holder.index === undefined) return [];
      const isOwn = { kind: 'binary', operator: '==', left: holder.index, right: mine } as const;
      return [make.candidate([thread], implies(here, join('||', isOwn, claim)))];
    };
    const others = program.threads.filter(
      (other) => other.thread !== thread || program.unbounded.includes(thread),
    );
    return [
      make.candidate([thread], implies(here, atLeastFirst(program, counter, mine))),
      ...shared.map((holder) => {
        const claim = join('!=', holder, mine);
        return make.candidate([thread], implies(here, claim), exceptOwnCell(holder, claim));
      }),
      ...registersOf(thread)
        .filter((own) => own !== register)
        .map((own) => {
          const other: InvariantExpression = { kind: 'register', binder: 0, register: own };
          return make.candidate([thread], implies(here, join('!=', other, mine)));
        }),
      ...others.flatMap((owner) =>
        registersOf(owner.thread).map((held) => {
          const other: InvariantExpression = { kind: 'register', binder: 1, register: held };
          return make.candidate([thread, owner.thread], implies(here, join('!=', other, mine)));
        }),
      ),
    ];
  });
}
