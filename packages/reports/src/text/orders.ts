import { countOf, formatDuration } from '@fencewright/ground/base/number-words.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { OrderChange } from '@fencewright/model/program/order-change.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { OrdersVerdict, OrderViolation } from '@fencewright/model/verdict/orders-result.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { c11LimitInWords } from '../words/c11-words.js';
import { levelInWords, type OrdersFindings, placeOfChange } from '../words/orders-findings.js';
import { reasonInWords } from '../words/reason-in-words.js';
import type { Subject } from '../words/subject.js';
import { wayOn } from '../words/way-on.js';
import { modelNames, raceInWords, violationInWords, violationLines } from './c11.js';
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

function headline(
  subject: Subject,
  { result: { model, change, target } }: OrdersFindings,
  { changes, cost, reasons }: Found,
  palette: Palette,
): string {
  const title = palette.strong(titleOf(subject));
  const against = `against ${modelNames[model]}`;
  const proof = `provably cheapest: ${countOf(reasons.length, 'clause')}`;
  const robust = palette.good('robust');
  if (changes.length === 0)
    return change === 'raise'
      ? `${title} is ${robust} ${against} as it is`
      : `${title} is ${robust} ${against}, and no order can be weaker`;
  const many = countChanges(changes, change);
  return change === 'raise'
    ? `${title} is ${robust} ${against} with ${many}, cost ${formatCost(cost)} on ${target}, ${proof}`
    : `${title} stays ${robust} ${against} with ${many}, saving ${formatCost(-cost)} on ${target}, ${proof}`;
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
  return reason.kind === 'race'
    ? `data race: ${raceInWords(program, reason.race)}`
    : violationInWords(program, reason.violation);
}

function foundLines(
  { program }: Subject,
  { places, result: { change } }: OrdersFindings,
  { changes, alone, reasons }: Found,
  palette: Palette,
): string[] {
  const isTogether = new Set(changes.map((one) => changeLine(program, one)));
  const others = alone.filter((one) => !isTogether.has(changeLine(program, one)));
  const together = change === 'raise' ? 'What has to be done' : 'What can be weaker, all together';
  const lines = changes.map((one, index) => changeLine(program, one, places[index]));
  const why = [...new Set(reasons.map((reason) => `  ${reasonLine(reason)}`))];
  return [
    ...section(together, lines, palette),
    ...section(
      'What can be weaker besides, each alone',
      others.map((one) => changeLine(program, one)),
      palette,
    ),
    ...section('Why cheaper orders are too weak', why, palette),
  ];
}

function verdictLines(subject: Subject, findings: OrdersFindings, palette: Palette): string[] {
  const { model, change, verdict, diagnostics } = findings.result;
  const title = palette.strong(titleOf(subject));
  const against = `against ${modelNames[model]}`;
  switch (verdict.kind) {
    case 'found':
      return [headline(subject, findings, verdict, palette)];
    case 'impossible': {
      const { reason } = verdict;
      const bad = palette.bad('not robust');
      const why =
        reason.kind === 'race'
          ? [`  ${palette.bad('data race')}: ${raceInWords(reason.program, reason.race)}`]
          : violationLines(reason.program, reason.violation, palette);
      return change === 'lower'
        ? [`${title} is ${bad} ${against}: its orders are too weak already`, ...why]
        : [`${title} is ${bad} ${against}, whatever its orders and fences`, ...why];
    }
    case 'unknown': {
      const { reason, limit } = verdict;
      const why = limit ? c11LimitInWords[limit] : reasonInWords[reason];
      const advice = limit ? undefined : wayOn(subject.advise, reason, diagnostics);
      return [
        `${title}: the cheapest orders ${against} are ${palette.doubtful('undecided')}: ${why}`,
        ...(advice === undefined ? [] : [`  hint: ${advice}`]),
      ];
    }
    default:
      return unreachable(verdict);
  }
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
    ...assumptionLines(subject.program).map((line) => palette.faint(`  ${line}`)),
    palette.faint(`  ${figures}`),
    ...(verdict.kind === 'found' ? foundLines(subject, findings, verdict, palette) : []),
    ...section('The change', diff === '' ? [] : diffLines(diff, palette), palette),
  ];
  return `${lines.join('\n')}\n`;
}
