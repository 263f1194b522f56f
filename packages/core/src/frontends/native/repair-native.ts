import type { ChoosePlaces } from '../../program/front-end.js';
import type { EventInstruction } from '../../program/event-program.js';
import type { Thread } from '../../program/program.js';
import type { RepairedText, SourceRepair } from '../../program/source-repair.js';
import { findWeakRmws } from '../../program/weak-rmw.js';
import type { Diagnostic } from '../../source/diagnostic.js';
import { notSupported } from '../../source/diagnostic.js';
import type { TextEdit } from '../../source/text-edit.js';
import { applyEdits } from '../../source/text-edit.js';
import { readNative } from './parse-native.js';
import { editAutomaton } from './repair-native-automaton.js';
import { editStructured } from './repair-native-structured.js';
import type { ThreadRepair } from './repair-native-thread.js';

/**
 * The text with the repairs made in it, everything else as it was: comments, blank lines and layout
 * of the lines that no repair concerns. An error if the text has errors, or if a repair cannot be
 * made there: a fence within the evaluation of a statement, say.
 */
export function repairNativeText(
  text: string,
  repairs: readonly SourceRepair[],
  choosePlaces: ChoosePlaces = () => undefined,
  numbers?: ReadonlyMap<string, number>,
): RepairedText {
  const { lowered, diagnostics } = readNative(text, numbers);
  if (!lowered) return { diagnostics };
  const edits: TextEdit[] = [];
  const refusals: Diagnostic[] = [];
  lowered.threads.forEach(({ thread, text: source }, id) => {
    // The copies of a thread have one text: what is done to one of them is done to all.
    const copies = lowered.threads.flatMap((other, copy) => (other.text === source ? [copy] : []));
    if (copies[0] !== id) return;
    const refuse = (repair: SourceRepair) => refusals.push(describeRefusal(repair, thread));
    const own = repairs.filter(({ thread: copy }) => copies.includes(copy));
    const possible = own.filter((repair) => isPossible(repair, thread));
    for (const repair of own) if (!possible.includes(repair)) refuse(repair);
    const task: ThreadRepair = {
      text,
      thread,
      repairs: possible,
      choosePoints: (location) =>
        copies.map((copy) => choosePlaces(copy, location)).find((points) => points !== undefined),
      refuse,
    };
    edits.push(
      ...(source.kind === 'automaton'
        ? editAutomaton(task, source.automaton)
        : editStructured(task, source.flow, source.body)),
    );
  });
  return refusals.length > 0
    ? { diagnostics: refusals }
    : { text: applyEdits(text, edits), diagnostics };
}

/** Whether the instruction is one that such a repair changes. */
function isPossible(repair: SourceRepair, thread: Thread<EventInstruction>): boolean {
  if (repair.kind === 'fence') return true;
  const { transition } = repair;
  const instruction = thread.transitions[transition]?.instruction;
  if (repair.kind === 'xchg') return instruction?.kind === 'store';
  if (findWeakRmws(thread).some(({ rmw, fence }) => rmw === transition || fence === transition))
    return false;
  return (
    instruction?.kind === 'fence' ||
    (instruction?.kind === 'rmw' &&
      instruction.into === undefined &&
      instruction.operation.name === 'xchg')
  );
}

function describeRefusal(repair: SourceRepair, thread: Thread<EventInstruction>): Diagnostic {
  if (repair.kind === 'fence') {
    const location = thread.locations[repair.location];
    return notSupported(
      location?.span,
      `no fence can be inserted at '${location?.name ?? repair.location}' of thread '${thread.name}'`,
      'split the statement: load into registers first',
    );
  }
  const span = thread.transitions[repair.transition]?.origin.span;
  return repair.kind === 'xchg'
    ? notSupported(span, 'only a store can become an exchange')
    : notSupported(span, 'only a fence, or an exchange without a result, can be removed');
}
