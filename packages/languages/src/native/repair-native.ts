import type { ChoosePlaces } from '@fencewright/model/program/front-end.js';
import type { EventInstruction } from '@fencewright/model/program/event-program.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { Thread } from '@fencewright/model/program/program.js';
import type { RepairedText, SourceRepair } from '@fencewright/model/program/source-repair.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';
import { type Diagnostic, notSupported } from '@fencewright/ground/source/diagnostic.js';
import { type TextEdit, applyEdits } from '@fencewright/ground/source/text-edit.js';
import { readNative } from './parse-native.js';
import { editAutomaton } from './repair-native-automaton.js';
import { editStructured } from './repair-native-structured.js';
import type { ThreadRepair } from './repair-native-thread.js';
import { type PartOfThread, type TextPart, textPartsOf } from './text-parts.js';

/**
 * Returns the repaired text, with everything else unchanged: comments, blank lines and the layout
 * of lines without repairs. Returns an error if the text has errors, or if a repair is impossible:
 * for example a fence within the evaluation of a statement.
 */
export function repairNativeText(
  text: string,
  repairs: readonly SourceRepair[],
  choosePlaces: ChoosePlaces = () => undefined,
  numbers?: ReadonlyMap<string, number>,
): RepairedText {
  const { lowered, diagnostics } = readNative(text, numbers);
  if (!lowered) return { diagnostics };
  const refusals: Diagnostic[] = [];
  const edits = textPartsOf(lowered).flatMap((part) =>
    editPart(part, text, repairs, choosePlaces, refusals),
  );
  return refusals.length > 0
    ? { diagnostics: refusals }
    : { text: applyEdits(text, edits), diagnostics };
}

/** Returns the edits that repair one thread or procedure. */
function editPart(
  { thread, source, parts }: TextPart,
  text: string,
  repairs: readonly SourceRepair[],
  choosePlaces: ChoosePlaces,
  refusals: Diagnostic[],
): readonly TextEdit[] {
  const refuse = (repair: SourceRepair) => refusals.push(describeRefusal(repair, thread));
  const own = repairs.flatMap((repair) => parts.flatMap((part) => inPart(repair, part) ?? []));
  const possible = own.filter((repair) => isPossible(repair, thread));
  for (const repair of own) if (!possible.includes(repair)) refuse(repair);
  for (const repair of possible)
    if (repair.kind === 'remove' && !isRemovedEverywhere(repair.transition, parts, own))
      refusals.push(
        notSupported(
          thread.transitions[repair.transition]?.origin.span,
          'only some calls of the procedure can do without this statement',
          'write two procedures, with and without the statement',
        ),
      );
  const task: ThreadRepair = {
    text,
    thread,
    repairs: possible,
    choosePoints: (location) =>
      parts
        .flatMap((part) => part.locations(location).map((id) => choosePlaces(part.id, id)))
        .find((points) => points !== undefined),
    refuse,
  };
  return source.kind === 'automaton'
    ? editAutomaton(task, source.automaton)
    : editStructured(task, source.flow, source.body);
}

/**
 * Returns the repair, with the location or transition of the thread replaced by that of the text of
 * `part`; `undefined` if the repair concerns another thread or text.
 */
function inPart(repair: SourceRepair, part: PartOfThread): SourceRepair | undefined {
  if (repair.thread !== part.id) return undefined;
  if (repair.kind === 'fence') {
    const location = part.writtenLocation(repair.location);
    return location === undefined ? undefined : { ...repair, location };
  }
  const transition = part.writtenTransition(repair.transition);
  return transition === undefined ? undefined : { ...repair, transition };
}

/**
 * Whether the repairs remove an instruction of a procedure from every call, so that the procedure's
 * text can change.
 */
function isRemovedEverywhere(
  transition: TransitionId,
  parts: readonly PartOfThread[],
  repairs: readonly SourceRepair[],
): boolean {
  const inCalls = parts.filter(({ isProcedure }) => isProcedure);
  const count = inCalls.reduce((sum, part) => sum + part.transitions(transition).length, 0);
  const removed = repairs.filter(
    (other) => other.kind === 'remove' && other.transition === transition,
  );
  return removed.length >= count;
}

/** Whether the repair can be applied to its instruction. */
function isPossible(repair: SourceRepair, thread: Thread<EventInstruction>): boolean {
  if (repair.kind === 'fence') return true;
  const { transition } = repair;
  const instruction = thread.transitions[transition]?.instruction;
  if (repair.kind === 'xchg') return instruction?.kind === 'store';
  if (findWeakRmws(thread).some(({ rmw, fence }) => rmw === transition || fence === transition))
    return false;
  return (
    instruction?.kind === 'fence' ||
    instruction?.kind === 'heavy-fence' ||
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
