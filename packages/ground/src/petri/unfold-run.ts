import type { CounterSystem, Rule, CoveringRun } from './counter-system.js';
import {
  countAt,
  emptyMarking,
  entriesOf,
  isCovered,
  type Marking,
  markingOf,
  omega,
  TooManyTokens,
  unfire,
} from './marking.js';
import type { CoverNode, Pump } from './cover-node.js';

/** The maximum length of recorded runs of a counter system. */
const longestRun = 2_000;

class TooLong extends Error {}

/**
 * A run whose rules are collected from the last to the first; `need` is the marking that the rules
 * collected so far require at their start.
 */
class BackwardRun {
  readonly steps: Rule[] = [];

  constructor(public need: Marking) {}

  prepend(rule: Rule): void {
    if (this.steps.length >= longestRun) throw new TooLong();
    this.steps.push(rule);
    this.need = unfire(this.need, rule.pre, rule.post);
  }
}

/**
 * Prepends the rules of a pump (a repeated sequence of rules that adds tokens) to the collected
 * run, as often as the run requires more tokens at its start than the marking before the pump has.
 */
function undoPump(run: BackwardRun, node: CoverNode, index: number): void {
  const pump = node.pumps[index]!;
  while (!isCovered(run.need, pump.before)) repeatOnce(run, node, pump, index);
}

function repeatOnce(run: BackwardRun, node: CoverNode, pump: Pump, index: number): void {
  if (pump.kind === 'rule') {
    run.prepend(pump.rule);
    return;
  }
  undoPumps(run, node, index);
  for (let at = node; at !== pump.ancestor;) {
    run.prepend(at.rule!);
    at = at.parent!;
    if (at !== pump.ancestor) undoPumps(run, at, at.pumps.length);
  }
}

/**
 * Adds the rules of the pumps (repeated sequences of rules) of a node before number `end` to the
 * collected run, the last pump first.
 */
function undoPumps(run: BackwardRun, node: CoverNode, end: number): void {
  for (let index = end - 1; index >= 0; index--) undoPump(run, node, index);
}

/**
 * Finds a run to a target covered by a node. Works backwards from the target with the least
 * required marking; each pump is repeated until its place needs no more tokens than before the
 * pump. `undefined` if the run is too long to be recorded.
 */
export function unfoldRun(system: CounterSystem, goal: CoverNode): CoveringRun | undefined {
  const target = system.targets(goal.control).find((marking) => isCovered(marking, goal.marking));
  const run = new BackwardRun(target ?? goal.marking);
  try {
    for (let node = goal; ; node = node.parent) {
      undoPumps(run, node, node.pumps.length);
      if (!node.parent) break;
      run.prepend(node.rule!);
    }
  } catch (error) {
    if (error instanceof TooLong || error instanceof TooManyTokens) return undefined;
    throw error;
  }
  return { initial: startFor(system, run.need), steps: run.steps.toReversed() };
}

/**
 * Returns the initial configuration of a run, in which places with any number of tokens have as
 * many as the run needs.
 */
export function startFor(
  { initial, least = emptyMarking }: Pick<CounterSystem, 'initial' | 'least'>,
  need: Marking,
): CoveringRun['initial'] {
  const enough = (place: number): number => Math.max(countAt(need, place), countAt(least, place));
  const counts = entriesOf(initial.marking).map(
    ([place, count]) => [place, count === omega ? enough(place) : count] as const,
  );
  return { control: initial.control, marking: markingOf(counts) };
}
