import { at } from '@fencewright/ground/base/at.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';
import { compileC11 } from '@fencewright/engines/c11/c11-steps.js';
import type {
  ChoosePlaces,
  OrderEditor,
  TextEditor,
} from '@fencewright/model/program/front-end.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { OrderChange, OrderPlace } from '@fencewright/model/program/order-change.js';
import type { SiteOptions } from '@fencewright/repairs/orders/order-sites.js';
import type { Program } from '@fencewright/model/program/program.js';
import { standsInText } from '@fencewright/model/program/stands-in-text.js';
import { allAssertions } from '@fencewright/model/verdict/fence-result.js';
import type { OrdersResult } from '@fencewright/model/verdict/orders-result.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import type { CompiledText } from './environment.js';
import { checkOrders } from '@fencewright/repairs/orders/check-orders.js';
import {
  findWeakestOrders,
  type WeakestOrdersOptions,
} from '@fencewright/repairs/orders/weakest-orders.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { costModelOf } from './cost-model.js';
import { defaults } from './defaults.js';
import { numbersOf } from './edit-source.js';
import { type EditedSource, editText } from './edit-text.js';
import type { OrdersQuestion, ProgramText } from './question.js';
import { freedUsesUnderSC } from './race-findings.js';
import type { Result } from './result.js';
import { propertyProblems } from './property-problems.js';
import { textEditorOf } from './text-editor.js';

/**
 * Whether the C program with the text `source` meets the goal of the question about memory orders;
 * returns the reason if this is undecided.
 */
async function meetsGoal(
  text: ProgramText,
  source: string,
  { model, goal = 'robustness' }: OrdersQuestion,
  budget: Budget,
  compiled: CompiledText | undefined,
): Promise<boolean | UnknownReason> {
  const read = compiled
    ? await compiled.read(source)
    : await parseText(text.format, source, numbersOf(text));
  if (typeof read === 'string') return read;
  const program = finiteProgram(read.model);
  if (!program) return false;
  const { answer } = await checkOrders(program, { model, goal }, budget);
  switch (answer.kind) {
    case 'enough':
      return true;
    case 'too-weak':
      return false;
    case 'doubtful':
      return 'undecided';
    case 'unknown':
      return answer.reason;
  }
}

/**
 * Returns a function that chooses the positions of a fence in the text. It returns the result of
 * `choose`. If `choose` returns `undefined` for a fence in front of a loop that only waits, it
 * returns the first position, which lies outside the loop.
 */
function outsideOfWaits(program: Program, choose: ChoosePlaces): ChoosePlaces {
  const { steps } = compileC11(program);
  return (thread, location) =>
    choose(thread, location) ??
    (at(at(steps, thread), location).some(({ exits }) => exits) ? [0] : undefined);
}

/** Writes the changes into the text, with as few fences as possible, and checks the text again. */
async function writeChanges(
  program: Program,
  changes: readonly OrderChange[],
  orders: OrderEditor,
  isGood: (text: string) => Promise<boolean | UnknownReason>,
): Promise<EditedSource> {
  const inserted = changes.filter(({ fences }) => fences.length > 0);
  const editor: TextEditor = {
    placesOf: orders.placesOf,
    repair: (_, choose) => {
      // The places of a fence are chosen for the first of the threads that share the text.
      const ofFirst: ChoosePlaces = (thread, location) => {
        const own = inserted.find(({ fences }) =>
          fences.some((part) => part.thread === thread && part.location === location),
        );
        const first = own && at(own.fences, 0);
        return first && choose(first.thread, first.location);
      };
      return orders.write(changes, outsideOfWaits(program, ofFirst));
    },
  };
  const repairs = inserted.map(({ fences }) => ({ kind: 'fence' as const, ...at(fences, 0) }));
  const edited = await editText(editor, repairs, isGood);
  if (edited.kind !== 'misses') return edited;
  const message = 'the fences written into the text are not enough';
  const hint = 'write the fences by hand, outside of loops that only wait';
  const diagnostics = [notSupported(undefined, message, hint)];
  return { kind: 'refused', refusal: { kind: 'text', diagnostics } };
}

/** Whether an access or fence stands in the user's text of the C program, and not in a library. */
function isOwn({ threads }: Program, { kind, steps }: OrderPlace): boolean {
  return steps.every(({ thread, transition }) => {
    const { origin } = at(at(threads, thread).transitions, transition);
    return standsInText(origin) && (kind === 'fence' || origin.access === 'atomic');
  });
}

/** Finds the cheapest memory orders, and writes them into the text. */
export async function decideOrders(
  program: Program,
  question: OrdersQuestion,
  limits: Limits,
  compiled?: CompiledText,
): Promise<Result> {
  const { model, change, text, costs: choice = defaults.costs } = question;
  const { target = defaults.target, goal = 'robustness' } = question;
  const problems = goal === 'assertions' ? propertyProblems(program, [allAssertions]) : [];
  if (problems.length > 0) return { kind: 'refused', refusal: { kind: 'properties', problems } };
  const budget = new Budget(limits);
  const about = program;
  const read = await costModelOf(choice, program, budget.share(1));
  if (read.kind === 'failure') return { kind: 'refused', refusal: { ...read, kind: 'costs' } };
  if (read.kind === 'unknown') {
    const statistics = { checks: 0, clauses: 0, states: 0, milliseconds: budget.milliseconds };
    const verdict = { kind: 'unknown', reason: read.reason } as const;
    const asked = { model, goal, change, target };
    const result: OrdersResult = { ...asked, verdict, statistics, diagnostics: [] };
    return { kind: 'orders', about, orders: { costModel: read.name, result, places: [] } };
  }
  const { uses, diagnostics } = await freedUsesUnderSC(program, budget.share(1));
  if (uses[0]) {
    const statistics = { checks: 0, clauses: 0, states: 0, milliseconds: budget.milliseconds };
    const reason = { kind: 'freed-use', use: uses[0] } as const;
    const verdict = { kind: 'impossible', reason } as const;
    const result: OrdersResult = { model, goal, change, target, verdict, statistics, diagnostics };
    return { kind: 'orders', about, orders: { costModel: read.costs.name, result, places: [] } };
  }
  const { costs } = read;
  const editor =
    compiled?.editor ??
    (text && (await textEditorOf(text.format, text.source, program, numbersOf(text))));
  const orders = editor?.orders;
  const options: WeakestOrdersOptions = {
    ...{ model, goal, target, change, costs, budget, solver: defaultHittingSetSolver },
    ...(orders?.rankOf && { rankOf: orders.rankOf }),
    ...(orders && {
      placeOf: (thread, location) => {
        const places = orders.placesOf(thread, location);
        return places.length === 0 ? undefined : JSON.stringify(places);
      },
    }),
  };
  const canWrite = orders?.canWrite;
  const found = await findWeakestOrders(program, { ...options, ...(canWrite && { canWrite }) });
  // If no orders that can be written are found, orders that cannot be written are searched for, so
  // that the answer can name them.
  const isNothing =
    found.verdict.kind === 'impossible' ||
    (change === 'lower' && found.verdict.kind === 'found' && found.verdict.changes.length === 0);
  const canName: SiteOptions['canWrite'] = (place, to) =>
    (canWrite?.(place, to) ?? true) || isOwn(program, place);
  const result =
    isNothing && canWrite
      ? await findWeakestOrders(program, { ...options, canWrite: canName })
      : found;
  const { verdict } = result;
  const told = { costModel: costs.name, result, places: [] };
  if (verdict.kind !== 'found' || !text || !orders) return { kind: 'orders', about, orders: told };
  const places = verdict.changes.map(({ fences: [first] }) =>
    first ? orders.placesOf(first.thread, first.location) : [],
  );
  if (verdict.changes.length === 0)
    return { kind: 'orders', about, orders: { ...told, places, text: text.source } };
  const isGood = (source: string): Promise<boolean | UnknownReason> =>
    meetsGoal(text, source, question, budget, compiled);
  const edited = await writeChanges(program, verdict.changes, orders, isGood);
  switch (edited.kind) {
    case 'text':
      return { kind: 'orders', about, orders: { ...told, places, text: edited.text } };
    case 'refused':
      return { kind: 'orders', about, orders: { ...told, places, refusal: edited.refusal } };
    case 'unknown': {
      const unknown = { ...result, verdict: { kind: 'unknown', reason: edited.reason } as const };
      return { kind: 'orders', about, orders: { ...told, result: unknown } };
    }
  }
}
