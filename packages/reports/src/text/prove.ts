import { instructionMayFault } from '@fencewright/model/analysis/possible-faults.js';
import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type {
  InstructionName,
  MoverConflict,
  OriginalRobustness,
  ProveResult,
  StateComparison,
  StoreProof,
} from '@fencewright/model/verdict/prove-result.js';
import { whyNotCompared, whyProperty, whyUnproved } from '../words/why-unproved.js';
import { labelOf, placeInWords, threadName } from '../words/action-words.js';
import { countOf, enumerate, formatDuration } from '@fencewright/ground/base/number-words.js';
import { assumptionLines, withoutOverflow } from '../words/assumption-lines.js';
import type { AdviceInWords } from '../words/advice.js';
import { titleOf } from './check.js';
import { advice, blankLine, lines, notes, say, section } from '../words/blocks.js';
import type { Block } from '../words/document.js';
import { type Headline, said } from '../words/headline.js';
import { invariantInWords } from '../words/invariant-in-words.js';
import { moverBlocks } from './mover-lines.js';
import type { Palette } from './palette.js';
import { instructionText, stateLines } from './proof-lines.js';
import { printText } from './print-text.js';

/** The subject of a report on a proof: the file and the program. */
export interface ProofSubject {
  readonly file: string;
  readonly program: Templates;
  readonly advise?: AdviceInWords;
  /** Present if invariants and abstractions can still be looked for. */
  readonly canInfer?: true;
}

/** Returns the report on a proof, or on the missing parts. */
export function proveReport(
  { file, program, advise, canInfer }: ProofSubject,
  result: ProveResult,
  palette: Palette,
): string {
  const { obligations, solver, milliseconds } = result.statistics;
  const effort = `${countOf(obligations, 'question')} to ${solver}, ${formatDuration(milliseconds)}`;
  const title = titleOf({ file, program: program.templates });
  const properties = result.properties.map(
    ({ name, verdict, why }) => `${name}: ${verdict}, ${whyProperty(verdict, why)}`,
  );
  const refutation = 'Searched for a refutation without success';
  const blocks: readonly Block[] = [
    { kind: 'headline', title, headline: headlineOf(program, result) },
    ...lines(conclusionLines(program, result)),
    ...notes([...assumptionLines(program.templates), ...caveatLines(program, result)]),
    ...(canInfer ? hint(result, advise?.({ kind: 'infer', file })) : []),
    ...unasked(file, program, result, advise),
    ...section('Invariants', lines(invariantLines(program, result))),
    ...section('Abstractions', lines(abstractionLines(program, result))),
    ...section('Stores', lines(storeLines(program, result))),
    ...section('Movers', moverBlocks(program, result.movers ?? [])),
    ...section('Properties', lines(properties)),
    ...section('Remarks', lines(remarkLines(program, result))),
    ...section(refutation, lines(confrontationLines(program, result))),
    blankLine,
    say({ text: effort, tone: 'faint' }, 0),
  ];
  return printText(blocks, palette);
}

function headlineOf(program: Templates, result: ProveResult): Headline {
  const headline = verdictHeadline(program, result);
  const open = result.properties.filter(({ verdict }) => verdict === 'unknown');
  if (result.verdict.kind !== 'proved' || open.length === 0) return headline;
  const names = enumerate(open.map(({ name }) => name));
  const rest = `${headline.rest}, but ${names} ${open.length === 1 ? 'is' : 'are'} not proved`;
  return { ...headline, tone: 'doubtful', rest };
}

/** Returns the headline on the verdict alone, without the properties. */
function verdictHeadline({ templates }: Templates, { verdict }: ProveResult): Headline {
  switch (verdict.kind) {
    case 'proved': {
      const { conclusion } = verdict;
      switch (conclusion.kind) {
        case 'robust': {
          const both = conclusion.happensBefore === 'standard' ? 'standard and ' : '';
          return said('good', 'is ', 'robust', ` (${both}value happens-before)`);
        }
        case 'same-states':
          return said('good', '', 'reaches the same states', ' under SC and under TSO');
        case 'abstraction':
          return said('good', ': its ', 'abstraction is robust');
        default:
          return unreachable(conclusion);
      }
    }
    case 'not-robust':
      return said('bad', 'is ', 'not robust', ` (${verdict.happensBefore} happens-before)`);
    case 'unknown': {
      const why = whyUnproved({ templates, unbounded: [] }, verdict.why);
      return said('doubtful', 'is ', 'not proved', `: ${why}`);
    }
    default:
      return unreachable(verdict);
  }
}

/** Returns the lines on the meaning of the verdict, and on the numbers of copies covered. */
function conclusionLines(
  { templates, unbounded }: Templates,
  { verdict, violation }: ProveResult,
): readonly string[] {
  const any =
    unbounded.length === 0
      ? ''
      : `, for any number of copies of ${unbounded.map((id) => at(templates.threads, id).name).join(' and ')}`;
  switch (verdict.kind) {
    case 'proved':
      switch (verdict.conclusion.kind) {
        case 'robust':
          return [`every store can be treated as reaching memory at once${any}`];
        case 'same-states':
          return [
            `every store can be treated as reaching memory at once${any}, if a failing cas may fail on another value:`,
            'SC reaches every state that TSO reaches with empty store buffers',
          ];
        case 'abstraction':
          return [
            `the abstraction reaches under SC every state that the program reaches under TSO with empty store buffers${any}`,
            ...(violation
              ? [
                  `the program itself is not robust: ${countOf(violation.instance.threads.length, 'thread')} show it (${violation.happensBefore} happens-before)`,
                ]
              : []),
          ];
        default:
          return unreachable(verdict.conclusion);
      }
    case 'not-robust':
      return [
        `an instance with ${countOf(verdict.instance.threads.length, 'thread')} (${verdict.instance.threads.map(({ name }) => name).join(', ')}) shows it in ${countOf(verdict.witness.computation.length, 'step')}`,
      ];
    case 'unknown':
      return [];
    default:
      return unreachable(verdict);
  }
}

/**
 * Returns the assumption on which every proof rests, and the remark that faults were not looked
 * for.
 */
function caveatLines({ templates }: Templates, { verdict }: ProveResult): readonly string[] {
  if (verdict.kind !== 'proved') return [];
  const mayFault = templates.threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instructionMayFault(templates, instruction)),
  );
  return [
    ...assumptionLines({ assumptions: [withoutOverflow] }),
    ...(mayFault ? ['faults were not looked for'] : []),
  ];
}

/**
 * Returns a hint if a store has no argument, or an abstraction allows too few values; empty
 * otherwise.
 */
function hint({ verdict }: ProveResult, words: string | undefined): readonly Block[] {
  const isMissing =
    verdict.kind === 'unknown' && ['stores', 'abstractions'].includes(verdict.why.kind);
  return isMissing ? advice(words) : [];
}

/** Returns a note on the properties of a proved program that were not asked. */
function unasked(
  file: string,
  { templates }: Templates,
  { verdict, properties }: ProveResult,
  advise: AdviceInWords | undefined,
): readonly Block[] {
  const names = templates.properties
    .map(({ name }) => name)
    .filter((name) => properties.every((asked) => asked.name !== name));
  if (verdict.kind !== 'proved' || names.length === 0) return [];
  const isOrAre = names.length === 1 ? 'is' : 'are';
  return [
    ...notes([`${enumerate(names)} ${isOrAre} not part of this proof`]),
    ...advice(advise?.({ kind: 'prove-properties', file, names })),
  ];
}

function invariantLines(open: Templates, { invariants }: ProveResult): readonly string[] {
  return invariants.flatMap(({ name, verdict, step, state, text, source }) => {
    // A line that the user can put into the source, unless it is about places without a label.
    const origin = source === 'horn-clauses' ? 'inferred from Horn clauses' : 'inferred';
    if (text !== undefined)
      return [`${invariantInWords(open.templates, text)}  // ${origin}, inductive`];
    if (verdict === 'inductive') return [`${name}: inductive`];
    if (verdict === 'unknown') return [`${name}: left out, the solver gave up`];
    const how = step
      ? `${instructionText(open, step)} breaks the invariant`
      : 'the invariant does not hold at the start';
    return [`${name}: left out: ${how}`, ...stateLines(state ?? [])];
  });
}

function abstractionLines(
  open: Templates,
  { abstractions, comparison, original }: ProveResult,
): readonly string[] {
  const lines = abstractions.map(({ kind, access, text, isSound, origin }) => {
    const where = placeText(open, access);
    const does = kind === 'read' ? 'a load would read' : 'an ordinary one does';
    const sound = isSound ? `allows what ${does}` : `does not allow all that ${does}`;
    return `${where}: ${text} ${sound}${origin === 'inferred' ? ' (inferred)' : ''}`;
  });
  return [
    ...lines,
    ...(comparison ? [comparisonText(open, comparison)] : []),
    ...(original ? [originalText(open, original)] : []),
  ];
}

function originalText({ templates, unbounded }: Templates, found: OriginalRobustness): string {
  const robust = 'the program without abstractions is robust, as a search found';
  if (found.kind === 'all') return robust;
  const names = unbounded.map((id) => at(templates.threads, id).name).join(' and ');
  return `with up to ${countOf(found.copies, 'copy', 'copies')} of ${names}, ${robust}`;
}

function comparisonText({ templates, unbounded }: Templates, found: StateComparison): string {
  const names = unbounded.map((id) => at(templates.threads, id).name).join(' and ');
  const copies =
    found.copies === undefined
      ? []
      : [`with ${countOf(found.copies, 'copy', 'copies')} of ${names}`];
  const values = found.values
    ? [`where only ${found.values.low} to ${found.values.high} is stored`]
    : [];
  const where = [...copies, ...values].map((part) => `${part}, `).join('');
  switch (found.kind) {
    case 'same':
      return `${where}the abstraction reaches exactly the same ${countOf(found.states, 'shared state')} under SC`;
    case 'more': {
      const atLeast = found.isLowerBound ? 'at least ' : '';
      const example = found.example.map(({ name, value }) => `${name} = ${value}`).join(', ');
      return `${where}the abstraction reaches ${atLeast}${found.more} more than ${countOf(found.states, 'shared state')} under SC, for example ${example}`;
    }
    case 'not-compared':
      return `${where}shared states not compared: ${whyNotCompared(found.why)}`;
    default:
      return unreachable(found);
  }
}

function storeLines(open: Templates, { stores }: ProveResult): readonly string[] {
  return stores.flatMap((proof) => [
    `${instructionText(open, proof.store)}: ${argumentText(open, proof)}`,
    ...(proof.argument.kind === 'none'
      ? proof.argument.conflicts.flatMap((conflict) => conflictLines(open, conflict))
      : []),
  ]);
}

function argumentText(open: Templates, { store, loads, argument }: StoreProof): string {
  switch (argument.kind) {
    case 'no-loads':
      return 'no load from memory can follow while this store is delayed';
    case 'left-mover':
      return 'left mover';
    case 'right-movers': {
      const list = loads.map((transition) => instructionText(open, { ...store, transition }));
      return `the later loads are right movers: ${list.join('; ')}`;
    }
    case 'none':
      if (argument.noInvariantHelps === undefined) return 'no argument';
      return argument.noInvariantHelps === 'of-pairs'
        ? 'no argument, and no invariant about two threads at a time helps'
        : 'no argument, and no invariant about two threads at a time and without arrays helps';
    default:
      return unreachable(argument);
  }
}

function conflictLines(open: Templates, conflict: MoverConflict): readonly string[] {
  const { mover, own, other, ownValue, otherRead, otherWritten, otherSucceeds } = conflict;
  const what = mover === 'load' ? 'no right mover' : 'no left mover';
  const before = `  ${instructionText(open, own)} is ${what}:`;
  if (conflict.isUndecided)
    return [`${before} the solver gave up on ${instructionText(open, other)}`];
  const outcome =
    otherSucceeds === undefined ? '' : otherSucceeds ? ', which succeeds,' : ', which fails,';
  const changes =
    otherRead !== undefined && otherWritten !== undefined
      ? ` makes ${otherRead} into ${otherWritten}`
      : otherWritten !== undefined
        ? ` writes ${otherWritten}`
        : ` reads ${otherRead ?? '?'}`;
  const value =
    ownValue === undefined ? '' : ` ${mover === 'load' ? 'reads' : 'writes'} ${ownValue},`;
  const order = mover === 'load' ? 'and then' : 'and before it';
  return [
    before,
    `    it${value} ${order} ${instructionText(open, other)}${outcome}${changes}`,
    ...stateLines(conflict.state),
  ];
}

function remarkLines({ templates }: Templates, { deserted }: ProveResult): readonly string[] {
  return deserted.map(({ thread, location }) => {
    const owner = templates.threads[thread];
    const place = owner?.locations[location];
    const where = place?.hidden
      ? `before line ${(place.span?.start.line ?? 0) + 1}`
      : `at ${place?.name ?? location}`;
    return `these invariants exclude that ${owner?.name ?? 'a thread'} is ever ${where}: is this intended?`;
  });
}

function confrontationLines(
  { templates, unbounded }: Templates,
  { confrontation }: ProveResult,
): readonly string[] {
  if (!confrontation) return [];
  const names = unbounded.map((id) => at(templates.threads, id).name).join(' and ');
  return confrontation.instances.map((instance) => {
    const { copies, states, violation, tsoStates, invariants } = instance;
    const about =
      copies === undefined ? 'the program' : `${countOf(copies, 'copy', 'copies')} of ${names}`;
    const searches: readonly (readonly [string, typeof tsoStates])[] = [
      ['cycles of happens-before', violation],
      ['states of TSO that SC has not', tsoStates],
      ['states that break an invariant', invariants],
    ];
    const said = searches.flatMap(([what, extent]) =>
      extent === undefined ? [] : [`${what} (${extentText[extent]})`],
    );
    return `${about}, ${countOf(states, 'state')}: ${said.join(', ')}`;
  });
}

const extentText = {
  all: 'all',
  some: 'as far as the limit',
  none: 'too many to compare',
} as const;

function placeText({ templates }: Templates, { thread, transition }: InstructionName): string {
  const line = placeInWords(templates, thread, transition);
  const label = labelOf(templates, thread, transition);
  const place = line === undefined ? (label === undefined ? '' : ` at ${label}`) : ` at ${line}`;
  return `${threadName(templates, thread)}${place}`;
}
