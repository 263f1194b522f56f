import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type {
  TrfRepair,
  TrfResult,
  TriangularRace,
} from '@fencewright/model/verdict/triangular-race.js';
import type { CycleEdge } from '@fencewright/model/verdict/verdict.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { reasonInWords } from '../words/reason-in-words.js';
import { actionNoun, atLine, placeInWords, threadName } from '../words/action-words.js';
import { advice, blankLine, notes, say } from '../words/blocks.js';
import type { Block, TonedText } from '../words/document.js';
import { faultHeadline, type Headline, said } from '../words/headline.js';
import { threadRun } from '../words/run.js';
import { titleOf } from './check.js';
import { printText } from './print-text.js';
import {
  aboutToJson,
  diagnosticToJson,
  refOf,
  roundMilliseconds,
  stepsToJson,
} from '../json/json-parts.js';
import type { JsonTrfResult } from '../json/json-schema.js';
import { countOf, formatDuration } from '@fencewright/ground/base/number-words.js';
import type { Palette } from './palette.js';
import type { Subject } from '../words/subject.js';
import { wayOn } from '../words/way-on.js';

function raceBlocks(
  program: Program,
  { computation, earlierStore, load, other }: TriangularRace,
): readonly Block[] {
  const [earlier, loaded, stored] = [earlierStore, load, other].map((i) => computation[i]);
  if (!earlier || loaded?.kind !== 'load' || !stored) return [];
  const thread = threadName(program, loaded.thread);
  const rival = threadName(program, stored.thread);
  const marks: CycleEdge[] = [
    { from: earlierStore, to: load, relation: 'po' },
    { from: load, to: other, relation: 'cf' },
  ];
  const strong = (text: string): TonedText => ({ text, tone: 'strong' });
  const run = threadRun(program, computation, marks);
  return [
    say([
      `the load of ${formatAddress(program, loaded.address)} by `,
      strong(thread),
      `${atLine(program, loaded)} races with the ${actionNoun(program, stored)} by `,
      strong(rival),
      `${atLine(program, stored)},`,
    ]),
    say(
      `while the ${actionNoun(program, earlier)} by ${thread}${atLine(program, earlier)} may still be in its buffer: no fence stands between`,
    ),
    {
      ...{ kind: 'section', title: 'A sequentially consistent execution that ends with the race:' },
      blocks: [{ kind: 'run', run }],
    },
  ];
}

/** Returns the index of a transition that leaves the location. */
function leaving(program: Program, thread: ThreadId, location: LocationId): number {
  return program.threads[thread]?.transitions.findIndex(({ from }) => from === location) ?? -1;
}

function repairBlocks(program: Program, { fences, cost }: TrfRepair): readonly Block[] {
  if (fences.length === 0) return [blankLine, say('No fence is needed.', 0)];
  const places = fences.map(({ thread, location }) => {
    const { name, hidden } = at(at(program.threads, thread).locations, location);
    const line = placeInWords(program, thread, leaving(program, thread, location));
    const place = line === undefined ? `at ${hidden ? 'its end' : name}` : `before ${line}`;
    return say(`${threadName(program, thread)}: a fence ${place}`);
  });
  const count = countOf(fences.length, 'fence');
  const leave = `${count} leave no triangular race, at cost ${cost}:`;
  return [blankLine, say(leave, 0), ...places];
}

function headlineOf(verdict: TrfResult['verdict']): Headline {
  switch (verdict.kind) {
    case 'free': {
      const rest = ', and so robust: TSO adds nothing to its executions';
      return said('good', 'is ', 'free of triangular races', rest);
    }
    case 'race': {
      const rest = '; check decides whether the race matters under TSO';
      return said('bad', 'has a ', 'triangular race', rest);
    }
    case 'unknown':
      return said('doubtful', 'is ', 'undecided', `: ${reasonInWords[verdict.reason]}`);
    case 'error':
      return faultHeadline;
    default:
      return unreachable(verdict);
  }
}

/** Returns the fences that leave no triangular race, or the reason why no fences do. */
function fenceBlocks(
  program: Program,
  { verdict, repair, repairUnknown }: TrfResult,
  wantsRepair: boolean,
): readonly Block[] {
  if (repair) return repairBlocks(program, repair);
  if (repairUnknown) {
    const undecided: TonedText = { text: 'undecided', tone: 'doubtful' };
    const why = `: ${reasonInWords[repairUnknown]}`;
    return [blankLine, say(['Which fences leave no triangular race is ', undecided, why], 0)];
  }
  return wantsRepair && verdict.kind === 'race'
    ? [blankLine, say('No fences were found that leave no triangular race.', 0)]
    : [];
}

/** Returns the report on triangular races; `wantsRepair` if fences were asked for. */
export function trfReport(
  subject: Subject,
  result: TrfResult,
  { palette, wantsRepair }: { readonly palette: Palette; readonly wantsRepair: boolean },
): string {
  const { program, advise } = subject;
  const { verdict, states, milliseconds, diagnostics } = result;
  const blocks: readonly Block[] = [
    { kind: 'headline', title: titleOf(subject), headline: headlineOf(verdict) },
    ...(verdict.kind === 'unknown' ? advice(wayOn(advise, verdict.reason, diagnostics)) : []),
    ...(verdict.kind === 'race' ? raceBlocks(program, verdict.race) : []),
    ...fenceBlocks(program, result, wantsRepair),
    ...(hasHeavyFences(program) ? [say('a heavy fence counts here for its own thread only')] : []),
    ...notes([
      ...assumptionLines(program),
      `${countOf(states, 'state')} in ${formatDuration(milliseconds)}`,
    ]),
  ];
  return printText(blocks, palette);
}

/** Returns the result on triangular races as an entry of the JSON document. */
export function trfToJson(
  file: string,
  program: Program,
  result: TrfResult,
  diagnostics: readonly Diagnostic[] = [],
): JsonTrfResult {
  const { verdict, repair, repairUnknown } = result;
  return {
    file,
    ...aboutToJson(program),
    verdict: verdict.kind,
    ...(verdict.kind === 'error' && { cause: 'program' as const }),
    ...(verdict.kind === 'unknown' && { reason: verdict.reason }),
    states: result.states,
    milliseconds: roundMilliseconds(result.milliseconds),
    ...(verdict.kind === 'race' && {
      race: {
        computation: stepsToJson(program, verdict.race.computation),
        earlierStore: verdict.race.earlierStore,
        load: verdict.race.load,
        other: verdict.race.other,
      },
    }),
    ...(repair && {
      fences: repair.fences.map(({ thread, location }) => ({
        thread: threadName(program, thread),
        ...refOf(program, thread, leaving(program, thread, location)),
      })),
      cost: repair.cost,
      optimal: true,
    }),
    ...(repairUnknown && { repairUnknown }),
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}
