import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import { type ValueAccess, closure, Code, type Local, localName } from '../code.js';
import { initialValues } from '../initial-memory.js';

/** A state of one thread, and whether the thread holds the bus lock. */
export interface ThreadNode extends Local {
  readonly holds: boolean;
}

/** The effect of a step on memory, buffers and the bus lock. */
type BufferEffect =
  | { readonly kind: 'local' | 'fence' | 'lock' | 'unlock' }
  /** An access to memory: a load only reads, a store only writes, an rmw does both at once. */
  | { readonly kind: 'load' | 'store' | 'rmw'; readonly access: ValueAccess };

export interface Edge {
  readonly from: ThreadNode;
  readonly to: ThreadNode;
  readonly effect: BufferEffect;
}

/**
 * The possible steps of each thread without regard to the other threads: a load may return any
 * value ever stored to its address.
 */
export interface ThreadGraphs {
  /** For each thread, its code; indexed by thread. */
  readonly codes: readonly Code[];
  readonly initials: readonly ThreadNode[];
  readonly nodes: readonly (readonly ThreadNode[])[];
  readonly edges: readonly (readonly Edge[])[];
  /** For each address, all possible values of the cell in some execution. */
  readonly values: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The values that each address may have, as far as found; initial values included. */
class Values {
  readonly known = new Map<number, Set<number>>();
  readonly #initial: (address: number) => number;
  hasGrown = false;

  constructor(initial: (address: number) => number) {
    this.#initial = initial;
  }

  of(address: number): Set<number> {
    const known = this.known.get(address) ?? new Set([this.#initial(address)]);
    this.known.set(address, known);
    return known;
  }

  add(address: number, value: number): void {
    const known = this.of(address);
    if (known.has(value)) return;
    known.add(value);
    this.hasGrown = true;
  }
}

function nodeName(node: ThreadNode): string {
  return `${localName(node)}${node.holds ? 'L' : ''}`;
}

/** Returns the steps from a node. May throw `Met`. */
function edgesFrom(code: Code, from: ThreadNode, values: Values): readonly Edge[] {
  return code.leaving(from).flatMap((transition): readonly Edge[] => {
    const { instruction, to } = transition;
    const { kind } = instruction;
    switch (kind) {
      case 'fence':
      case 'lock':
      case 'unlock': {
        if (kind === 'lock' ? from.holds : kind === 'unlock' && !from.holds) return [];
        const holds = kind === 'fence' ? from.holds : kind === 'lock';
        return [{ from, to: { ...code.at(to, from.registers), holds }, effect: { kind } }];
      }
      case 'load':
      case 'store':
      case 'rmw': {
        const address = code.addressOf(from.registers, instruction)!;
        const held = kind === 'store' ? [0] : [...values.of(address)];
        return held.map((value) => {
          const { access, next } = code.access(from, transition, () => value)!;
          if (access.written !== undefined) values.add(address, access.written);
          return { from, to: { ...next, holds: from.holds }, effect: { kind, access } };
        });
      }
      default:
        return code.locally(from, transition)!.map((next) => ({
          from,
          to: { ...next, holds: from.holds },
          effect: { kind: 'local' },
        }));
    }
  });
}

/**
 * Computes the graphs of all threads; states of a thread that differ in a register of `seen` are
 * different nodes at every location. Returns `undefined` if the budget ends first. May throw `Met`
 * and `Endless`.
 */
export function threadGraphs(
  automata: Automata,
  seen: readonly ReadonlySet<number>[],
  budget: Budget,
): ThreadGraphs | undefined {
  const values = new Values(initialValues(automata.symbols));
  const codes = automata.threads.map((thread, t) => new Code(automata, thread, seen[t]));
  const initials = codes.map((code): ThreadNode => ({ ...code.initial, holds: false }));
  for (;;) {
    values.hasGrown = false;
    const edges: Edge[][] = codes.map(() => []);
    const nodes = codes.map((code, t) =>
      closure([initials[t]!], nodeName, (node) => {
        const leaving = budget.spend(1) === undefined ? edgesFrom(code, node, values) : [];
        edges[t]!.push(...leaving);
        return leaving.map(({ to }) => to);
      }),
    );
    if (budget.spend() !== undefined) return undefined;
    if (!values.hasGrown) return { codes, initials, nodes, edges, values: values.known };
  }
}
