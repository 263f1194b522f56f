import type { Configuration, CounterSystem, CoveringRun } from './counter-system.js';
import { countAt, emptyMarking, entriesOf, fire, isCovered, omega } from './marking.js';

/**
 * Returns the configurations along a run, one more than its steps; `undefined` if a step is
 * impossible, or if the run's start is not a start of the system.
 */
export function replayRun(
  system: CounterSystem,
  run: CoveringRun,
): readonly Configuration[] | undefined {
  if (!isInitial(system, run.initial)) return undefined;
  const configurations: Configuration[] = [run.initial];
  let { control, marking } = run.initial;
  for (const step of run.steps) {
    const filed = system.rules(control, step.pre[0] ?? -1);
    if (!filed.includes(step) || !isCovered(step.pre, marking)) return undefined;
    control = step.to;
    marking = fire(marking, step.pre, step.post);
    configurations.push({ control, marking });
  }
  return configurations;
}

/** Whether the run is possible and leads to a target. */
export function reachesTarget(system: CounterSystem, run: CoveringRun): boolean {
  const last = replayRun(system, run)?.at(-1);
  return (
    last !== undefined &&
    system.targets(last.control).some((target) => isCovered(target, last.marking))
  );
}

function isInitial(
  { initial, least = emptyMarking }: CounterSystem,
  { control, marking }: Configuration,
): boolean {
  return (
    control === initial.control &&
    isCovered(least, marking) &&
    isCovered(marking, initial.marking) &&
    entriesOf(initial.marking).every(
      ([place, count]) => count === omega || countAt(marking, place) === count,
    )
  );
}
