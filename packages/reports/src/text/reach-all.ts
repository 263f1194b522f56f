import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import type {
  AllInstancesReach,
  ClaimOverAll,
  OverAll,
  StandingOverAll,
} from '@fencewright/model/verdict/all-instances-reach.js';
import type { Claim } from '@fencewright/model/verdict/state-answer.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { claimInWords, failuresInWords, whyInWords } from '../words/answer-in-words.js';
import { countOf, enumerate, formatDuration } from '@fencewright/ground/base/number-words.js';
import {
  answeredInstances,
  asksForState,
  standingIn,
} from '@fencewright/model/verdict/answer-over-all.js';
import { answerSentence } from '../words/opening.js';
import { reachAllOutcome, verdictOverAll } from '../words/reach-all-outcome.js';
import { scopeInWords } from '../words/scope-in-words.js';
import type { Subject } from '../words/subject.js';
import { painted, titleOf } from './check.js';
import { hintLines } from './hint-lines.js';
import type { Palette } from './palette.js';
import { reachReport } from './reach.js';
import { renderTable, type TableCell } from './table.js';

function named(program: Program, claims: readonly Claim[]): string {
  return enumerate(claims.map((claim) => claimInWords(program, claim)));
}

function headline(subject: Subject, result: AllInstancesReach, palette: Palette): string {
  const { program } = subject;
  const title = palette.strong(titleOf(subject));
  const all = scopeInWords({ kind: 'all', templates: result.templates });
  const claimsThat = (standing: StandingOverAll): readonly Claim[] =>
    result.claims.filter((one) => standingIn(program, one) === standing).map(({ claim }) => claim);
  const outcome = reachAllOutcome(program, result);
  switch (outcome) {
    case 'breaks':
      return `${title} ${palette.bad('breaks')}: ${failuresInWords(program, claimsThat('breaks'))}`;
    case 'wrong-under-sc':
      return `${title} is ${palette.bad('wrong already under SC')}: ${named(program, claimsThat('wrong-under-sc'))}`;
    case 'hangs':
      return `${title} ${painted(answerSentence(program, result.answer, answeredInstances(program, result)), palette)}`;
    case 'unknown':
      return `${title} is ${palette.doubtful('undecided')}: ${named(program, claimsThat('open'))}`;
    case 'holds':
      return `${title} ${palette.good('keeps under TSO what it keeps under SC')}, ${all}`;
    case 'error':
      return `${title} ${palette.bad('cannot be decided')}: an execution of the program ends in a fault (see the messages)`;
    default:
      return unreachable(outcome);
  }
}

function cellOf(one: OverAll, isQuestion: boolean, palette: Palette): TableCell {
  const verdict = verdictOverAll(one, isQuestion);
  const where =
    one.kind === 'in' ? ` ${scopeInWords({ kind: 'instance', copies: one.copies })}` : '';
  if (isQuestion && verdict !== 'unknown')
    return `${verdict === 'holds' ? 'reached' : 'never reached'}${where}`;
  const paint = { holds: palette.good, violated: palette.bad, unknown: palette.doubtful }[verdict];
  return { text: `${verdict}${where}`, paint };
}

function kindOf(program: Program, { claim }: ClaimOverAll): string {
  return claim.kind === 'assertion' ? 'assert' : (program.properties[claim.property]?.kind ?? '');
}

function claimTable(program: Program, result: AllInstancesReach, palette: Palette): string[] {
  const columns = [{ title: 'claim' }, { title: 'kind' }, { title: 'SC' }, { title: 'TSO' }];
  const rows = result.claims.map((one): TableCell[] => {
    const isQuestion = asksForState(program, one.claim);
    return [
      claimInWords(program, one.claim),
      kindOf(program, one),
      cellOf(one.sc, isQuestion, palette),
      cellOf(one.tso, isQuestion, palette),
    ];
  });
  return renderTable(columns, rows, { indent: '  ', gap: '  ', heading: palette.accent });
}

/** Returns the lines on the reasons why claims are open. */
function openLines(program: Program, { claims }: AllInstancesReach): string[] {
  return claims.flatMap((one) => {
    const open = one.tso.kind === 'unknown' ? one.tso : one.sc;
    if (open.kind !== 'unknown') return [];
    return [`  ${claimInWords(program, one.claim)}: ${whyInWords(program, open.why)}`];
  });
}

/** Returns a line with the answer; empty if the headline already is the answer. */
function answerLines(program: Program, result: AllInstancesReach, palette: Palette): string[] {
  if (reachAllOutcome(program, result) !== 'holds') return [];
  const answered = answeredInstances(program, result);
  return [`  ${painted(answerSentence(program, result.answer, answered), palette)}`];
}

/**
 * Returns the report on claims decided for all numbers of copies, with an instance and a state that
 * refute a claim; the program of `subject` has one thread for each template.
 */
export function reachAllReport(
  subject: Subject,
  result: AllInstancesReach,
  palette: Palette,
): string {
  const { program, file, advise } = subject;
  const { answer, shown, templates } = result;
  const copies = templates.map((template) => ({ template, count: 2 }));
  const isOpen = answer.kind === 'unknown' && answer.why.kind === 'instances';
  const states = isOpen
    ? advise?.({ kind: 'compare-states', file, scope: { kind: 'instance', copies } })
    : undefined;
  const lines = [
    headline(subject, result, palette),
    ...answerLines(program, result, palette),
    ...assumptionLines(program).map((line) => palette.faint(`  ${line}`)),
    ...(result.claims.length > 0 ? claimTable(program, result, palette) : []),
    ...openLines(program, result),
    ...hintLines(states && `${states} compares them`, palette),
    palette.faint(`  ${countOf(result.states, 'state')} in ${formatDuration(result.milliseconds)}`),
  ];
  if (!shown) return `${lines.join('\n')}\n`;
  const of = scopeInWords({ kind: 'instance', copies: shown.copies });
  const own = reachReport({ ...subject, program: shown.program }, shown.result, palette);
  return `${lines.join('\n')}\n\n${palette.strong(`Shown ${of}`)}\n${own}`;
}
