import type { Thread, Transition } from '../automata.js';

/** A branch after an exchange whose paths only set registers and cells, and then meet. */
interface Choice {
  /** The location at which all paths of the branch meet. */
  readonly join: number;
  /** The registers that some path of the branch sets. */
  readonly sets: readonly number[];
}

/**
 * Returns the branch at a location after an exchange, if its conditions are `r` and `!r` for a
 * dependent register, its paths only set registers or store, and all paths meet; otherwise
 * `undefined`. A compare-exchange of C has such a branch: if it fails, it sets the expected value,
 * in a register or in memory. Processors with an instruction for the exchange need no branch, so
 * later accesses do not wait for the exchange.
 */
export function choiceBehindExchange(
  { transitions }: Thread,
  location: number,
  dependent: ReadonlySet<number>,
): Choice | undefined {
  const ways = transitions.filter(({ from }) => from === location);
  const [tested, ...others] = ways.map(testedBy);
  if (tested === undefined || !dependent.has(tested)) return undefined;
  if (others.length === 0 || others.some((one) => one !== tested)) return undefined;
  const before = transitions.filter(({ to }) => to === location);
  const isExchange = ({ instruction: { kind } }: Transition): boolean =>
    kind === 'rmw' || kind === 'unlock';
  if (before.length === 0 || !before.every(isExchange)) return undefined;
  const [first, ...rest] = ways.map(({ to }) => registersSetUpTo(transitions, to));
  const join = [...first!.keys()].find((one) => rest.every((way) => way.has(one)));
  if (join === undefined || join === location) return undefined;
  return { join, sets: [first!, ...rest].flatMap((way) => way.get(join)!) };
}

/**
 * Returns the register that an `assume` of `r` or `!r` tests; `undefined` for other instructions.
 */
function testedBy({ instruction }: Transition): number | undefined {
  if (instruction.kind !== 'assume' || instruction.cutsOff) return undefined;
  const { condition } = instruction;
  const tested =
    condition.kind === 'unary' && condition.operator === '!' ? condition.operand : condition;
  return tested.kind === 'register' ? tested.register : undefined;
}

/**
 * Follows the only transition of each location while it sets a register, stores or does nothing.
 * Returns the locations on this path, each with the registers set before it.
 */
function registersSetUpTo(
  transitions: readonly Transition[],
  start: number,
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  let sets: readonly number[] = [];
  for (let location = start; !found.has(location);) {
    found.set(location, sets);
    const [only, ...others] = transitions.filter(({ from }) => from === location);
    if (!only || others.length > 0) break;
    const { instruction, to } = only;
    if (instruction.kind === 'assign') sets = [...sets, instruction.into];
    else if (instruction.kind === 'skip' ? instruction.fence : instruction.kind !== 'store') break;
    location = to;
  }
  return found;
}
