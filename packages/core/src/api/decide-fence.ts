import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { at } from '@fencewright/ground/base/at.js';
import { addressOf } from '@fencewright/model/analysis/address-sets.js';
import { sizeCosts } from '@fencewright/repairs/fences/cost-models.js';
import type { RobustnessJudge } from '@fencewright/repairs/fences/repair-by-checks.js';
import { type CostModel, insertionProblem } from '@fencewright/repairs/fences/repair-problem.js';
import type { TextEditor } from '@fencewright/model/program/front-end.js';
import { inspectedProgram, type ThreadModel } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { standsInText } from '@fencewright/model/program/stands-in-text.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import type { SealedCertificate } from '@fencewright/model/program/seal-certificate.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { FencePart, PricedRepair, RepairMode } from '@fencewright/model/program/repair.js';
import {
  allAssertions,
  type FenceResult,
  type FenceVerdict,
  type FencesFound,
  isRestGoal,
  type NoRepairProof,
} from '@fencewright/model/verdict/fence-result.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { costModelOf } from './cost-model.js';
import { defaults } from './defaults.js';
import { editSource, numbersOf, repairsOf } from './edit-source.js';
import type { CompiledText } from './environment.js';
import type { EditedSource } from './edit-text.js';
import { fence, fenceParameterized, type FenceOptions } from './fence.js';
import { withHeavyFenceClaim } from './heavy-fence-claim.js';
import { propertyProblems } from './property-problems.js';
import type { FenceQuestion, ProgramText } from './question.js';
import type { FencesInText, Refusal, Result } from './result.js';
import { fencePlacesOf, placesOfFence, textEditorOf } from './text-editor.js';

/** The result of a search for fences, for a program or for any number of copies of threads. */
interface FenceSearchAnswer {
  readonly result: FenceResult;
  readonly certificate?: SealedCertificate;
  readonly uncertified?: UnknownReason | NoRepairProof;
  readonly edited?: EditedSource;
  /**
   * Present if the repairs were chosen among all places of the program, including places that the
   * text cannot express.
   */
  readonly isAnywhere?: true;
}

/** Decides whether a program is robust, within limits. */
type JudgeWithin = (program: Program, limits: Limits) => ReturnType<RobustnessJudge>;

/** Ways to decide robustness beside the search for repairs. */
export interface OtherWays extends Pick<FenceOptions, 'triesProof'> {
  /** Decides robustness in place of the search. */
  readonly judge?: JudgeWithin;
}

/** Finds a cheapest set of repairs, and makes the repairs in the text. */
export async function decideFence(
  model: ThreadModel,
  question: FenceQuestion,
  limits: Limits,
  compiled?: CompiledText,
  ways: OtherWays = {},
): Promise<Result> {
  const refused = (refusal: Refusal): Result => ({ kind: 'refused', refusal });
  const { properties, costs: choice = defaults.costs, mode = defaults.mode } = question;
  const about = inspectedProgram(model);
  const problems = propertyProblems(about, properties ?? []);
  if (problems.length > 0) return refused({ kind: 'properties', problems });
  // Properties about the ends of all threads need fixed numbers of threads.
  const isAtEnds = about.properties.some(
    ({ name, kind }) => kind !== 'never' && properties?.includes(name),
  );
  const { rest = [] } = askedFor(question, about) ?? {};
  if (model.kind === 'unbounded' && (isAtEnds || rest.length > 0))
    return refused({ kind: 'any-number', part: 'properties' });
  const part = await whyNoHeavyRepairs(model, question, compiled);
  if (part) return refused({ kind: 'heavy-repairs', part });
  const started = performance.now();
  const limitsLeft = limitsFromNow(limits);
  const read = await costModelOf(choice, about, limitsLeft());
  switch (read.kind) {
    case 'failure':
      return refused({ ...read, kind: 'costs' });
    case 'unknown': {
      const result: FenceResult = {
        verdict: { kind: 'unknown', reason: read.reason, bound: 0 },
        statistics: { rounds: 0, clauses: 0, states: 0, milliseconds: performance.now() - started },
        diagnostics: [],
      };
      const asked = { mode, costModel: read.name, ...(properties && { properties }) };
      return { kind: 'fence', about, fences: { ...asked, result, places: [] } };
    }
    case 'costs': {
      const { answer, fences } = await findFences(
        model,
        question,
        read.costs,
        limitsLeft,
        compiled,
        ways,
      );
      const { certificate, uncertified } = answer;
      const { verdict } = fences.result;
      return {
        kind: 'fence',
        about:
          verdict.kind === 'found'
            ? withHeavyFenceClaim(about, { robust: verdict.repaired })
            : about,
        fences,
        ...(certificate && { certificate }),
        ...(uncertified !== undefined && { uncertified }),
      };
    }
  }
}

/**
 * Returns the part of a question that does not support heavy fences; `undefined` if no heavy fences
 * are in the program or asked for, or if the whole question supports them.
 */
async function whyNoHeavyRepairs(
  model: ThreadModel,
  question: FenceQuestion,
  compiled: CompiledText | undefined,
): Promise<Extract<Refusal, { kind: 'heavy-repairs' }>['part'] | undefined> {
  const isAsked = question.mode === 'asymmetric';
  if (!isAsked && !hasHeavyFences(inspectedProgram(model))) return undefined;
  if (model.kind === 'unbounded') return 'any-number';
  if (question.properties) return 'goal';
  const editor = await editorFor(model, question, compiled);
  return isAsked && editor && !editor.hasHeavyFences ? 'format' : undefined;
}

/** Returns the editor of the question's text; `undefined` if the question names no text. */
async function editorFor(
  model: ThreadModel,
  { text }: FenceQuestion,
  compiled: CompiledText | undefined,
): Promise<TextEditor | undefined> {
  if (compiled) return compiled.editor;
  const about = inspectedProgram(model);
  return text && textEditorOf(text.format, text.source, about, numbersOf(text));
}

/**
 * Finds the fewest fences that make a program robust, and their positions in the text. For a
 * compiled text, the locations in the result are those of the program with a no-op at each possible
 * fence position.
 */
export async function defaultFences(
  model: ThreadModel,
  text: ProgramText | undefined,
  happensBefore: HappensBefore,
  limits: Limits,
  compiled?: CompiledText,
): Promise<FencesInText> {
  const left = limitsFromNow(limits);
  const subject: ThreadModel = compiled ? { kind: 'finite', program: compiled.program } : model;
  const read = await costModelOf(defaults.costs, inspectedProgram(subject), left());
  if (read.kind !== 'costs') throw new Error('sizes are always known');
  const question = { kind: 'fence', happensBefore, ...(text && { text }) } as const;
  const { fences } = await findFences(subject, question, read.costs, left, compiled);
  return { ...fences, ...(compiled && { about: compiled.program }) };
}

/** Returns a function that gives the limits for further work, with the time left at each call. */
function limitsFromNow(limits: Limits): () => Limits {
  const budget = new Budget(limits);
  return () => budget.share(1);
}

async function findFences(
  model: ThreadModel,
  question: FenceQuestion,
  costs: CostModel,
  limitsLeft: () => Limits,
  compiled?: CompiledText,
  ways: OtherWays = {},
): Promise<{ readonly answer: FenceSearchAnswer; readonly fences: FencesInText }> {
  const { mode = defaults.mode, properties } = question;
  const editor = await editorFor(model, question, compiled);
  // `fencesForRobustness` is called at most once: for comparison, or to choose among repairs of
  // equal cost.
  let asked: ReturnType<typeof fencesForRobustness> | undefined;
  const robust = (): ReturnType<typeof fencesForRobustness> =>
    (asked ??= fencesForRobustness(model, question, editor, costs, limitsLeft()));
  const answer = await solve(
    ...([model, question, editor, costs, limitsLeft, compiled?.read, ways] as const),
    robust,
  );
  const { edited, result } = answer;
  const found = properties && result.verdict.kind === 'found' ? await robust() : undefined;
  const forRobustness = found && { repairs: found.repairs.length, cost: found.cost };
  const fences: FencesInText = {
    mode,
    costModel: costs.name,
    ...(properties && { properties }),
    ...(forRobustness && { forRobustness }),
    result,
    places: editor ? placesIn(editor, answer) : [],
    ...(compiled && amongWhich(compiled, mode, answer)),
    ...(edited?.kind === 'text' && { text: edited.text }),
    ...(edited?.kind === 'refused' && { refusal: edited.refusal }),
  };
  return { answer, fences };
}

/**
 * Returns the kind of places among which repairs of a compiled program were chosen
 * (`FencesInText`); an empty object if all places count.
 */
function amongWhich(
  { program, editor }: CompiledText,
  mode: RepairMode,
  { edited, isAnywhere }: FenceSearchAnswer,
): Pick<FencesInText, 'among'> {
  if (isAnywhere) return { among: 'program' };
  if (edited?.kind === 'refused' || !leavesPlacesOut(program, mode, editor)) return {};
  return { among: 'text' };
}

/**
 * Whether a compiled program has locations where a fence would count but cannot be written into the
 * text, for instance inside macros. Locations connected by steps without memory access share their
 * fence positions. Library functions modelled by the front end have no text and are ignored.
 */
function leavesPlacesOut(program: Program, mode: RepairMode, editor: TextEditor): boolean {
  if (mode.startsWith('minimise')) return false;
  const { items } = insertionProblem(program, 'fence', sizeCosts(program));
  return items.some((item) => {
    if (item.kind !== 'fence') return false;
    const { thread, location } = item;
    const { transitions } = at(program.threads, thread);
    const isOwn = transitions.some(
      ({ from, origin }) => from === location && origin.span && standsInText(origin),
    );
    if (!isOwn) return false;
    const same = new Set([location]);
    // The loop also visits elements added during the loop.
    for (const place of same) {
      if (editor.placesOf(thread, place).length > 0) return false;
      for (const { from, to, instruction } of transitions)
        if (!addressOf(instruction)) {
          if (from === place) same.add(to);
          if (to === place) same.add(from);
        }
    }
    return true;
  });
}

/**
 * The maximum number of states of the search for the repairs that robustness needs, which are
 * reported for comparison.
 */
const comparedStates = 200_000;

/**
 * Returns the repairs needed for robustness, and their cost; `undefined` if the search does not end
 * soon.
 */
async function fencesForRobustness(
  model: ThreadModel,
  { mode = defaults.mode, without = [] }: FenceQuestion,
  editor: TextEditor | undefined,
  costs: CostModel,
  limits: Limits,
): Promise<FencesFound | undefined> {
  const { maxStates = comparedStates, timeout } = limits;
  const options = {
    mode,
    costs,
    ...(editor && fencePlacesOf(editor, mode)),
    without,
    limits: {
      ...limits,
      maxStates: Math.min(maxStates, comparedStates),
      // The remaining time is for the answer itself, whose edited text is still to be checked.
      ...(timeout !== undefined && { timeout: timeout / 4 }),
    },
  };
  const { verdict } =
    model.kind === 'unbounded'
      ? await fenceParameterized(model, options)
      : await fence(inspectedProgram(model), options);
  return verdict.kind === 'found' ? verdict : undefined;
}

/**
 * Returns the goals that the question names instead of robustness; `undefined` if it names none. A
 * property of the program may have the name of a predefined goal.
 */
function askedFor(
  { properties }: FenceQuestion,
  { properties: known }: Program,
): Pick<FenceOptions, 'properties' | 'assertions' | 'rest'> | undefined {
  if (!properties) return undefined;
  const rest = properties
    .filter((name) => isRestGoal(name))
    .filter((name) => known.every((one) => one.name !== name));
  return {
    properties: properties.filter(
      (name) => name !== allAssertions && rest.every((goal) => goal !== name),
    ),
    assertions: properties.includes(allAssertions),
    rest,
  };
}

async function search(
  model: ThreadModel,
  question: FenceQuestion,
  options: FenceOptions,
): Promise<FenceSearchAnswer> {
  const { certify = false } = question;
  if (model.kind === 'unbounded') {
    const found = await fenceParameterized(model, {
      ...{ ...options, ...askedFor(question, inspectedProgram(model)) },
      certify,
    });
    const { certificate, uncertified, ...result } = found;
    return {
      result,
      ...(certificate && { certificate }),
      ...(uncertified !== undefined && { uncertified }),
    };
  }
  const program = inspectedProgram(model);
  const asked = askedFor(question, program);
  const { certificate, uncertified, ...result } = await fence(program, { ...options, ...asked });
  if (certify && !certificate && result.verdict.kind === 'found')
    return { result, uncertified: uncertified ?? 'unsupported' };
  // Verifiers support numbers of 32 bits only.
  if (certify && certificate && usesWideValues(program))
    return { result, uncertified: 'unsupported' };
  return { result, ...(certify && certificate && { certificate }) };
}

async function solve(
  model: ThreadModel,
  question: FenceQuestion,
  editor: TextEditor | undefined,
  costs: CostModel,
  limitsLeft: () => Limits,
  read: CompiledText['read'] | undefined,
  { judge, triesProof }: OtherWays,
  robust: () => Promise<FencesFound | undefined>,
): Promise<FenceSearchAnswer> {
  const { mode = defaults.mode, happensBefore = defaults.happensBefore, text } = question;
  const searchAmong = (
    places: Pick<FenceOptions, 'canFence' | 'canFenceBefore' | 'repairs'>,
  ): Promise<FenceSearchAnswer> =>
    search(model, question, {
      mode,
      costs,
      ...places,
      happensBefore,
      without: question.without ?? [],
      limits: limitsLeft(),
      // Repairs for a property that make the program robust, too, leave no question open.
      preferred: async (cost) => {
        const found = await robust();
        return found?.cost === cost ? found.repairs : undefined;
      },
      ...(judge && { judge: withStatesLeft(judge, limitsLeft) }),
      ...(triesProof && { triesProof }),
    });
  const answer = await searchAmong(editor ? fencePlacesOf(editor, mode) : {});
  const { verdict } = answer.result;
  if (editor?.repairs && isOutOfReach(verdict) && !mode.startsWith('minimise'))
    return repairElsewhere(editor, await searchAmong({}), question.certify ?? false) ?? answer;
  if (verdict.kind !== 'found' || !text || !editor) return answer;
  const isChanged = mode.startsWith('minimise')
    ? verdict.removable.length > 0
    : verdict.repairs.length > 0;
  if (!isChanged)
    return {
      ...answer,
      edited: { kind: 'text', text: text.source, chosenPlaces: () => undefined },
    };
  const asked = askedFor(question, inspectedProgram(model));
  const goal = {
    happensBefore,
    limits: limitsLeft,
    ...(asked && { asked }),
    ...(read && { read }),
  };
  return withEdit(answer, await editSource(text, editor, verdict, goal));
}

/**
 * Returns the function `judge` with limits: its calls together may store as many states as the
 * limits allow.
 */
function withStatesLeft(judge: JudgeWithin, limitsLeft: () => Limits): RobustnessJudge {
  let states = 0;
  return async (program) => {
    const limits = limitsLeft();
    const { maxStates } = limits;
    const answer = await judge(program, {
      ...limits,
      ...(maxStates !== undefined && { maxStates: Math.max(0, maxStates - states) }),
    });
    states += answer.statistics.states;
    return answer;
  };
}

/**
 * Whether repairs at places outside the text might reach the goal that repairs in the text cannot
 * reach.
 */
function isOutOfReach(verdict: FenceVerdict): boolean {
  return (
    verdict.kind === 'impossible' || (verdict.kind === 'property-fails' && verdict.under === 'TSO')
  );
}

/**
 * Returns the answer that refuses to edit the text, because the chosen repairs cannot be written
 * into it; `undefined` if no repairs were found.
 */
function repairElsewhere(
  editor: TextEditor,
  { result }: FenceSearchAnswer,
  certify: boolean,
): FenceSearchAnswer | undefined {
  const { verdict } = result;
  if (verdict.kind !== 'found') return undefined;
  const { diagnostics } = editor.repair(repairsOf(verdict), () => undefined);
  return {
    result,
    ...(certify && { uncertified: { kind: 'places' } }),
    edited: { kind: 'refused', refusal: { kind: 'text', diagnostics } },
    isAnywhere: true,
  };
}

/**
 * Adds the edited text to an answer. The verdict becomes `unknown` if the limits did not allow to
 * check the edited text.
 */
function withEdit(answer: FenceSearchAnswer, edited: EditedSource): FenceSearchAnswer {
  const { verdict, ...rest } = answer.result;
  if (edited.kind !== 'unknown' || verdict.kind !== 'found') return { ...answer, edited };
  const unknown = { kind: 'unknown', reason: edited.reason, bound: verdict.cost } as const;
  return { result: { ...rest, verdict: unknown } };
}

/** Returns the text positions of the fences at an answer's locations. */
function placesIn(
  editor: TextEditor,
  { result: { verdict }, edited }: FenceSearchAnswer,
): FencesInText['places'] {
  if (verdict.kind !== 'found') return [];
  const { repairs, removable, reasons, light = [] } = verdict;
  const spared = light.map((part) => ({ ...part, kind: 'fence', cost: 0 }) as const);
  const named = [
    ...repairs,
    ...removable,
    ...spared,
    ...reasons.flatMap((reason) => reason.repairs),
  ];
  return distinct(named).map((repair) => {
    const { thread, location } = repair;
    const places = placesOfFence(editor, repair);
    const chosen = edited?.kind === 'text' ? edited.chosenPlaces(thread, location) : undefined;
    const positions = chosen ? chosen.flatMap((index) => places[index] ?? []) : places;
    return { thread, location, positions };
  });
}

function distinct(repairs: readonly PricedRepair[]): readonly FencePart[] {
  const fences = repairs.flatMap((one) => (one.kind === 'fence' ? [one] : []));
  return [...new Map(fences.map((one) => [`${one.thread} ${one.location}`, one])).values()];
}
