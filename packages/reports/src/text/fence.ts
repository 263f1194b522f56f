import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { isHeavyFence, type PricedRepair } from '@fencewright/model/program/repair.js';
import type { FenceVerdict, FencesFound } from '@fencewright/model/verdict/fence-result.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { memoryModels } from '@fencewright/model/trace/memory-model.js';
import { claimsAnything, freedUsesHeadline, type Headline } from '../words/headline.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { findTransition, lineOf } from '../words/action-words.js';
import { attackExcerpt } from './attack-in-words.js';
import { lastDelay } from '../words/delay.js';
import { fenceHeadline, formatCost } from './fence-headline.js';
import { type FenceFindings, isMinimising } from '../words/fence-findings.js';
import { countOf, enumerate, formatDuration } from '@fencewright/ground/base/number-words.js';
import {
  advice,
  changeSection,
  headlineWords,
  notes,
  numbered,
  say,
  section,
} from '../words/blocks.js';
import type { Block, Item } from '../words/document.js';
import { threadRun } from '../words/run.js';
import { raceCaveat, titleOf } from './check.js';
import { printText } from './print-text.js';
import type { Palette } from './palette.js';
import { delaySentence, needFor, repairNoun, whoseText } from '../words/repair-in-words.js';
import type { Subject } from '../words/subject.js';
import { wayOn } from '../words/way-on.js';

function repairExcerpt(
  { program, source }: Subject,
  repair: PricedRepair,
  placesOf: FenceFindings['placesOf'],
  remark: string,
): Block {
  const { thread } = repair;
  const spanOf = (id: number): Span | undefined =>
    findTransition(program, thread, id)?.transition.origin.span;
  const excerptOf = (spans: readonly Span[]): Block => {
    return {
      kind: 'excerpt',
      source,
      marks: spans.map((span) => ({ span, remark, tone: 'good' })),
    };
  };
  const excerptAt = (id: number): Block => {
    const span = spanOf(id);
    return excerptOf(span ? [span] : []);
  };
  if (repair.kind !== 'fence') return excerptAt(repair.transition);
  const { location } = repair;
  const places = placesOf(thread, location);
  if (places.length > 0) return excerptOf(places.map((place) => ({ start: place, end: place })));
  const first = program.threads[thread]?.transitions.findIndex(({ from }) => from === location);
  return excerptAt(first ?? -1);
}

/** Returns a repair with its place in the text, marked with a remark. */
function repairItem(
  subject: Subject,
  { placesOf }: FenceFindings,
  repair: PricedRepair,
  remark: string,
): Item & { readonly blocks: readonly Block[] } {
  const { program } = subject;
  const noun = repairNoun(program, repair, placesOf);
  const words = `${whoseText(program, repair)}: ${noun}, cost ${formatCost(repair.cost)}`;
  return { words, blocks: [repairExcerpt(subject, repair, placesOf, remark)] };
}

function chosenRepairs(
  subject: Subject,
  findings: FenceFindings,
  verdict: FencesFound,
): readonly Item[] {
  const { program } = subject;
  const isLess = isMinimising(findings);
  return verdict.repairs.map((repair) => {
    const here =
      repair.kind === 'xchg'
        ? 'this store becomes a locked exchange'
        : `a ${isHeavyFence(repair) ? 'heavy fence' : 'fence'} here`;
    const item = repairItem(subject, findings, repair, isLess ? 'this has to stay' : here);
    const need = needFor(verdict, repair);
    const without = isLess ? 'Without it' : 'Otherwise';
    return need
      ? { ...item, blocks: [...item.blocks, say(`${without} ${delaySentence(program, need)}.`)] }
      : item;
  });
}

/**
 * Returns one sentence for each place at which a light fence (which orders accesses in the compiler
 * only) is enough because of the heavy fences.
 */
function lightFences(
  { program }: Subject,
  { placesOf }: FenceFindings,
  { light = [] }: FencesFound,
): readonly Block[] {
  return light.map((part) => {
    const fence = { ...part, kind: 'fence', cost: 0 } as const;
    const noun = repairNoun(program, fence, placesOf);
    return say(`${whoseText(program, fence)}: ${noun}; a light fence for the compiler is enough`);
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

function impossibleBlocks(
  subject: Subject,
  findings: FenceFindings,
  witness: Witness,
): readonly Block[] {
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
    {
      ...{ kind: 'section', title: sentence },
      blocks: [attackExcerpt(program, source, witness)],
    },
    ...section('A TSO execution of the attack', [
      { kind: 'run', run: threadRun(program, witness.computation, witness.cycle) },
    ]),
  ];
}

function failingExecution(
  { program }: Subject,
  { under, computation, program: own = program }: Extract<FenceVerdict, { kind: 'property-fails' }>,
): readonly Block[] {
  const why =
    under === 'SC'
      ? 'The claim fails in this execution, which delays no store:'
      : 'The claim fails with every allowed set of repairs; an execution of the unchanged program:';
  return section(why, [{ kind: 'run', run: threadRun(own, computation, []) }]);
}

/** Returns a hint: the program may not need robustness or, although robust, may fail its claims. */
function needAdvice({ file, program, advise }: Subject, findings: FenceFindings): readonly Block[] {
  const { verdict } = findings.result;
  if (verdict.kind !== 'found' || findings.properties || isMinimising(findings)) return [];
  const needsNone = verdict.repairs.length === 0;
  if (needsNone && !claimsAnything(program)) return [];
  return advice(advise?.({ kind: needsNone ? 'ask-for-claims' : 'ask-for-need', file }));
}

function statisticsLine({ result, costModel }: FenceFindings): string {
  const { states, milliseconds } = result.statistics;
  return `costs by ${costModel}; ${countOf(states, 'state')} in ${formatDuration(milliseconds)}`;
}

function details(subject: Subject, findings: FenceFindings): readonly Block[] {
  const { verdict, diagnostics } = findings.result;
  switch (verdict.kind) {
    case 'found': {
      const title = isMinimising(findings) ? 'What has to stay' : 'What has to be done';
      const gone = verdict.removable.map((repair) =>
        repairItem(subject, findings, repair, 'this can go'),
      );
      return [
        ...section('What can go', numbered(gone)),
        ...section(title, numbered(chosenRepairs(subject, findings, verdict))),
        ...section('What heavy fences spare', lightFences(subject, findings, verdict)),
      ];
    }
    case 'impossible':
      return impossibleBlocks(subject, findings, verdict.witness);
    case 'property-fails':
      return failingExecution(subject, verdict);
    case 'unknown':
      return advice(wayOn(subject.advise, verdict.reason, diagnostics));
    case 'error':
      return [];
    default:
      return unreachable(verdict);
  }
}

/** Returns a headline on fences as a line behind a use of freed memory. */
function behindUse(headline: Headline): Headline {
  return { ...headline, tone: 'doubtful', before: `apart from that, it ${headline.before ?? ''}` };
}

/**
 * Returns the report on a set of fences: the fences to insert or remove and their cost, the delay
 * that makes each repair necessary, and a diff.
 */
export function fenceReport(subject: Subject, findings: FenceFindings, palette: Palette): string {
  const headline = fenceHeadline(subject, findings);
  const { races } = findings.result;
  const used = freedUsesHeadline(subject.program, { races }, memoryModels.TSO.processors);
  // A use that the fences leave is worse than anything else.
  const blocks: readonly Block[] = [
    { kind: 'headline', title: titleOf(subject), headline: used ?? headline },
    ...(used ? [say(headlineWords(behindUse(headline)))] : []),
    ...needAdvice(subject, findings),
    ...notes([...assumptionLines(subject.program), statisticsLine(findings), ...raceCaveat(races)]),
    ...details(subject, findings),
    ...changeSection(findings.diff),
  ];
  return printText(blocks, palette);
}
