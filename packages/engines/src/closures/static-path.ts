import { at } from '@fencewright/ground/base/at.js';
import { fact } from '@fencewright/ground/base/fact.js';
import { computeAddressSets, type AddressSet } from '@fencewright/model/analysis/address-sets.js';
import { computeControlFlow, type ControlFlow } from '@fencewright/model/analysis/control-flow.js';
import { computeLockBlocks } from '@fencewright/model/analysis/lock-blocks.js';
import type { Expression } from '@fencewright/model/program/expression.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

/**
 * The access levels of an address: the accesses on the happens-before path were none, only loads,
 * or stores as well.
 */
const level = { none: 0, load: 1, store: 2 } as const;

/**
 * The maximum number of transitions visited by the path closures of a program; a larger program has
 * none.
 */
const maxVisits = 50_000_000;

/** A store, load or rmw. */
interface ThreadAccess {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/** The facts about a program for the path closures of all attacks of the program. */
interface ProgramFacts {
  /** The addresses that each instruction may touch, indexed by thread, then by transition. */
  readonly sets: readonly (readonly (AddressSet | undefined)[])[];
  /** For each thread, the control flow of its code, indexed by thread. */
  readonly flows: readonly ControlFlow[];
  /**
   * For each thread, a function that returns the locations in the lock block around a location;
   * indexed by thread.
   */
  readonly blocks: readonly ((at: LocationId) => readonly LocationId[])[];
  /** The accesses that may touch each address, by address; only accesses with known addresses. */
  readonly accesses: ReadonlyMap<number, readonly ThreadAccess[]>;
  /** The threads of which some access has an unknown address. */
  readonly anywhere: ReadonlySet<ThreadId>;
}

/**
 * Returns the possible addresses of an address expression, judged by the expression's text alone;
 * `any` for unknown addresses.
 */
function addressesInText({ symbols }: Program, address: Expression): AddressSet {
  switch (address.kind) {
    case 'constant':
      return [address.value];
    case 'address':
      return [at(symbols, address.symbol).base];
    case 'element': {
      const { base, length } = at(symbols, address.symbol);
      const { index } = address;
      return index.kind === 'constant' && index.value >= 0 && index.value < length
        ? [base + index.value]
        : 'any';
    }
    default:
      return 'any';
  }
}

function setsInText(program: Program): ProgramFacts['sets'] {
  return program.threads.map(({ transitions }) =>
    transitions.map(({ instruction }) =>
      'address' in instruction ? addressesInText(program, instruction.address) : undefined,
    ),
  );
}

const computeFacts = fact((program: Program) => factsOf(program, computeAddressSets(program)));
const computeFactsOfText = fact((program: Program) => factsOf(program, setsInText(program)));

function factsOf(program: Program, sets: ProgramFacts['sets']): ProgramFacts {
  const accesses = new Map<number, ThreadAccess[]>();
  const anywhere = new Set<ThreadId>();
  sets.forEach((own, thread) =>
    own.forEach((set, transition) => {
      if (set === 'any') anywhere.add(thread);
      else
        for (const address of set ?? []) {
          const known = accesses.get(address) ?? [];
          known.push({ thread, transition });
          accesses.set(address, known);
        }
    }),
  );
  return {
    sets,
    flows: program.threads.map((thread) => computeControlFlow(thread)),
    blocks: program.threads.map((thread) => computeLockBlocks(thread)),
    accesses,
    anywhere,
  };
}

/**
 * Decides which happens-before paths are possible by control flow and addresses alone, whatever the
 * values, the order of steps and the number of copies of a thread. Access levels ([BDM13] Eqs. (8)
 * to (13)) are closed over the code of the threads other than the attacker. If an access of a lock
 * block joins the path, the whole block is on the path (docs/adr/0007). Every real happens-before
 * path is among the possible ones.
 */
export class StaticPaths {
  readonly #program: Program;
  readonly #facts: ProgramFacts | undefined;
  /**
   * The results computed so far: the addresses that accesses on the path may access, by attacker,
   * the addresses of its last load, and whether the load also writes.
   */
  readonly #met = new Map<string, ReadonlySet<number>>();

  /**
   * With `text`, the possible addresses of accesses are taken from the program's text alone, as a
   * checker takes them that computes no values.
   */
  constructor(program: Program, by: 'values' | 'text' = 'values') {
    this.#program = program;
    const size = program.threads.reduce((sum, { transitions }) => sum + transitions.length, 0);
    this.#facts =
      size * size > maxVisits
        ? undefined
        : (by === 'text' ? computeFactsOfText : computeFacts)(program);
  }

  /**
   * Whether no happens-before path leads from the attack's last load to its first delayed store.
   */
  refutes({ thread, store, load }: Attack): boolean {
    const facts = this.#facts;
    if (!facts) return false;
    const loaded = facts.sets[thread]?.[load] ?? 'any';
    const stored = facts.sets[thread]?.[store] ?? 'any';
    if (loaded === 'any' || stored === 'any') return false;
    for (const other of facts.anywhere) if (other !== thread) return false;
    // A posting that ends an attack counts as a store to its mailbox.
    const isStore = this.#program.threads[thread]?.transitions[load]?.instruction.kind === 'rmw';
    const name = `${thread}:${isStore ? 's' : 'l'}:${loaded.join()}`;
    let met = this.#met.get(name);
    if (!met) {
      const closure = new PathClosure(this.#program, thread, facts);
      met = closure.from(loaded, isStore ? level.store : level.load);
      this.#met.set(name, met);
    }
    return !stored.some((address) => met.has(address));
  }
}

/** Computes the addresses that accesses on the happens-before path of an attack may access. */
class PathClosure {
  readonly #program: Program;
  readonly #attacker: ThreadId;
  readonly #facts: ProgramFacts;
  readonly #levels = new Map<number, number>();
  readonly #raised: number[] = [];
  /**
   * For each thread, the possible locations of the thread on the happens-before path; indexed by
   * thread.
   */
  readonly #onPath: readonly Set<LocationId>[];
  readonly #pending: (readonly [thread: ThreadId, at: LocationId])[] = [];
  readonly #met = new Set<number>();

  constructor(program: Program, attacker: ThreadId, facts: ProgramFacts) {
    this.#program = program;
    this.#attacker = attacker;
    this.#facts = facts;
    this.#onPath = program.threads.map(() => new Set());
  }

  /**
   * Returns the addresses that accesses on the path may touch if the last load leaves the level
   * `reached` at the addresses `loaded`.
   */
  from(loaded: readonly number[], reached: number): ReadonlySet<number> {
    for (const address of loaded) this.#raise(address, reached);
    for (;;) {
      const place = this.#pending.pop();
      if (place) {
        const [thread, at] = place;
        for (const id of this.#facts.flows[thread]!.outgoing[at] ?? []) this.#pass(thread, id);
        continue;
      }
      const address = this.#raised.pop();
      if (address === undefined) return this.#met;
      for (const { thread, transition } of this.#facts.accesses.get(address) ?? [])
        if (thread !== this.#attacker && this.#joins(thread, transition, address))
          this.#pass(thread, transition);
    }
  }

  #raise(address: number, reached: number): void {
    if ((this.#levels.get(address) ?? level.none) >= reached) return;
    this.#levels.set(address, reached);
    this.#raised.push(address);
  }

  #joins(thread: ThreadId, transition: TransitionId, address: number): boolean {
    const { kind } = this.#program.threads[thread]!.transitions[transition]!.instruction;
    const least = kind === 'load' ? level.store : level.load;
    return (this.#levels.get(address) ?? level.none) >= least;
  }

  /**
   * Puts a step on the happens-before path: the thread is on the path at all locations after the
   * step, and at every location of the step's lock block.
   */
  #pass(thread: ThreadId, transition: TransitionId): void {
    const { from, to, instruction } = this.#program.threads[thread]!.transitions[transition]!;
    const raised = instruction.kind === 'load' ? level.load : level.store;
    const set = this.#facts.sets[thread]![transition];
    for (const address of set === 'any' ? [] : (set ?? [])) {
      this.#met.add(address);
      this.#raise(address, raised);
    }
    for (const at of [...this.#facts.blocks[thread]!(from), to]) this.#put(thread, at);
  }

  #put(thread: ThreadId, at: LocationId): void {
    if (this.#onPath[thread]!.has(at)) return;
    this.#onPath[thread]!.add(at);
    this.#pending.push([thread, at]);
  }
}
