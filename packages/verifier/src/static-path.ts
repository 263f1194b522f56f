import type { Automata, Expression, Instruction } from './automata.js';
import { blocksOf } from './control-flow.js';

/**
 * The addresses that an access may have, judging by the text of the instruction; `any` if the text
 * does not tell.
 */
export type Addresses = ReadonlySet<number> | 'any';

/** A transition of a thread, with the memory access if the instruction has one. */
interface PathStep {
  readonly from: number;
  readonly to: number;
  readonly addresses: Addresses | undefined;
  readonly isStore: boolean;
  /** The first locations of all lock blocks that may contain the transition. */
  readonly blocks: readonly number[];
}

/**
 * The kinds of accesses with which happens-before paths can reach a cell, the stronger kind with
 * the larger number. From a load, paths lead on to stores of the cell only; from a store, to loads
 * as well.
 */
const level = { load: 1, store: 2 } as const;

export function addressesOf({ symbols }: Automata, address: Expression): Addresses {
  switch (address.kind) {
    case 'constant':
      return new Set([address.value]);
    case 'address':
      return new Set([symbols[address.symbol]!.base]);
    case 'element': {
      const { base, length, boundless } = symbols[address.symbol]!;
      const { index } = address;
      if (index.kind === 'constant' && index.value >= 0 && index.value < length)
        return new Set([base + index.value]);
      return boundless ? 'any' : new Set(Array.from({ length }, (_, i) => base + i));
    }
    default:
      return 'any';
  }
}

export function writes({ kind }: Instruction): boolean {
  return kind === 'store' || kind === 'rmw';
}

/**
 * Decides from control flow and addresses alone, without values, that an attack has no
 * happens-before path from the load to the store. Collects all accesses of the other threads that
 * may be on a path ([BDM13] Sect. 5.2). If one access of a lock block is on the path, the whole
 * block is (docs/adr/0007). With `value` happens-before there are fewer paths.
 */
export class StaticPaths {
  readonly #steps: readonly (readonly PathStep[])[];
  readonly #addresses: readonly (readonly (Addresses | undefined)[])[];
  readonly #known = new Map<string, boolean>();

  constructor(automata: Automata) {
    this.#addresses = automata.threads.map(({ transitions }) =>
      transitions.map(({ instruction }) =>
        'address' in instruction ? addressesOf(automata, instruction.address) : undefined,
      ),
    );
    this.#steps = automata.threads.map((thread, t) => {
      const blocks = blocksOf(thread);
      return thread.transitions.map(({ from, to, instruction }, id) => ({
        from,
        to,
        addresses: this.#addresses[t]![id],
        isStore: writes(instruction),
        blocks: blocks.get(from) ?? [],
      }));
    });
  }

  refutes(thread: number, store: number, load: number): boolean {
    const stored = this.#addresses[thread]![store];
    const loaded = this.#addresses[thread]![load];
    if (stored === undefined || loaded === undefined) return false;
    if (stored === 'any' || loaded === 'any') return false;
    const name = `${thread};${[...stored].join()};${[...loaded].join()}`;
    const known = this.#known.get(name) ?? !this.#leads(thread, loaded, stored);
    this.#known.set(name, known);
    return known;
  }

  /**
   * Whether a happens-before path may lead from a load of the attacker to a store of the attacker.
   * The load is from one of the addresses `loaded`, and the store is to one of the addresses
   * `stored`.
   */
  #leads(attacker: number, loaded: ReadonlySet<number>, stored: ReadonlySet<number>): boolean {
    const levels = new Map<number, number>([...loaded].map((address) => [address, level.load]));
    const onPath = this.#steps.map(() => new Set<number>());
    const joins = ({ addresses, isStore }: PathStep): boolean => {
      if (addresses === undefined) return false;
      if (addresses === 'any') return true;
      const least = isStore ? level.load : level.store;
      return [...addresses].some((address) => (levels.get(address) ?? 0) >= least);
    };
    for (let hasGrown = true; hasGrown;) {
      hasGrown = false;
      const goTo = (its: Set<number>, location: number): void => {
        hasGrown ||= !its.has(location);
        its.add(location);
      };
      for (const [t, steps] of this.#steps.entries()) {
        if (t === attacker) continue;
        const its = onPath[t]!;
        for (const step of steps) {
          const { addresses, isStore } = step;
          if (!its.has(step.from) && !joins(step)) continue;
          goTo(its, step.to);
          for (const start of step.blocks) goTo(its, start);
          if (addresses === undefined) continue;
          if (addresses === 'any') return true;
          const raised = isStore ? level.store : level.load;
          for (const address of addresses) {
            if (stored.has(address)) return true;
            if ((levels.get(address) ?? 0) >= raised) continue;
            levels.set(address, raised);
            hasGrown = true;
          }
        }
      }
    }
    return false;
  }
}
