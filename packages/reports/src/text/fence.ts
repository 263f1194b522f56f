import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { isHeavyFence, type PricedRepair } from '@fencewright/model/program/repair.js';
import type { FenceVerdict, FencesFound } from '@fencewright/model/verdict/fence-result.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { claimsAnything } from '../words/headline.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { findTransition, lineOf } from '../words/action-words.js';
import { attackExcerpt } from './attack-in-words.js';
import { computationTable } from './computation-table.js';
import { lastDelay } from '../words/delay.js';
import { diffLines } from './diff-lines.js';
import { fenceHeadline, formatCost } from './fence-headline.js';
import { type FenceFindings, isMinimising } from '../words/fence-findings.js';
import { countOf, enumerate, formatDuration } from '@fencewright/ground/base/number-words.js';
import { raceCaveat } from './check.js';
import { hintLines } from './hint-lines.js';
import type { Palette } from './palette.js';
import { section } from './section.js';
import { delaySentence, needFor, repairNoun, whoseText } from '../words/repair-in-words.js';
import { type MarkedSpan, sourceExcerpt } from './source-excerpt.js';
import type { Subject } from '../words/subject.js';
import { wayOn } from '../words/way-on.js';

function repairExcerpt(
  { program, source }: Subject,
  repair: PricedRepair,
  placesOf: FenceFindings['placesOf'],
  remark: string,
  palette: Palette,
): string[] {
  const { thread } = repair;
  const paint = palette.good;
  const spanOf = (id: number): Span | undefined =>
    findTransition(program, thread, id)?.transition.origin.span;
  const mark = (span: Span): MarkedSpan => ({ span, remark, paint });
  const excerptAt = (id: number): string[] => {
    const span = spanOf(id);
    return sourceExcerpt(source, span ? [mark(span)] : [], palette);
  };
  if (repair.kind !== 'fence') return excerptAt(repair.transition);
  const { location } = repair;
  const places = placesOf(thread, location);
  if (places.length > 0) {
    const marks = places.map((place) => mark({ start: place, end: place }));
    return sourceExcerpt(source, marks, palette);
  }
  const first = program.threads[thread]?.transitions.findIndex(({ from }) => from === location);
  return excerptAt(first ?? -1);
}

function chosenLines(
  subject: Subject,
  findings: FenceFindings,
  verdict: FencesFound,
  palette: Palette,
): string[] {
  const { program } = subject;
  const { placesOf } = findings;
  const remark = isMinimising(findings) ? 'this has to stay' : undefined;
  return verdict.repairs.flatMap((repair, i) => {
    const who = whoseText(program, repair);
    const noun = repairNoun(program, repair, placesOf);
    const here =
      remark ??
      (repair.kind === 'xchg'
        ? 'this store becomes a locked exchange'
        : `a ${isHeavyFence(repair) ? 'heavy fence' : 'fence'} here`);
    const need = needFor(verdict, repair);
    const without = isMinimising(findings) ? 'Without it' : 'Otherwise';
    return [
      `  ${i + 1}. ${who}: ${noun}, cost ${formatCost(repair.cost)}`,
      ...repairExcerpt(subject, repair, placesOf, here, palette),
      ...(need ? [`  ${without} ${delaySentence(program, need)}.`] : []),
    ];
  });
}

/** Returns a line for each place at which a light fence takes the place of a fence. */
function lightLines(
  { program }: Subject,
  { placesOf }: FenceFindings,
  { light = [] }: FencesFound,
): string[] {
  return light.map((part) => {
    const fence = { ...part, kind: 'fence', cost: 0 } as const;
    const noun = repairNoun(program, fence, placesOf);
    return `  ${whoseText(program, fence)}: ${noun}; a light fence for the compiler is enough`;
  });
}

function removableLines(
  subject: Subject,
  findings: FenceFindings,
  { removable }: FencesFound,
  palette: Palette,
): string[] {
  const { program } = subject;
  return removable.flatMap((repair, i) => {
    const who = whoseText(program, repair);
    const noun = repairNoun(program, repair, findings.placesOf);
    return [
      `  ${i + 1}. ${who}: ${noun}, cost ${formatCost(repair.cost)}`,
      ...repairExcerpt(subject, repair, findings.placesOf, 'this can go', palette),
    ];
  });
}

/**
 * Returns the lines between the attack's store and load at which `@nofence` forbids a fence that
 * would prevent the attack.
 */
function forbiddenLines(program: Program, { attack, computation }: Witness): readonly number[] {
  const delay = lastDelay(computation, attack.thread);
  if (!delay) return [];
  const own = computation.slice(
    computation.indexOf(delay.store) + 1,
    computation.indexOf(delay.overtaker) + 1,
  );
  const passed = own.flatMap((action) => {
    if (action.thread !== attack.thread || action.kind === 'store') return [];
    const found = findTransition(program, attack.thread, action.transition);
    const isForbidden = found?.owner.transitions.some(
      ({ from, nofence }) => from === found.transition.from && nofence === true,
    );
    const line = lineOf(program, attack.thread, action.transition);
    return isForbidden && line !== undefined ? [line] : [];
  });
  return [...new Set(passed)].sort((a, b) => a - b);
}

function impossibleLines(
  subject: Subject,
  findings: FenceFindings,
  witness: Witness,
  palette: Palette,
): string[] {
  const { program, source } = subject;
  const delay = lastDelay(witness.computation, witness.attack.thread);
  const what = delay ? delaySentence(program, delay) : 'a thread delays a store';
  const forbidden = forbiddenLines(program, witness);
  const lines = `line${forbidden.length === 1 ? '' : 's'} ${enumerate(forbidden.map(String))}`;
  const because =
    forbidden.length > 0
      ? `because @nofence forbids a fence at ${lines}, and there is no other place between them`
      : 'because the source has no place for a fence between them';
  const sentence = isMinimising(findings)
    ? `The attack: ${what}.`
    : `This attack cannot be stopped, ${because}: ${what}.`;
  return [
    '',
    palette.strong(sentence),
    ...attackExcerpt(program, source, witness, palette),
    ...section(
      'A TSO execution of the attack',
      computationTable(program, witness.computation, witness.cycle, palette),
      palette,
    ),
  ];
}

function propertyFailsLines(
  { program }: Subject,
  { under, computation, program: own = program }: Extract<FenceVerdict, { kind: 'property-fails' }>,
  palette: Palette,
): string[] {
  const why =
    under === 'SC'
      ? 'The claim fails in this execution, which delays no store:'
      : 'The claim fails with every allowed set of repairs; an execution of the unchanged program:';
  return ['', palette.strong(why), ...computationTable(own, computation, [], palette)];
}

/**
 * Returns a hint: the program may not need robustness, or, if robust, may still fail its claims.
 */
function needLines(
  { file, program, advise }: Subject,
  findings: FenceFindings,
  palette: Palette,
): string[] {
  const { verdict } = findings.result;
  if (verdict.kind !== 'found' || findings.properties || isMinimising(findings)) return [];
  const needsNone = verdict.repairs.length === 0;
  if (needsNone && !claimsAnything(program)) return [];
  const advice = advise?.({ kind: needsNone ? 'ask-for-claims' : 'ask-for-need', file });
  return hintLines(advice, palette);
}

function statisticsLine({ result, costModel }: FenceFindings): string {
  const { clauses, rounds, states, milliseconds } = result.statistics;
  return (
    `costs by ${costModel}; ${countOf(clauses, 'clause')} in ${countOf(rounds, 'round')}, ` +
    `${countOf(states, 'state')} in ${formatDuration(milliseconds)}`
  );
}

function detailLines(subject: Subject, findings: FenceFindings, palette: Palette): string[] {
  const { verdict } = findings.result;
  switch (verdict.kind) {
    case 'found': {
      const title = isMinimising(findings) ? 'What has to stay' : 'What has to be done';
      return [
        ...section('What can go', removableLines(subject, findings, verdict, palette), palette),
        ...section(title, chosenLines(subject, findings, verdict, palette), palette),
        ...section('What heavy fences spare', lightLines(subject, findings, verdict), palette),
      ];
    }
    case 'impossible':
      return impossibleLines(subject, findings, verdict.witness, palette);
    case 'property-fails':
      return propertyFailsLines(subject, verdict, palette);
    case 'unknown': {
      const advice = wayOn(subject.advise, verdict.reason, findings.result.diagnostics);
      return hintLines(advice, palette);
    }
    case 'error':
      return [];
    default:
      return unreachable(verdict);
  }
}

/**
 * Returns the report on a set of fences: the fences to insert or remove and their cost, the delay
 * that makes each repair necessary, and a diff.
 */
export function fenceReport(subject: Subject, findings: FenceFindings, palette: Palette): string {
  const { diff = '' } = findings;
  const lines = [
    fenceHeadline(subject, findings, palette),
    ...needLines(subject, findings, palette),
    ...assumptionLines(subject.program).map((line) => palette.faint(`  ${line}`)),
    `  ${palette.faint(statisticsLine(findings))}`,
    ...raceCaveat(findings.result.races).map((line) => palette.faint(`  ${line}`)),
    ...detailLines(subject, findings, palette),
    ...(diff === '' ? [] : section('The change', diffLines(diff, palette), palette)),
  ];
  return `${lines.join('\n')}\n`;
}
