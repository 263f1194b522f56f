import type { Automata } from '../../src/automata.js';
import { Budget, Endless } from '../../src/budget.js';
import { Met } from '../../src/code.js';
import { AttackSteps } from '../../src/attack/steps.js';
import { attackThreads } from '../../src/attack/thread.js';
import { ModularInvariant, type WrittenInvariant } from '../../src/modular/invariant.js';
import { AttackRefuter } from '../../src/attack/refute-attacks.js';
import { openAttacks } from '../../src/control-flow.js';
import { readAutomata } from '../../src/read-automata.js';
import { ShapeError } from '../../src/shape.js';
import { blindClosure } from '../copies/blind-closure.js';
import { pick } from '../forgeries.js';
import { leastInvariants } from '../modular/least-invariant.js';
import { jsonOf } from './json.js';
import type { Operation } from './operations.js';

const mostPlaces = 60;
const mostTries = 24;

/** Returns the number of attacks refuted by a refuter that trusts the invariant. */
function countRefuted(
  automata: Automata,
  written: WrittenInvariant,
  stores: readonly { thread: number; store: number; loads: readonly number[] }[],
): number {
  const invariant = new ModularInvariant(
    automata,
    attackThreads(automata, 'standard'),
    written,
    [],
  );
  return stores.filter(({ thread, store, loads }) => {
    const refuter = new AttackRefuter(invariant, new Budget({}));
    return refuter.refute(thread, store, new Set(loads)).kind === 'refuted';
  }).length;
}

/** Returns the change, restricted to programs with enumerable states. */
function ifClosed(change: Operation): Operation {
  return (material) => {
    try {
      return change(material);
    } catch (error) {
      if (error instanceof Met || error instanceof Endless || error instanceof ShapeError)
        return false;
      throw error;
    }
  };
}

/**
 * Forges invariants as a forger who knows the verifier's steps would: the invariants are closed
 * under these steps by construction, so only the basis of the certificate is wrong.
 */
export const closedInvariants: Readonly<Record<string, Operation>> = {
  'an invariant is closed over owners by chance, and all attacks are claimed': ifClosed(
    ({ draft, chance }) => {
      if (draft.kind !== 'robust') return false;
      const automata = readAutomata(draft.automata, 'automata');
      if (automata.threads.some(({ transitions }) => transitions.length > 12)) return false;
      const cells = automata.symbols.flatMap(({ base, length }) =>
        Array.from({ length }, (_, i) => base + i),
      );
      const stores = automata.threads.flatMap((thread, t) =>
        [...openAttacks(thread)].map(([store, loads]) => ({ thread: t, store, loads: [...loads] })),
      );
      let best: { invariants: readonly WrittenInvariant[]; refuted: number } | undefined;
      for (let tries = 0; tries < mostTries && best?.refuted !== stores.length; tries++) {
        const owned = automata.threads.map(() => cells.filter(() => chance(3) === 0));
        const invariants = leastInvariants(automata, owned, mostPlaces);
        if (!invariants) continue;
        const refuted = countRefuted(automata, invariants[0]!, stores);
        if (!best || refuted > best.refuted) best = { invariants, refuted };
      }
      if (!best) return false;
      const aim = chance(4) === 0 ? pick(stores, chance) : undefined;
      const { owned } = best.invariants[0]!;
      const invariants = aim && leastInvariants(automata, owned, mostPlaces, aim);
      draft.invariants = jsonOf({ all: invariants ?? best.invariants }).all!;
      const last = invariants ? invariants.length - 1 : 0;
      draft.attacks = stores.map((one) => ({ ...one, invariant: one === aim ? last : 0 }));
      return true;
    },
  ),
  'an invariant of all instances is closed, ends of attacks left out': ifClosed(({ draft }) => {
    if (draft.kind !== 'all-instances') return false;
    const { happensBefore } = draft;
    if (happensBefore !== 'standard' && happensBefore !== 'value') return false;
    const invariant = blindClosure(
      new AttackSteps(readAutomata(draft.automata, ''), happensBefore),
    );
    if (!invariant) return false;
    draft.invariant = jsonOf({ invariant }).invariant!;
    return true;
  }),
};
