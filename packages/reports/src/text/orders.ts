import { countOf, formatDuration } from '@fencewright/ground/base/number-words.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import type { Assumption } from '@fencewright/model/program/assumption.js';
import type { OrderChange } from '@fencewright/model/program/order-change.js';
import type { Program } from '@fencewright/model/program/program.js';
import type {
  OrdersResult,
  OrdersVerdict,
  OrderViolation,
} from '@fencewright/model/verdict/orders-result.js';
import { assumptionLines } from '../words/assumption-lines.js';
import {
  assumptionsAboutC11,
  c11LimitInWords,
  failingClaim,
  lineOfEvent,
  wayOnC11,
} from '../words/c11-words.js';
import {
  leftOutLines,
  levelInWords,
  type OrdersFindings,
  placeOfChange,
} from '../words/orders-findings.js';
import { reasonInWords } from '../words/reason-in-words.js';
import type { Subject } from '../words/subject.js';
import { failureLines, modelNames, raceInWords, violationInWords, violationLines } from './c11.js';
import { titleOf } from './check.js';
import { diffLines } from './diff-lines.js';
import { formatCost } from './fence-headline.js';
import type { Palette } from './palette.js';
import { section } from './section.js';

type Found = Extract<OrdersVerdict, { readonly kind: 'found' }>;

/** Returns the number of changes in words: `2 stronger orders and 1 fence`. */
function countChanges(changes: readonly OrderChange[], change: 'raise' | 'lower'): string {
  const isFence = ({ from, to, kind }: OrderChange): boolean =>
    kind === 'fence' && (change === 'raise' ? from : to).order === 'relaxed';
  const fences = changes.filter(isFence).length;
  const orders = changes.length - fences;
  const kind = change === 'raise' ? 'stronger' : 'weaker';
  return [
    ...(orders > 0 ? [countOf(orders, `${kind} order`)] : []),
    ...(fences > 0 && change === 'raise' ? [countOf(fences, 'fence')] : []),
    ...(fences > 0 && change === 'lower' ? [`without ${countOf(fences, 'fence')}`] : []),
  ].join(' and ');
}

/**
 * Returns the effect of enough orders: `is robust against C11`; if orders were lowered and
 * `isChanged`, `stays robust`.
 */
function effectInWords(
  { goal, change, model }: OrdersResult,
  palette: Palette,
  isChanged = false,
): string {
  const name = modelNames[model];
  const stays = change === 'lower' && isChanged;
  return goal === 'robustness'
    ? `${stays ? 'stays' : 'is'} ${palette.good('robust')} against ${name}`
    : `${stays ? 'still ' : ''}${palette.good('satisfies its assertions')} under ${name}`;
}

/** Returns how the cost is known to be the least, or the bound on costs. */
function proofInWords({ reasons, open, cost }: Found, change: 'raise' | 'lower'): string {
  if (open?.bound === undefined) return `provably cheapest: ${countOf(reasons.length, 'clause')}`;
  if (open.bound === cost) return 'provably cheapest, but fewer changes may be enough';
  const bound = formatCost(Math.abs(open.bound));
  return change === 'raise'
    ? `not known to be the cheapest: at least ${bound} is needed`
    : `not known to be the cheapest: at most ${bound} can be saved`;
}

function headline(
  subject: Subject,
  { result }: OrdersFindings,
  verdict: Found,
  palette: Palette,
): string {
  const { change, target } = result;
  const { changes, cost, open } = verdict;
  const title = palette.strong(titleOf(subject));
  const effect = effectInWords(result, palette, changes.length > 0);
  const proof = proofInWords(verdict, change);
  if (changes.length > 0) {
    const price = change === 'raise' ? `cost ${formatCost(cost)}` : `saving ${formatCost(-cost)}`;
    return `${title} ${effect} with ${countChanges(changes, change)}, ${price} on ${target}, ${proof}`;
  }
  if (change === 'raise') return `${title} ${effect} as it is`;
  const asked = result.leftOut ? 'no other order' : 'no order';
  const isOpen = open?.bound !== undefined;
  return `${title} ${effect}, and ${isOpen ? `${asked} is known that` : asked} can be weaker`;
}

function changeLine(
  program: Program,
  change: OrderChange,
  places?: Parameters<typeof placeOfChange>[2],
): string {
  const { kind, from, to, cost } = change;
  const was = levelInWords(from, kind);
  const costs = cost === 0 ? '' : ` (cost ${cost > 0 ? '+' : ''}${formatCost(cost)})`;
  return `  ${placeOfChange(program, change, places)}: ${levelInWords(to, kind)} instead of ${was}${costs}`;
}

function reasonLine(reason: OrderViolation): string {
  const { program } = reason;
  switch (reason.kind) {
    case 'race':
      return `data race: ${raceInWords(program, reason.race)}`;
    case 'violation':
      return violationInWords(program, reason.violation);
    case 'assertion': {
      const { failure } = reason;
      const what = violationInWords(program, failure.execution);
      return `${failingClaim(program, failure)} can fail: ${what}`;
    }
    case 'assertion-under-sc':
      return 'an assertion fails under SC';
  }
}

/** Returns the lines on the execution because of which the orders are too weak. */
function reasonLines(reason: OrderViolation, palette: Palette): string[] {
  switch (reason.kind) {
    case 'violation':
      return violationLines(reason.program, reason.violation, palette);
    case 'assertion':
      return failureLines(reason.program, reason.failure, palette);
    case 'race':
    case 'assertion-under-sc':
      return [`  ${reasonLine(reason)}`];
  }
}

/**
 * Returns the event by whose source line a reason is sorted; `undefined` if the reason has no
 * execution.
 */
function eventOfReason(reason: OrderViolation): GraphEvent | undefined {
  switch (reason.kind) {
    case 'race':
      return reason.race.graph.events[reason.race.first];
    case 'violation':
      return reason.violation.graph.events[reason.violation.event];
    case 'assertion': {
      const { graph, event } = reason.failure.execution;
      return graph.events[event];
    }
    case 'assertion-under-sc':
      return undefined;
  }
}

/** Returns the lines of the reasons, each once, in the order of the source. */
function distinctReasons(reasons: readonly OrderViolation[]): string[] {
  const placed = reasons.map((reason) => {
    const event = eventOfReason(reason);
    const at = (event && lineOfEvent(reason.program, event)) ?? 0;
    return { at, line: `  ${reasonLine(reason)}` };
  });
  return [...new Set(placed.sort((a, b) => a.at - b.at).map(({ line }) => line))];
}

function foundLines(
  { program }: Subject,
  { places, result: { change } }: OrdersFindings,
  { changes, alone, reasons, open }: Found,
  palette: Palette,
): string[] {
  const isTogether = new Set(changes.map((one) => changeLine(program, one)));
  const others = alone.filter((one) => !isTogether.has(changeLine(program, one)));
  const together = change === 'raise' ? 'What has to be done' : 'What can be weaker, all together';
  const lines = changes.map((one, index) => changeLine(program, one, places[index]));
  return [
    ...section(together, lines, palette),
    ...section(
      'What can be weaker besides, each alone',
      others.map((one) => changeLine(program, one)),
      palette,
    ),
    ...section('Why cheaper orders are too weak', distinctReasons(reasons), palette),
    ...section(
      'Executions without an interleaving, for which the assertions are not decided',
      distinctReasons(open?.doubts ?? []),
      palette,
    ),
  ];
}

function verdictLines(subject: Subject, findings: OrdersFindings, palette: Palette): string[] {
  const { model, goal, change, verdict } = findings.result;
  const title = palette.strong(titleOf(subject));
  const name = modelNames[model];
  switch (verdict.kind) {
    case 'found':
      return [headline(subject, findings, verdict, palette)];
    case 'impossible': {
      const { reason } = verdict;
      const isGiven = change === 'lower' && reason.kind !== 'assertion-under-sc';
      const which = isGiven ? ': its orders are too weak already' : ', whatever its orders';
      const fails =
        goal === 'robustness'
          ? `is ${palette.bad('not robust')} against ${name}`
          : `does ${palette.bad('not satisfy its assertions')} under ${name}`;
      const fences = change === 'raise' ? ' and fences' : '';
      const { advise, file } = subject;
      const shows = advise?.({ kind: 'compare-states', file });
      const isWrong = reason.kind === 'assertion-under-sc' && shows !== undefined;
      return [
        `${title} ${fails}${which}${fences}`,
        ...reasonLines(reason, palette),
        ...(isWrong ? [`  hint: ${shows} shows which, and an execution`] : []),
      ];
    }
    case 'unknown': {
      const { reason, limit } = verdict;
      const isOpen = goal === 'assertions' && reason === 'undecided';
      const why = isOpen
        ? 'whether an assertion fails in an execution without an interleaving is not decided'
        : limit
          ? c11LimitInWords[limit]
          : reasonInWords[reason];
      const advice = isOpen
        ? 'stronger orders exclude such executions: ask for the cheapest stronger ones'
        : wayOnC11(subject, reason, limit);
      const purpose =
        goal === 'robustness' ? `against ${name}` : `for its assertions under ${name}`;
      return [
        `${title}: the cheapest orders ${purpose} are ${palette.doubtful('undecided')}: ${why}`,
        ...(advice === undefined ? [] : [`  hint: ${advice}`]),
      ];
    }
    default:
      return unreachable(verdict);
  }
}

/** Returns the assumptions of the answer. */
function assumptionsOf(program: Program, verdict: OrdersVerdict): readonly Assumption[] {
  const found = verdict.kind === 'found' ? verdict : {};
  return [...(program.assumptions ?? []), ...assumptionsAboutC11(program, found)];
}

/**
 * Returns the report on the cheapest memory orders: the changes and their costs, why cheaper orders
 * are too weak, and a diff.
 */
export function ordersReport(subject: Subject, findings: OrdersFindings, palette: Palette): string {
  const { diff = '', costModel, result } = findings;
  const { verdict, statistics, target } = result;
  const { checks, states, milliseconds } = statistics;
  const figures =
    `costs of ${target}, by ${costModel}; ${countOf(checks, 'check')}, ` +
    `${countOf(states, 'state')} in ${formatDuration(milliseconds)}`;
  const lines = [
    ...verdictLines(subject, findings, palette),
    ...(verdict.kind === 'found' ? leftOutLines(result.leftOut).map((line) => `  ${line}`) : []),
    ...assumptionLines({ assumptions: assumptionsOf(subject.program, verdict) }).map((line) =>
      palette.faint(`  ${line}`),
    ),
    palette.faint(`  ${figures}`),
    ...(verdict.kind === 'found' ? foundLines(subject, findings, verdict, palette) : []),
    ...section('The change', diff === '' ? [] : diffLines(diff, palette), palette),
  ];
  return `${lines.join('\n')}\n`;
}
