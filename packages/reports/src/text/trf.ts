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
import { titleOf } from './check.js';
import { computationTable } from './computation-table.js';
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

function raceLines(
  program: Program,
  { computation, earlierStore, load, other }: TriangularRace,
  palette: Palette,
): string[] {
  const [earlier, loaded, stored] = [earlierStore, load, other].map((i) => computation[i]);
  if (!earlier || loaded?.kind !== 'load' || !stored) return [];
  const thread = threadName(program, loaded.thread);
  const rival = threadName(program, stored.thread);
  const marks: CycleEdge[] = [
    { from: earlierStore, to: load, relation: 'po' },
    { from: load, to: other, relation: 'cf' },
  ];
  return [
    `  the load of ${formatAddress(program, loaded.address)} by ${palette.strong(thread)}${atLine(program, loaded)} races with the ${actionNoun(program, stored)} by ${palette.strong(rival)}${atLine(program, stored)},`,
    `  while the ${actionNoun(program, earlier)} by ${thread}${atLine(program, earlier)} may still be in its buffer: no fence stands between`,
    '',
    'A sequentially consistent execution that ends with the race:',
    ...computationTable(program, computation, marks, palette),
  ];
}

/** Returns the index of a transition that leaves the location. */
function leaving(program: Program, thread: ThreadId, location: LocationId): number {
  return program.threads[thread]?.transitions.findIndex(({ from }) => from === location) ?? -1;
}

function repairLines(program: Program, { fences, cost }: TrfRepair): string[] {
  if (fences.length === 0) return ['No fence is needed.'];
  const lines = fences.map(({ thread, location }) => {
    const name = at(at(program.threads, thread).locations, location).name;
    const line = placeInWords(program, thread, leaving(program, thread, location));
    const place = line === undefined ? `at ${name}` : `before ${line}`;
    return `  ${threadName(program, thread)}: a fence ${place}`;
  });
  return [
    `${countOf(fences.length, 'fence')} leave no triangular race, at cost ${cost}:`,
    ...lines,
  ];
}

function verdictText(
  subject: Subject,
  { verdict, diagnostics }: TrfResult,
  palette: Palette,
): string[] {
  const title = palette.strong(titleOf(subject));
  switch (verdict.kind) {
    case 'free':
      return [
        `${title} is ${palette.good('free of triangular races')}, and so robust: TSO adds nothing to its executions`,
      ];
    case 'race':
      return [
        `${title} has a ${palette.bad('triangular race')}; check decides whether the race matters under TSO`,
      ];
    case 'unknown': {
      const advice = wayOn(subject.advise, verdict.reason, diagnostics);
      return [
        `${title} is ${palette.doubtful('undecided')}: ${reasonInWords[verdict.reason]}`,
        ...(advice === undefined ? [] : [`  hint: ${advice}`]),
      ];
    }
    case 'error':
      return [
        `${title} ${palette.bad('cannot be decided')}: an execution of the program ends in a fault (see the messages)`,
      ];
    default:
      return unreachable(verdict);
  }
}

/** Returns the report on triangular races; `wantsRepair` if fences were asked for. */
export function trfReport(
  subject: Subject,
  result: TrfResult,
  { palette, wantsRepair }: { readonly palette: Palette; readonly wantsRepair: boolean },
): string {
  const { program } = subject;
  const { verdict, repair, states, milliseconds } = result;
  const lines = verdictText(subject, result, palette);
  if (verdict.kind === 'race') lines.push(...raceLines(program, verdict.race, palette));
  if (repair) lines.push('', ...repairLines(program, repair));
  else if (result.repairUnknown)
    lines.push(
      '',
      `Which fences leave no triangular race is ${palette.doubtful('undecided')}: ${reasonInWords[result.repairUnknown]}`,
    );
  else if (wantsRepair && verdict.kind === 'race')
    lines.push('', 'No fences were found that leave no triangular race.');
  if (hasHeavyFences(program)) lines.push('  a heavy fence counts here for its own thread only');
  lines.push(...assumptionLines(program).map((line) => palette.faint(`  ${line}`)));
  lines.push(palette.faint(`  ${countOf(states, 'state')} in ${formatDuration(milliseconds)}`));
  return `${lines.join('\n')}\n`;
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
