import { countOf, formatDuration } from '@fencewright/ground/base/number-words.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import type { Assumption } from '@fencewright/model/program/assumption.js';
import type { C11Refusal } from '@fencewright/model/verdict/c11-result.js';
import type { OrderChange } from '@fencewright/model/program/order-change.js';
import type { Program } from '@fencewright/model/program/program.js';
import type {
  OrdersResult,
  OrdersVerdict,
  OrderViolation,
} from '@fencewright/model/verdict/orders-result.js';
import { provenBy } from '../words/provably-cheapest.js';
import { assumptionLines } from '../words/assumption-lines.js';
import {
  allAssumptionsAboutC11,
  failingClaim,
  limitInWords,
  lineOfEvent,
  wayOnC11,
} from '../words/c11-words.js';
import {
  leftOutLines,
  levelInWords,
  type OrdersFindings,
  placeOfChange,
} from '../words/orders-findings.js';
import { hintOnPlainRace } from '../words/hint-on-plain-race.js';
import { reasonInWords } from '../words/reason-in-words.js';
import type { Subject } from '../words/subject.js';
import { advice, changeSection, notes, say, section } from '../words/blocks.js';
import type { Block } from '../words/document.js';
import { type Headline, said } from '../words/headline.js';
import {
  failureBlocks,
  freedUseBlocks,
  modelNames,
  raceInWords,
  c11ViolationBlocks,
  violationInWords,
} from './c11.js';
import { printText } from './print-text.js';
import { titleOf } from './check.js';
import { formatCost } from './fence-headline.js';
import type { Palette } from './palette.js';

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
 * Returns the effect of sufficient memory orders, and `rest`: `is robust against C11`; if orders
 * were lowered and `isChanged`, `stays robust`.
 */
function effectInWords(
  { goal, change, model }: OrdersResult,
  isChanged: boolean,
  rest: string,
): Headline {
  const name = modelNames[model];
  const stays = change === 'lower' && isChanged;
  return goal === 'robustness'
    ? said('good', stays ? 'stays ' : 'is ', 'robust', ` against ${name}${rest}`)
    : said('good', stays ? 'still ' : '', 'satisfies its assertions', ` under ${name}${rest}`);
}

/**
 * Returns, in words, whether the cost is proved to be the least, and otherwise the bound on cheaper
 * costs.
 */
function proofInWords({ reasons, open, cost }: Found, { change, leftOut }: OrdersResult): string {
  if (open?.bound === undefined) {
    const isPart = change === 'raise' && leftOut?.some(({ why }) => why === 'not-written') === true;
    const among = isPart ? ' among the places in this text' : '';
    return `provably cheapest${among}: ${provenBy(reasons.length)}`;
  }
  if (open.bound === cost) return 'provably cheapest, but fewer changes may be enough';
  const bound = formatCost(Math.abs(open.bound));
  return change === 'raise'
    ? `not known to be the cheapest: at least ${bound} is needed`
    : `not known to be the cheapest: at most ${bound} can be saved`;
}

function headlineOf({ result }: OrdersFindings, verdict: Found): Headline {
  const { change, target } = result;
  const { changes, cost, open } = verdict;
  const withEffect = (rest: string): Headline => effectInWords(result, changes.length > 0, rest);
  if (changes.length > 0) {
    const price = change === 'raise' ? `cost ${formatCost(cost)}` : `saving ${formatCost(-cost)}`;
    const proof = proofInWords(verdict, result);
    return withEffect(` with ${countChanges(changes, change)}, ${price} on ${target}, ${proof}`);
  }
  if (change === 'raise') return withEffect(' as it is');
  const asked = result.leftOut ? 'no other order' : 'no order';
  const isOpen = open?.bound !== undefined;
  return withEffect(`, and ${isOpen ? `${asked} is known that` : asked} can be weaker`);
}

function changeLine(
  program: Program,
  change: OrderChange,
  places?: Parameters<typeof placeOfChange>[2],
): string {
  const { kind, from, to, cost } = change;
  // The order of a failure that stays is no part of the change.
  const isKept = from.failure === to.failure;
  const [was, is] = [from, to].map((level) =>
    levelInWords(isKept ? { order: level.order } : level, kind),
  );
  const costs = cost === 0 ? '' : ` (cost ${cost > 0 ? '+' : ''}${formatCost(cost)})`;
  return `${placeOfChange(program, change, places)}: ${is} instead of ${was}${costs}`;
}

function doubtInWords(program: Program, doubt: C11Refusal): string {
  return doubt.limit ? limitInWords(program, doubt.limit, doubt) : 'the check is undecided';
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
    case 'doubt':
      return doubtInWords(program, reason.doubt);
  }
}

/** Returns the execution because of which the orders are too weak. */
function reasonBlocks(reason: OrderViolation): readonly Block[] {
  switch (reason.kind) {
    case 'violation':
      return c11ViolationBlocks(reason.program, reason.violation);
    case 'assertion':
      return failureBlocks(reason.program, reason.failure);
    case 'race':
    case 'assertion-under-sc':
    case 'doubt':
      return [say(reasonLine(reason))];
  }
}

/**
 * Returns the event that a reason for stronger orders is about, for sorting reasons by source line;
 * `undefined` if the reason has no execution.
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
    case 'doubt':
      return undefined;
  }
}

/** Returns the reasons, each once, in the order of the source. */
function distinctReasons(reasons: readonly OrderViolation[]): readonly Block[] {
  const placed = reasons.map((reason) => {
    const event = eventOfReason(reason);
    const at = (event && lineOfEvent(reason.program, event)) ?? 0;
    return { at, line: reasonLine(reason) };
  });
  const lines = placed.sort((a, b) => a.at - b.at).map(({ line }) => line);
  return [...new Set(lines)].map((line) => say(line));
}

/** Returns the results that a search for orders had proved when it ended without an answer. */
function soFarBlocks(
  { soFar }: Extract<OrdersVerdict, { readonly kind: 'unknown' }>,
  change: 'raise' | 'lower',
): readonly Block[] {
  if (!soFar) return [];
  const { bound, reasons } = soFar;
  const cost = formatCost(Math.abs(bound ?? 0));
  const known =
    change === 'raise'
      ? `known so far: changes of cost ${cost} at least are needed`
      : `known so far: changes save ${cost} at most`;
  return [
    ...(bound === undefined ? [] : [say(known)]),
    ...section('Why cheaper orders are too weak', distinctReasons(reasons)),
  ];
}

function foundBlocks(
  { program }: Subject,
  { places, result: { change, goal } }: OrdersFindings,
  { changes, alone, reasons, open }: Found,
): readonly Block[] {
  const isTogether = new Set(changes.map((one) => changeLine(program, one)));
  const others = alone.map((one) => changeLine(program, one)).filter((one) => !isTogether.has(one));
  const together = change === 'raise' ? 'What has to be done' : 'What can be weaker, all together';
  const lines = changes.map((one, index) => say(changeLine(program, one, places[index])));
  const doubts =
    goal === 'robustness'
      ? 'What is in doubt with cheaper orders'
      : 'Executions without an interleaving, for which the assertions are not decided';
  return [
    ...section(together, lines),
    ...section(
      'What can be weaker besides, each alone',
      others.map((one) => say(one)),
    ),
    ...section('Why cheaper orders are too weak', distinctReasons(reasons)),
    ...section(doubts, distinctReasons(open?.doubts ?? [])),
  ];
}

function verdictBlocks(subject: Subject, findings: OrdersFindings): readonly Block[] {
  const { model, goal, change, verdict } = findings.result;
  const title = titleOf(subject);
  const name = modelNames[model];
  switch (verdict.kind) {
    case 'found':
      return [{ kind: 'headline', title, headline: headlineOf(findings, verdict) }];
    case 'impossible': {
      const { reason } = verdict;
      if (reason.kind === 'freed-use') return freedUseBlocks(subject, reason.use, model);
      const isGiven = change === 'lower' && reason.kind !== 'assertion-under-sc';
      const which = isGiven ? ': its orders are too weak already' : ', whatever its orders';
      const rest = `${name}${which}${change === 'raise' ? ' and fences' : ''}`;
      const headline =
        goal === 'robustness'
          ? said('bad', 'is ', 'not robust', ` against ${rest}`)
          : said('bad', 'does ', 'not satisfy its assertions', ` under ${rest}`);
      const { advise, file } = subject;
      const shows = advise?.({ kind: 'compare-states', file });
      const isWrong = reason.kind === 'assertion-under-sc' && shows !== undefined;
      const plain =
        reason.kind === 'race' ? hintOnPlainRace(reason.program, reason.race) : undefined;
      return [
        { kind: 'headline', title, headline },
        ...reasonBlocks(reason),
        ...advice(isWrong ? `${shows} shows which, and an execution` : plain),
      ];
    }
    case 'unknown': {
      const { reason, limit } = verdict;
      const isOpen = goal === 'assertions' && reason === 'undecided';
      const why = isOpen
        ? 'whether an assertion fails in an execution without an interleaving is not decided'
        : limit
          ? limitInWords(subject.program, limit, verdict)
          : reasonInWords[reason];
      const wayOn = isOpen
        ? 'stronger orders exclude such executions: ask for the cheapest stronger ones'
        : wayOnC11(subject, reason, limit);
      const purpose =
        goal === 'robustness' ? `against ${name}` : `for its assertions under ${name}`;
      const before = `: the cheapest orders ${purpose} are `;
      const headline = said('doubtful', before, 'undecided', `: ${why}`);
      return [
        { kind: 'headline', title, headline },
        ...advice(wayOn),
        ...soFarBlocks(verdict, change),
      ];
    }
    default:
      return unreachable(verdict);
  }
}

/** Returns the assumptions that the answer about memory orders makes. */
function assumptionsOf(program: Program, verdict: OrdersVerdict): readonly Assumption[] {
  const found = verdict.kind === 'found' ? verdict : {};
  return allAssumptionsAboutC11(program, found);
}

/**
 * Returns the report on the cheapest memory orders: the changes and their costs, why cheaper orders
 * are too weak, and a diff.
 */
export function ordersReport(subject: Subject, findings: OrdersFindings, palette: Palette): string {
  const { diff, costModel, result } = findings;
  const { verdict, statistics, target } = result;
  const { checks, states, milliseconds } = statistics;
  const figures =
    `costs of ${target}, by ${costModel}; ${countOf(checks, 'check')}, ` +
    `${countOf(states, 'state')} in ${formatDuration(milliseconds)}`;
  const isFound = verdict.kind === 'found';
  const blocks = [
    ...verdictBlocks(subject, findings),
    ...(isFound ? leftOutLines(result.leftOut).map((line) => say(line)) : []),
    ...notes([
      ...assumptionLines({ assumptions: assumptionsOf(subject.program, verdict) }),
      figures,
    ]),
    ...(isFound ? foundBlocks(subject, findings, verdict) : []),
    ...changeSection(diff),
  ];
  return printText(blocks, palette);
}
