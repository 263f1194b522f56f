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
import { advice, headlineWords, inToneOf, notes, say, section, tables } from '../words/blocks.js';
import type { Block, TonedText } from '../words/document.js';
import { faultHeadline, type Headline, said } from '../words/headline.js';
import { titleOf } from './check.js';
import { printText } from './print-text.js';
import type { Palette } from './palette.js';
import { reachBlocks } from './reach.js';

function named(program: Program, claims: readonly Claim[]): string {
  return enumerate(claims.map((claim) => claimInWords(program, claim)));
}

function headlineOf(program: Program, result: AllInstancesReach): Headline {
  const claimsThat = (standing: StandingOverAll): readonly Claim[] =>
    result.claims.filter((one) => standingIn(program, one) === standing).map(({ claim }) => claim);
  const outcome = reachAllOutcome(program, result);
  switch (outcome) {
    case 'breaks':
      return said('bad', '', 'breaks', `: ${failuresInWords(program, claimsThat('breaks'))}`);
    case 'wrong-under-sc': {
      const wrong = named(program, claimsThat('wrong-under-sc'));
      return said('bad', 'is ', 'wrong already under SC', `: ${wrong}`);
    }
    case 'hangs':
      return answerSentence(program, result.answer, answeredInstances(program, result));
    case 'unknown':
      return said('doubtful', 'is ', 'undecided', `: ${named(program, claimsThat('open'))}`);
    case 'holds': {
      const all = scopeInWords({ kind: 'all', templates: result.templates });
      return said('good', '', 'keeps under TSO what it keeps under SC', `, ${all}`);
    }
    case 'error':
      return faultHeadline;
    default:
      return unreachable(outcome);
  }
}

function cellOf(one: OverAll, isQuestion: boolean): TonedText {
  const verdict = verdictOverAll(one, isQuestion);
  const where =
    one.kind === 'in' ? ` ${scopeInWords({ kind: 'instance', copies: one.copies })}` : '';
  if (isQuestion && verdict !== 'unknown')
    return `${verdict === 'holds' ? 'reached' : 'never reached'}${where}`;
  return inToneOf(verdict, `${verdict}${where}`);
}

function kindOf(program: Program, { claim }: ClaimOverAll): string {
  return claim.kind === 'assertion' ? 'assert' : (program.properties[claim.property]?.kind ?? '');
}

function claimTable(program: Program, result: AllInstancesReach): readonly Block[] {
  const columns = [{ title: 'claim' }, { title: 'kind' }, { title: 'SC' }, { title: 'TSO' }];
  const rows = result.claims.map((one): TonedText[] => {
    const isQuestion = asksForState(program, one.claim);
    return [
      claimInWords(program, one.claim),
      kindOf(program, one),
      cellOf(one.sc, isQuestion),
      cellOf(one.tso, isQuestion),
    ];
  });
  return tables({ columns, rows });
}

/** Returns the reasons why claims are open. */
function openBlocks(program: Program, { claims }: AllInstancesReach): readonly Block[] {
  return claims.flatMap((one) => {
    const open = one.tso.kind === 'unknown' ? one.tso : one.sc;
    if (open.kind !== 'unknown') return [];
    return [say(`${claimInWords(program, one.claim)}: ${whyInWords(program, open.why)}`)];
  });
}

/** Returns the answer; nothing if the headline already is the answer. */
function answerBlocks(program: Program, result: AllInstancesReach): readonly Block[] {
  if (reachAllOutcome(program, result) !== 'holds') return [];
  const answered = answeredInstances(program, result);
  return [say(headlineWords(answerSentence(program, result.answer, answered)))];
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
  const of = shown && scopeInWords({ kind: 'instance', copies: shown.copies });
  const blocks: readonly Block[] = [
    { kind: 'headline', title: titleOf(subject), headline: headlineOf(program, result) },
    ...answerBlocks(program, result),
    ...notes(assumptionLines(program)),
    ...claimTable(program, result),
    ...openBlocks(program, result),
    ...advice(states && `${states} compares them`),
    ...notes([`${countOf(result.states, 'state')} in ${formatDuration(result.milliseconds)}`]),
    ...(shown
      ? section(`Shown ${of}`, reachBlocks({ ...subject, program: shown.program }, shown.result))
      : []),
  ];
  return printText(blocks, palette);
}
