import type { AddressSet } from '../analysis/address-sets.js';
import { computeAddressSets } from '../analysis/address-sets.js';
import { computeLockBlocks } from '../analysis/lock-blocks.js';
import type { LocationId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { Attack } from '../verdict/attack.js';
import type { TemplateAutomata } from './template-automata.js';

/** What happens-before paths may have done to an address: nothing, only loads, stores. */
const level = { none: 0, load: 1, store: 2 } as const;

/** What the closures of all attacks of a program share; both indexed by thread. */
interface ProgramFacts {
  readonly sets: ReturnType<typeof computeAddressSets>;
  readonly blocks: readonly ((at: LocationId) => readonly LocationId[])[];
}

const computed = new WeakMap<Program, ProgramFacts>();

function factsOf(program: Program): ProgramFacts {
  const known = computed.get(program);
  if (known) return known;
  const blocks = program.threads.map((thread) => computeLockBlocks(thread));
  const facts = { sets: computeAddressSets(program), blocks };
  computed.set(program, facts);
  return facts;
}

/**
 * Whether control flow and addresses alone show that no happens-before path leads from the attack's
 * load to its store, whatever the values and however many threads there are: access levels ([BDM13]
 * Eqs. (8) to (13)) are closed over the code of the helpers. A lock block of which an access joins
 * the path is on it as a whole (docs/adr/0007).
 */
export function isInfeasibleByStaticPath(
  { pairs, all, classOf }: TemplateAutomata,
  attack: Attack,
): boolean {
  const { program } = pairs;
  const attacker = all.classes[classOf[attack.thread]!]![0]!;
  const facts = factsOf(program);
  const { sets } = facts;
  const loaded = sets[attacker]?.[attack.load] ?? 'any';
  const stored = sets[attacker]?.[attack.store] ?? 'any';
  if (loaded === 'any' || stored === 'any') return false;
  const closure = new PathClosure(program, attacker, facts, loaded, stored);
  return !closure.meetsTarget();
}

class PathClosure {
  readonly #program: Program;
  readonly #attacker: number;
  readonly #facts: ProgramFacts;
  readonly #target: ReadonlySet<number>;
  readonly #levels = new Map<number, number>();
  readonly #onPath = new Set<string>();
  #hasGrown = true;

  constructor(
    program: Program,
    attacker: number,
    facts: ProgramFacts,
    loaded: readonly number[],
    stored: readonly number[],
  ) {
    this.#program = program;
    this.#attacker = attacker;
    this.#facts = facts;
    this.#target = new Set(stored);
    for (const address of loaded) this.#levels.set(address, level.load);
  }

  /** Whether an access on the path may go to the address of the delayed store. */
  meetsTarget(): boolean {
    while (this.#hasGrown) {
      this.#hasGrown = false;
      for (const [t, { transitions }] of this.#program.threads.entries()) {
        if (t === this.#attacker) continue;
        for (const [id, { from, to, instruction }] of transitions.entries()) {
          const set = this.#facts.sets[t]?.[id];
          const isOnPath =
            this.#onPath.has(`${t}.${from}`) ||
            (set !== undefined && this.#joins(set, instruction.kind));
          if (!isOnPath) continue;
          if (set !== undefined && this.#access(set, instruction.kind)) return true;
          for (const at of [...this.#facts.blocks[t]!(from), to])
            this.#grow(this.#onPath.has(`${t}.${at}`), () => this.#onPath.add(`${t}.${at}`));
        }
      }
    }
    return false;
  }

  #grow(isThere: boolean, add: () => void): void {
    if (isThere) return;
    add();
    this.#hasGrown = true;
  }

  #joins(set: AddressSet, kind: string): boolean {
    if (set === 'any') return true;
    const least = kind === 'load' ? level.store : level.load;
    return set.some((address) => (this.#levels.get(address) ?? level.none) >= least);
  }

  /** Raises levels; tells whether the target may be met. */
  #access(set: AddressSet, kind: string): boolean {
    if (set === 'any' || set.some((address) => this.#target.has(address))) return true;
    const raised = kind === 'load' ? level.load : level.store;
    for (const address of set)
      this.#grow((this.#levels.get(address) ?? level.none) >= raised, () =>
        this.#levels.set(address, raised),
      );
    return false;
  }
}
