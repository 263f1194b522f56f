import { at } from '../base/at.js';
import type { Budget, Exhaustion } from '../base/budget.js';
import type { LocationId, ThreadId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import { machineStateKey } from '../reach/explore-machine.js';
import { type FaultyStep, initialState, type Successor, successors } from '../semantics/machine.js';
import { compileProgram, type ProgramCode } from '../semantics/thread-code.js';
import type { Action, Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { TriangularRace } from '../verdict/triangular-race.js';

/** The addresses to which a thread has stored since its buffer had to be empty, ascending. */
type Unfenced = readonly number[];

function afterAction(unfenced: Unfenced, action: Action): Unfenced {
  switch (action.kind) {
    case 'issue':
      return unfenced.includes(action.address)
        ? unfenced
        : [...unfenced, action.address].sort((a, b) => a - b);
    case 'fence':
    case 'rmw':
    case 'lock':
    case 'unlock':
      return [];
    case 'store':
    case 'load':
    case 'local':
      return unfenced;
  }
}

interface Node {
  readonly state: MachineState;
  readonly unfenced: readonly Unfenced[];
  readonly before: Node | undefined;
  readonly step: Successor | undefined;
}

function computationTo(node: Node): Action[] {
  const steps: Successor[] = [];
  for (let at: Node | undefined = node; at?.step; at = at.before) steps.push(at.step);
  return steps.reverse().flatMap(({ actions }) => actions);
}

function writes(action: Action, address: number): boolean {
  if (action.kind === 'rmw') return action.address === address && action.written !== undefined;
  return action.kind === 'store' && action.address === address;
}

/** Whether a lock block that begins at `start` may write. */
function mayWrite({ program }: ProgramCode, thread: ThreadId, start: LocationId): boolean {
  const inside = new Set([start]);
  // Additions during the iteration are visited too.
  for (const location of inside)
    for (const { from, to, instruction } of program.threads[thread]?.transitions ?? []) {
      if (from !== location || instruction.kind === 'unlock') continue;
      if (instruction.kind === 'store' || instruction.kind === 'rmw') return true;
      inside.add(to);
    }
  return false;
}

/** Whether the action reads one of the addresses. */
function reads(action: Action, addresses: readonly number[]): boolean {
  return (action.kind === 'load' || action.kind === 'rmw') && addresses.includes(action.address);
}

/**
 * How `thread` alone, from `state`, comes to race at once: in its next step, or in the lock block
 * that this step begins. It writes to `address`; or a block that may write reads one of `others`.
 */
function wayToRace(
  code: ProgramCode,
  state: MachineState,
  thread: ThreadId,
  address: number,
  others: readonly number[],
): Computation | undefined {
  const seen = new Set<string>();
  const queue: { readonly state: MachineState; readonly way: Computation }[] = [{ state, way: [] }];
  for (const { state: here, way } of queue) {
    for (const step of successors('SC', code, here).steps) {
      if (step.actions[0]?.thread !== thread) continue;
      const longer = [...way, ...step.actions];
      const isInBlock = here.lockHolder === thread;
      if (step.actions.some((action) => writes(action, address))) return longer;
      if (isInBlock && step.actions.some((action) => reads(action, others))) return longer;
      if (step.state.lockHolder !== thread) continue;
      if (!isInBlock && !mayWrite(code, thread, at(step.state.locations, thread))) continue;
      const key = machineStateKey(step.state);
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push({ state: step.state, way: longer });
    }
  }
  return undefined;
}

/** The index of the last store of the loading thread that is part of the race with `action`. */
function earlierStoreIn(
  computation: Computation,
  { thread, address }: Extract<Action, { kind: 'load' }>,
  action: Action | undefined,
): number {
  const isRead = action !== undefined && !writes(action, address) && 'address' in action;
  return computation.findLastIndex(
    (earlier) =>
      earlier.thread === thread &&
      earlier.kind === 'issue' &&
      (isRead ? earlier.address === action.address : earlier.address !== address),
  );
}

function raceAt(
  code: ProgramCode,
  node: Node,
  { actions: [load], state }: Successor,
): TriangularRace | undefined {
  if (load?.kind !== 'load') return undefined;
  const { thread, address } = load;
  const others = (node.unfenced[thread] ?? []).filter((stored) => stored !== address);
  if (others.length === 0) return undefined;
  for (let other = 0; other < state.locations.length; other++) {
    if (other === thread) continue;
    const way = wayToRace(code, state, other, address, others);
    if (!way) continue;
    const before = computationTo(node);
    const computation = [...before, load, ...way];
    return {
      computation,
      earlierStore: earlierStoreIn(before, load, way.at(-1)),
      load: before.length,
      other: computation.length - 1,
    };
  }
  return undefined;
}

/** What an exploration for triangular races comes to. */
export interface RaceSearch {
  readonly race?: TriangularRace;
  readonly states: number;
  readonly faults: readonly FaultyStep[];
  /** Why not all states were visited; a search that found a race has not been cut short. */
  readonly incomplete?: Exhaustion;
}

/**
 * A triangular race of the program, in a shortest SC computation that has one, or none. There is a
 * triangular race where, in an SC computation, a load is directly followed by a write of another
 * thread to the same address, and the loading thread has before stored to another address, with no
 * fence, rmw, lock or unlock of its own in between. The write may be part of a locked instruction,
 * the load may not.
 *
 * A lock block counts as one step: a write inside it directly follows what directly precedes the
 * block. There is a race, too, if a block that may write directly follows the load and reads an
 * address of such an earlier store: under TSO it may see the value before, and then write to the
 * loaded address although under SC it does not.
 *
 * A program without triangular races has no TSO executions beyond the SC ones, and is robust. Exact
 * where the SC states are finitely many. Source: Owens, ECOOP 2010 [Owe10]; lock blocks and the
 * order of load and write, which commute up to here, are ours.
 */
export async function findTriangularRace(program: Program, budget: Budget): Promise<RaceSearch> {
  const code = compileProgram(program);
  const seen = new Set<string>();
  const faults = new Map<string, FaultyStep>();
  let bytes = 0;
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    const key = `${machineStateKey(node.state)}|${node.unfenced.join('/')}`;
    if (seen.has(key)) return;
    seen.add(key);
    bytes += 400 + 3 * key.length;
    nodes.push(node);
  };
  const finish = (found: Pick<RaceSearch, 'race' | 'incomplete'>): RaceSearch => {
    budget.finishSearch(seen.size, bytes);
    return { states: seen.size, faults: [...faults.values()], ...found };
  };
  const unfenced = program.threads.map((): Unfenced => []);
  visit({ state: initialState(program), unfenced, before: undefined, step: undefined });
  for (let number = 0; number < nodes.length; number++) {
    const incomplete =
      number % 64 === 0
        ? await budget.checkpoint(seen.size, bytes)
        : budget.exceededBy(seen.size, bytes);
    if (incomplete) return finish({ incomplete });
    const node = at(nodes, number);
    const { steps, faults: faulty } = successors('SC', code, node.state);
    for (const fault of faulty)
      faults.set(`${fault.thread}.${fault.transition}.${fault.fault}`, fault);
    for (const step of steps) {
      const race = raceAt(code, node, step);
      if (race) return finish({ race });
      const thread = at(step.actions, 0).thread;
      const after = step.actions.reduce(afterAction, node.unfenced[thread] ?? []);
      const next = node.unfenced.with(thread, after);
      visit({ state: step.state, unfenced: next, before: node, step });
    }
  }
  return finish({});
}
