import { entriesOf, type Marking, omega } from '@fencewright/ground/petri/marking.js';
import type { Configuration } from '@fencewright/ground/petri/counter-system.js';
import type { Net, NetRule } from '@fencewright/ground/petri/net.js';
import { withSingleMoves } from './single-moves.js';

/** Returns the only marked place of a marking with exactly one token; otherwise `undefined`. */
function onlyPlace(marking: Marking): number | undefined {
  return marking.length === 2 && marking[1] === 1 ? marking[0] : undefined;
}

/** The maximum number of threads in a file, as the format lists threads one by one. */
const mostThreads = 10_000;

/** Returns the number of threads of a marking; places with any number of threads do not count. */
function threadsOf(marking: Marking): number {
  return entriesOf(marking).reduce((sum, [, count]) => sum + (count === omega ? 0 : count), 0);
}

/** Writes a rule; `undefined` if the rule moves more than one thread. */
function stepText(
  { from, to, pre, post }: NetRule,
  idle: number,
  gone: number,
): string | undefined {
  if (pre.length === 0 && post.length === 0) return `${from} ${idle} -> ${to} ${idle}`;
  const before = onlyPlace(pre);
  if (before === undefined) return undefined;
  const after = post.length === 0 ? gone : onlyPlace(post);
  if (after !== undefined) return `${from} ${before} -> ${to} ${after}`;
  const entries = entriesOf(post);
  const spawned = entries.find(([place]) => place !== before)?.[0] ?? before;
  const isSpawn =
    entries.reduce((sum, [, count]) => sum + count, 0) === 2 &&
    entries.some(([place]) => place === before);
  return isSpawn ? `${from} ${before} +> ${to} ${spawned}` : undefined;
}

/**
 * Writes a net in the format of BFC (`.tts`), with start and target in comments; rules that move
 * several threads become sequences. `undefined` if a rule adds several threads, if there is not
 * exactly one target, or if there are too many threads to list. A thread that never moves
 * represents rules that take no token; a last local state represents threads that leave.
 */
export function writeTts(given: Net): string | undefined {
  const net = withSingleMoves(given);
  const idle = net.places.length;
  const gone = idle + 1;
  const steps = net.rules.map((rule) => stepText(rule, idle, gone));
  const [target, ...more] = net.targets;
  if (!target || more.length > 0 || steps.includes(undefined)) return undefined;
  if (threadsOf(net.initial.marking) + threadsOf(target.marking) > mostThreads) return undefined;
  const initial = entriesOf(net.initial.marking);
  const bounded = initial.flatMap(([place, count]) =>
    count === omega ? [] : Array.from({ length: count }, () => place),
  );
  const unbounded = initial.flatMap(([place, count]) => (count === omega ? [place] : []));
  return [
    `# initial ${net.initial.control}|${[...bounded, idle].join(',')}/${unbounded.join(',')}`,
    `# target ${targetText(target, idle)}`,
    `${net.controls.length} ${gone + 1}`,
    ...steps,
    '',
  ].join('\n');
}

/** Writes a target with at least one thread: an empty target names the idle thread. */
function targetText({ control, marking }: Configuration, idle: number): string {
  const places = entriesOf(marking).flatMap(([place, count]) =>
    Array.from({ length: count }, () => place),
  );
  return `${control}|${(places.length > 0 ? places : [idle]).join(',')}`;
}
