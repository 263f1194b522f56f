import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  instructionOf,
  isHeavyFence,
  singleRepairs,
  repairLocation,
  type PricedRepair,
  type Repair,
  repairName,
} from '@fencewright/model/program/repair.js';
import type { FencesFound } from '@fencewright/model/verdict/fence-result.js';
import { quoteSource } from '@fencewright/ground/source/quote-name.js';
import { actionNoun, atLine, calledAt, textName, threadName } from './action-words.js';
import { type Delay, delayAt } from './delay.js';
import { type FenceFindings, repairLines } from './fence-findings.js';
import { enumerate } from '@fencewright/ground/base/number-words.js';

/**
 * Returns a delay as a sentence: `t1 delays its store of x at line 4 past its load of y at line 5`.
 */
export function delaySentence(program: Program, { store, overtaker }: Delay): string {
  const thread = threadName(program, store.thread);
  const address = formatAddress(program, store.address);
  return (
    `${thread} delays its store of ${address}${atLine(program, store)}` +
    ` past its ${actionNoun(program, overtaker)}${atLine(program, overtaker)}`
  );
}

/** Returns the names of the threads whose text a repair changes: `t1`, `owner and thief`. */
export function whoseText(program: Program, repair: Repair): string {
  const names = singleRepairs(repair).map(({ thread }) => textName(program, thread));
  return enumerate([...new Set(names)]);
}

/** Returns the instruction changed by a repair, or the instruction behind a repair's fence. */
function transitionOf({ threads }: Program, repair: Repair): number {
  if (repair.kind !== 'fence') return repair.transition;
  return threads[repair.thread]!.transitions.findIndex(({ from }) => from === repair.location);
}

/** Returns the name of the file that a repair changes; `undefined` for the program's main file. */
export function otherFile(program: Program, repair: Repair): string | undefined {
  const { transitions } = program.threads[repair.thread]!;
  return transitions[transitionOf(program, repair)]?.origin.span?.source?.name;
}

/**
 * Returns a repair as a noun: `a fence at line 5 (label l1)`; in another file, with the lines of
 * the calls: `a fence at line 3 of ring.h, called at line 5`. One place in the automaton can be
 * several places in the text.
 */
export function repairNoun(
  program: Program,
  repair: PricedRepair,
  placesOf: FenceFindings['placesOf'],
): string {
  const { thread } = repair;
  const location = repairLocation(program, repair);
  const lines = repairLines(program, repair, placesOf);
  const file = otherFile(program, repair);
  const at =
    `${lines.length === 1 ? 'line' : 'lines'} ${enumerate(lines.map(String))}` +
    (file === undefined
      ? ''
      : ` of ${quoteSource(file)}${calledAt(program, thread, transitionOf(program, repair))}`);
  const label = program.threads[thread]?.locations[location];
  const where =
    (lines.length === 0 ? '' : ` at ${at}`) +
    (label === undefined || label.hidden ? '' : ` (label ${label.name})`);
  switch (repair.kind) {
    case 'fence':
      return `a ${isHeavyFence(repair) ? 'heavy fence' : 'fence'}${where}${lines.length > 1 ? `, ${lines.length} ways to one point` : ''}`;
    case 'xchg':
      return `a locked exchange instead of the store${where}`;
    case 'keep': {
      const { kind } = instructionOf(program, repair);
      const kept = { fence: 'fence', 'heavy-fence': 'heavy fence' }[kind as string] ?? 'exchange';
      return `the ${kept}${where}`;
    }
  }
}

/**
 * Returns a delay that makes the repair necessary, since no other chosen repair prevents the delay;
 * `undefined` if none is known.
 */
export function needFor(
  { repairs, reasons, repaired }: FencesFound,
  repair: PricedRepair,
): Delay | undefined {
  const names = new Set(repairs.map(repairName));
  const alone = reasons.find((reason) => {
    const chosen = reason.repairs.map(repairName).filter((name) => names.has(name));
    return chosen.length === 1 && chosen[0] === repairName(repair);
  });
  return alone && delayAt(repaired, alone, repair);
}
