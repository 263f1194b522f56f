import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { certifyEventFences } from '@fencewright/repairs/events/certificate.js';
import type { TextEditor } from '@fencewright/model/program/front-end.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { sameEventAutomata } from '@fencewright/model/program/same-automata.js';
import { eventVerdict } from '@fencewright/model/verdict/event-check-result.js';
import type {
  EventFenceResult,
  EventFenceVerdict,
  FencePlace,
  EventFencesFound,
} from '@fencewright/model/verdict/event-fence-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { checkEvents, type EventCheckOptions } from './check-events.js';
import { numbersOf } from './edit-source.js';
import { type EditedSource, editText } from './edit-text.js';
import { eventCosts, eventPlaces, type FencePlaceOptions } from './event-places.js';
import { fenceEvents } from './fence-events.js';
import { frontEndOf } from '@fencewright/languages/read/front-ends.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import type { FenceQuestion, ProgramText } from './question.js';
import type { EventFencesInText, Result } from './result.js';

/** Finds a cheapest set of fences for a program of events, and inserts the fences into the text. */
export async function decideEventFence(
  about: EventProgram,
  question: FenceQuestion,
  options: EventCheckOptions,
  limits: Limits,
): Promise<Result> {
  const read = eventCosts(question.costs, about);
  if (read.kind === 'failure') return { kind: 'refused', refusal: { ...read, kind: 'costs' } };
  const budget = new Budget(limits);
  const { text } = question;
  const editor = text && (await frontEndOf(text.format).editEvents?.(text.source, numbersOf(text)));
  const where: FencePlaceOptions = {
    costs: read.costs,
    ...(editor && { canFence: (body, location) => editor.placesOf(body, location).length > 0 }),
  };
  const found = await fenceEvents(about, { ...options, ...where, limits: budget.share(1) });
  const { verdict } = found;
  const edited =
    text && editor && verdict.kind === 'found'
      ? await edit(text, editor, verdict, { ...options, limits: budget.share(1) })
      : undefined;
  const result = edited?.kind === 'unknown' ? openAgain(found, edited.reason) : found;
  const fences: EventFencesInText = {
    costModel: read.costs.name,
    result,
    places: editor ? placesIn(editor, result.verdict, edited) : [],
    ...(edited?.kind === 'text' && { text: edited.text }),
    ...(edited?.kind === 'refused' && { refusal: edited.refusal }),
  };
  if (question.certify !== true || result.verdict.kind !== 'found')
    return { kind: 'event-fence', about, fences };
  // The verifier's machine has no milestones.
  if (about.milestones) return { kind: 'event-fence', about, fences, uncertified: 'milestones' };
  const { against, isPostingFenced: postingFenced } = result.asIs;
  const places = eventPlaces(about, where);
  const problem = { program: about, places, costModel: read.costs.name, against, postingFenced };
  const certificate = await certifyEventFences(problem, result.verdict);
  return { kind: 'event-fence', about, fences, certificate };
}

/**
 * Returns the result with the verdict `unknown`, since the limits were reached before the edited
 * text was checked.
 */
function openAgain(result: EventFenceResult, reason: UnknownReason): EventFenceResult {
  const { verdict } = result;
  if (verdict.kind !== 'found') return result;
  const { cost: bound, reasons } = verdict;
  const why = { kind: 'limit', reason } as const;
  return { ...result, verdict: { kind: 'unknown', why, bound, reasons } };
}

/**
 * Puts the fences into the text. The edited text is parsed. The parsed program is checked, unless
 * it equals `repaired`, which has been checked.
 */
async function edit(
  text: ProgramText,
  editor: TextEditor,
  { fences, repaired }: EventFencesFound,
  options: EventCheckOptions,
): Promise<EditedSource> {
  if (fences.length === 0)
    return { kind: 'text', text: text.source, chosenPlaces: () => undefined };
  const isGood = async (changed: string): Promise<boolean | UnknownReason> => {
    const { model } = await parseText(text.format, changed, numbersOf(text));
    if (model?.kind !== 'events')
      throw new InternalError('the program does not parse with the fences written into its text');
    if (sameEventAutomata(model.program, repaired)) return true;
    const verdict = eventVerdict(await checkEvents(model.program, options));
    if (verdict.kind !== 'unknown') return verdict.kind === 'robust';
    return verdict.why.kind === 'limit' ? verdict.why.reason : 'undecided';
  };
  const repairs = fences.map(
    ({ body, location }) => ({ kind: 'fence', thread: body, location }) as const,
  );
  const edited = await editText(editor, repairs, isGood);
  if (edited.kind === 'misses')
    throw new InternalError('the program is not robust with the fences written into its text');
  return edited;
}

/** Returns the text positions of the fences in an answer, whether inserted or only proposed. */
function placesIn(
  editor: TextEditor,
  verdict: EventFenceVerdict,
  edited: EditedSource | undefined,
): EventFencesInText['places'] {
  return distinct(verdict).map(({ body, location }) => {
    const all = editor.placesOf(body, location);
    const chosen = edited?.kind === 'text' ? edited.chosenPlaces(body, location) : undefined;
    const positions = chosen ? chosen.flatMap((index) => all[index] ?? []) : all;
    return { body, location, positions };
  });
}

function distinct(verdict: EventFenceVerdict): readonly FencePlace[] {
  const named: readonly FencePlace[] = [
    ...(verdict.kind === 'found' ? verdict.fences : []),
    ...('reasons' in verdict ? verdict.reasons.flatMap(({ places }) => places) : []),
  ];
  return [...new Map(named.map((one) => [`${one.body} ${one.location}`, one])).values()];
}
