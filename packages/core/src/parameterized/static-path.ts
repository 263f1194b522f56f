import type { AddressSet } from '../analysis/address-sets.js';
import { computeAddressSets } from '../analysis/address-sets.js';
import type { Program } from '../program/program.js';
import type { Attack } from '../verdict/attack.js';
import type { TemplateAutomata } from './template-automata.js';

/** What happens-before paths may have done to an address: nothing, only loads, stores. */
const level = { none: 0, load: 1, store: 2 } as const;

type AddressSets = ReturnType<typeof computeAddressSets>;

const computed = new WeakMap<Program, AddressSets>();

function addressSetsOf(program: Program): AddressSets {
  const known = computed.get(program);
  if (known) return known;
  const sets = computeAddressSets(program);
  computed.set(program, sets);
  return sets;
}

/**
 * Whether control flow and addresses alone show that no happens-before path leads from the attack's load to its store, whatever the values and
 * however many threads there are: access levels ([BDM13] Eqs. (8) to (13)) are closed over the code of the helpers.
 */
export function isInfeasibleByStaticPath(
  { pairs, all, classOf }: TemplateAutomata,
  attack: Attack,
): boolean {
  const { program } = pairs;
  const attacker = all.classes[classOf[attack.thread]!]![0]!;
  const sets = addressSetsOf(program);
  const loaded = sets[attacker]?.[attack.load] ?? 'any';
  const stored = sets[attacker]?.[attack.store] ?? 'any';
  if (loaded === 'any' || stored === 'any') return false;
  const closure = new PathClosure(program, attacker, sets, loaded, stored);
  return !closure.meetsTarget();
}

class PathClosure {
  readonly #program: Program;
  readonly #attacker: number;
  readonly #sets: AddressSets;
  readonly #target: ReadonlySet<number>;
  readonly #levels = new Map<number, number>();
  readonly #onPath = new Set<string>();
  #hasGrown = true;

  constructor(
    program: Program,
    attacker: number,
    sets: AddressSets,
    loaded: readonly number[],
    stored: readonly number[],
  ) {
    this.#program = program;
    this.#attacker = attacker;
    this.#sets = sets;
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
          const set = this.#sets[t]?.[id];
          const isOnPath =
            this.#onPath.has(`${t}.${from}`) ||
            (set !== undefined && this.#joins(set, instruction.kind));
          if (!isOnPath) continue;
          if (set !== undefined && this.#access(set, instruction.kind)) return true;
          this.#grow(this.#onPath.has(`${t}.${to}`), () => this.#onPath.add(`${t}.${to}`));
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
