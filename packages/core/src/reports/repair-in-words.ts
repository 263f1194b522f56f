import { formatAddress } from '../program/format.js';
import type { Program } from '../program/program.js';
import type { FenceVerdict, PlacedRepair } from '../verdict/fence-result.js';
import { actionNoun, atLine, findTransition, threadName } from './action-words.js';
import { type Delay, lastDelay } from './delay.js';
import { type FenceFindings, repairLines } from './fence-findings.js';
import { enumerate } from './number-words.js';

type Found = Extract<FenceVerdict, { kind: 'found' }>;

/** `t1 delays its store of x at line 4 past its load of y at line 5`. */
export function delaySentence(program: Program, { store, overtaker }: Delay): string {
  const thread = threadName(program, store.thread);
  const address = formatAddress(program, store.address);
  return (
    `${thread} delays its store of ${address}${atLine(program, store)}` +
    ` past its ${actionNoun(program, overtaker)}${atLine(program, overtaker)}`
  );
}

/** A repair as a noun: `a fence at line 5 (label l1)`. What is one place in the automaton can be several in the text. */
export function repairNoun(
  program: Program,
  repair: PlacedRepair,
  placesOf: FenceFindings['placesOf'],
): string {
  const { kind, thread, location, transition } = repair;
  const lines = repairLines(program, repair, placesOf);
  const at = `${lines.length === 1 ? 'line' : 'lines'} ${enumerate(lines.map(String))}`;
  const label = program.threads[thread]?.locations[location];
  const where =
    (lines.length === 0 ? '' : ` at ${at}`) +
    (label === undefined || label.hidden ? '' : ` (label ${label.name})`);
  switch (kind) {
    case 'fence':
      return `a fence${where}${lines.length > 1 ? `, ${lines.length} ways to one point` : ''}`;
    case 'xchg':
      return `a locked exchange instead of the store${where}`;
    case 'keep': {
      const kept = findTransition(program, thread, transition ?? -1)?.transition.instruction.kind;
      return `the ${kept === 'fence' ? 'fence' : 'exchange'}${where}`;
    }
  }
}

function isSame(a: PlacedRepair, b: PlacedRepair): boolean {
  return (
    a.kind === b.kind &&
    a.thread === b.thread &&
    a.location === b.location &&
    a.transition === b.transition
  );
}

/** A delay that no other chosen repair prevents. */
export function needFor({ repairs, reasons }: Found, repair: PlacedRepair): Delay | undefined {
  const alone = reasons.find((reason) => {
    const chosen = reason.repairs.filter((item) => repairs.some((other) => isSame(item, other)));
    return chosen.length === 1 && isSame(chosen[0]!, repair);
  });
  return alone && lastDelay(alone.computation, repair.thread);
}
