import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import {
  instructionOf,
  isHeavyFence,
  type PricedRepair,
} from '@fencewright/model/program/repair.js';
import type { FencesFound, FenceVerdict } from '@fencewright/model/verdict/fence-result.js';
import { provenBy } from '../words/provably-cheapest.js';
import { underHappensBefore } from '../words/verdict-meaning.js';
import { faultHeadline, type Headline, said } from '../words/headline.js';
import { reasonInWords } from '../words/reason-in-words.js';
import { allAssertions, type FenceFindings, isMinimising } from '../words/fence-findings.js';
import { countOf, enumerate } from '@fencewright/ground/base/number-words.js';
import type { Subject } from '../words/subject.js';

/** Returns a cost as text, rounded so that sums of decimal fractions look exact. */
export function formatCost(cost: number): string {
  return String(Number(cost.toPrecision(12)));
}

/** Returns the number of repairs in words: `2 fences and 1 exchange`. */
function countRepairs(program: Program, repairs: readonly PricedRepair[]): string {
  const kindOf = (repair: PricedRepair): string => {
    if (repair.kind === 'keep') return instructionOf(program, repair).kind;
    return isHeavyFence(repair) ? 'heavy-fence' : repair.kind;
  };
  const fences = repairs.filter((repair) => kindOf(repair) === 'fence').length;
  const heavy = repairs.filter((repair) => kindOf(repair) === 'heavy-fence').length;
  const exchanges = repairs.length - fences - heavy;
  const parts = [
    ...(fences > 0 || exchanges + heavy === 0 ? [countOf(fences, 'fence')] : []),
    ...(heavy > 0 ? [countOf(heavy, 'heavy fence')] : []),
    ...(exchanges > 0 ? [countOf(exchanges, 'locked exchange')] : []),
  ];
  return enumerate(parts);
}

/**
 * By name of a goal, the effect of the fences on the states in which the program comes to rest, in
 * words.
 */
const restInWords: Readonly<Partial<Record<string, string>>> = {
  states: 'comes to rest as SC does',
  'final-states': 'ends as SC does',
};

function restsInWords({ properties }: Program, names: readonly string[]): readonly string[] {
  return names
    .filter((name) => properties.every((one) => one.name !== name))
    .flatMap((name) => restInWords[name] ?? []);
}

function otherGoals(program: Program, names: readonly string[]): readonly string[] {
  return names.filter((name) => restsInWords(program, [name]).length === 0);
}

/** Returns the effect of the fences on properties: `satisfies a and never reaches b`. */
function goalsInWords(program: Program, names: readonly string[]): string {
  const { properties } = program;
  const isQuestion = (name: string): boolean =>
    properties.some((one) => one.name === name && claimsExistence(one));
  const list = (some: readonly string[]): string => enumerate(some.map(goalName));
  const reached = names.filter(isQuestion);
  const held = otherGoals(program, names).filter((name) => !isQuestion(name));
  return enumerate([
    ...restsInWords(program, names),
    ...(held.length > 0 ? [`satisfies ${list(held)}`] : []),
    ...(reached.length > 0 ? [`never reaches ${list(reached)}`] : []),
  ]);
}

/**
 * Returns the claims satisfied by a program that needs no fences: `a holds and b is not reached`.
 */
function claimsInWords(program: Program, names: readonly string[]): string {
  const { properties } = program;
  const reached = names.filter((name) =>
    properties.some((one) => one.name === name && claimsExistence(one)),
  );
  const held = otherGoals(program, names).filter((name) => !reached.includes(name));
  const list = (some: readonly string[]): string => enumerate(some.map(goalName));
  const isOne = held.length === 1 && held[0] !== allAssertions;
  return enumerate([
    ...restsInWords(program, names).map((rest) => `it ${rest}`),
    ...(held.length > 0 ? [`${list(held)} ${isOne ? 'holds' : 'hold'}`] : []),
    ...(reached.length > 0
      ? [`${list(reached)} ${reached.length === 1 ? 'is' : 'are'} not reached`]
      : []),
  ]);
}

/**
 * Returns the comparison with robustness, `; robustness takes 4 of cost 16`; empty if that number
 * is not known.
 */
function comparedInWords({ forRobustness }: FenceFindings): string {
  if (forRobustness === undefined) return '';
  const { repairs, cost } = forRobustness;
  return `; robustness takes ${repairs === 0 ? 'none' : `${repairs} of cost ${formatCost(cost)}`}`;
}

/** Returns the name of a property that is to hold, or `all assertions`. */
function goalName(name: string): string {
  return name === allAssertions ? 'all assertions' : name;
}

function proof({ reasons }: FencesFound, { among }: FenceFindings): string {
  const where =
    among === undefined
      ? ''
      : ` among the places ${among === 'text' ? 'in this text' : 'of the program, where each inlined call counts'}`;
  return `provably cheapest${where}: ${provenBy(reasons.length)}`;
}

/** Returns the headline on fences to remove and to keep. */
function minimisedHeadline(
  { program }: Subject,
  findings: FenceFindings,
  verdict: FencesFound,
): Headline {
  const under = underHappensBefore(findings.result.happensBefore);
  const { repairs, removable } = verdict;
  const cost = formatCost(verdict.cost);
  const stays = countRepairs(program, repairs);
  const proved = proof(verdict, findings);
  if (removable.length === 0) {
    if (repairs.length === 0)
      return said('good', 'is ', 'robust', `${under} and has no fence that could go`);
    const needed = 'none of its fences can go';
    return said('good', `is robust${under}, and `, needed, `: ${stays}, cost ${cost}, ${proved}`);
  }
  const saved = removable.reduce((sum, item) => sum + item.cost, 0);
  const gone = `${countRepairs(program, removable)} can go`;
  const saving = `, saving ${formatCost(saved)} of ${formatCost(verdict.cost + saved)}`;
  const stay = repairs.length === 1 ? 'stays' : 'stay';
  const rest =
    repairs.length === 0
      ? `${saving}: it needs none`
      : `${saving}; ${stays} of cost ${cost} ${stay}, ${proved}`;
  return said('good', `is robust${under}, and `, gone, rest);
}

/** Returns the headline on repairs to insert. */
function insertedHeadline(
  { program }: Subject,
  findings: FenceFindings,
  verdict: FencesFound,
): Headline {
  const { repairs } = verdict;
  const { properties } = findings;
  const under = underHappensBefore(findings.result.happensBefore);
  const compared = comparedInWords(findings);
  if (repairs.length === 0) {
    if (!properties) return said('good', 'is ', 'already robust', `${under}: no fence needed`);
    const claims = claimsInWords(program, properties);
    return said('good', '', 'needs no fence', `: ${claims} under TSO as it is${compared}`);
  }
  const what = properties
    ? `${goalsInWords(program, properties)} under TSO`
    : `becomes robust${under}`;
  const rest = ` of cost ${formatCost(verdict.cost)}, ${proof(verdict, findings)}${compared}`;
  return said('good', `${what} with `, countRepairs(program, repairs), rest);
}

/** Returns the headline on a property that no fences repair. */
function failingHeadline(
  { program: { properties } }: Subject,
  { under, property }: Extract<FenceVerdict, { kind: 'property-fails' }>,
): Headline {
  const isReached = properties.some((one) => one.name === property && claimsExistence(one));
  if (under === 'SC') {
    const name = property ?? 'an assertion';
    const how = isReached ? 'reached under SC already' : 'wrong already under SC';
    return said('bad', `: ${name} is `, how, ': no fences help');
  }
  const goal = isReached
    ? `kept from reaching ${property}`
    : `made to satisfy ${goalName(property ?? allAssertions)}`;
  return said('bad', `cannot be ${goal} under TSO: `, 'no fence set exists');
}

/** Returns the result of a search for fences, to follow the program's name. */
export function fenceHeadline(subject: Subject, findings: FenceFindings): Headline {
  const { verdict, happensBefore } = findings.result;
  const under = underHappensBefore(happensBefore);
  switch (verdict.kind) {
    case 'found':
      return isMinimising(findings)
        ? minimisedHeadline(subject, findings, verdict)
        : insertedHeadline(subject, findings, verdict);
    case 'impossible':
      return isMinimising(findings)
        ? said('bad', 'is ', 'not robust', `${under}, with all the fences that it has`)
        : said('bad', `cannot be made robust${under}: `, 'no fence set exists');
    case 'property-fails':
      return failingHeadline(subject, verdict);
    case 'unknown': {
      const bound = `every sufficient set costs at least ${formatCost(verdict.bound)}`;
      const why = `${under}: ${reasonInWords[verdict.reason]}; ${bound}`;
      return said('doubtful', 'is ', 'undecided', why);
    }
    case 'error':
      return faultHeadline;
    default:
      return unreachable(verdict);
  }
}
