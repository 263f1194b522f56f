import type { Templates } from '@fencewright/model/program/templates.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type {
  InstructionName,
  InvariantProof,
  MoveProof,
  MoverProof,
  ProveResult,
  StateComparison,
} from '@fencewright/model/verdict/prove-result.js';
import { whyNotCompared, whyProperty, whyUnproved } from '../words/why-unproved.js';
import { threadName } from '../words/action-words.js';
import { moverType } from '../words/mover-type.js';
import {
  aboutToJson,
  diagnosticToJson,
  refOf,
  roundMilliseconds,
  witnessToJson,
} from './json-parts.js';
import type { JsonProveResult } from './json-schema.js';

/**
 * Returns a proof as an entry of the document's results. `diagnostics` come from reading the file.
 */
export function proveToJson(
  file: string,
  program: Templates,
  result: ProveResult,
  diagnostics: readonly Diagnostic[] = [],
): JsonProveResult {
  const { templates } = program;
  const { verdict, violation, comparison } = result;
  const found = verdict.kind === 'not-robust' ? verdict : violation;
  const name = ({ thread, transition }: InstructionName) => ({
    thread: threadName(templates, thread),
    ...refOf(templates, thread, transition),
  });
  return {
    file,
    ...aboutToJson(templates),
    verdict: verdict.kind,
    ...(verdict.kind === 'proved' && { conclusion: verdict.conclusion.kind }),
    ...(verdict.kind === 'proved' &&
      verdict.conclusion.kind === 'robust' && { happensBefore: verdict.conclusion.happensBefore }),
    ...(verdict.kind === 'unknown' && {
      reason: verdict.reason,
      detail: whyUnproved(program, verdict.why),
    }),
    ...(found && {
      violation: {
        happensBefore: found.happensBefore,
        threads: found.instance.threads.map((thread) => thread.name),
        witness: witnessToJson(found.instance, found.witness),
      },
    }),
    invariants: result.invariants.map(invariantToJson),
    abstractions: result.abstractions.map(({ kind, access, origin, text, isSound }) => ({
      ...name(access),
      kind,
      origin,
      text,
      sound: isSound,
    })),
    ...(comparison && { comparison: comparisonToJson(comparison) }),
    ...(result.original && { original: result.original }),
    ...(result.confrontation && {
      confrontation: {
        maxStates: result.confrontation.maxStates,
        instances: result.confrontation.instances.map((instance) => ({ ...instance })),
      },
    }),
    stores: result.stores.map(({ store, loads, argument }) => ({
      ...name(store),
      loads: loads.map((transition) => refOf(templates, store.thread, transition)),
      argument: argument.kind,
      ...(argument.kind === 'none' && {
        ...(argument.noInvariantHelps && { noInvariantHelps: argument.noInvariantHelps }),
        conflicts: argument.conflicts.map((conflict) => ({
          mover: conflict.mover,
          own: name(conflict.own),
          other: name(conflict.other),
          state: Object.fromEntries(conflict.state.map(({ name: key, value }) => [key, value])),
        })),
      }),
    })),
    ...(result.movers && { movers: result.movers.map((mover) => moverToJson(mover, name)) }),
    properties: result.properties.map(({ name: property, verdict: decided, why }) => ({
      name: property,
      verdict: decided,
      detail: whyProperty(decided, why),
    })),
    stats: {
      solver: result.statistics.solver,
      obligations: result.statistics.obligations,
      milliseconds: roundMilliseconds(result.statistics.milliseconds),
    },
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}

function invariantToJson({ name, origin, verdict, text, source }: InvariantProof) {
  return { name, origin, verdict, ...(text !== undefined && { text }), ...(source && { source }) };
}

function moverToJson<T extends object>(mover: MoverProof, name: (access: InstructionName) => T) {
  const { access, moves } = mover;
  return {
    ...name(access),
    type: moverType(mover),
    ...(moves && { right: moveToJson(moves.right, name), left: moveToJson(moves.left, name) }),
  };
}

function moveToJson<T>(move: MoveProof, name: (access: InstructionName) => T) {
  if (move.kind === 'moves') return { ...move, invariants: [...move.invariants] };
  const { kind, other, otherSucceeds, state } = move;
  return {
    kind,
    other: name(other),
    ...(otherSucceeds !== undefined && { otherSucceeds }),
    state: Object.fromEntries(state.map((each) => [each.name, each.value])),
  };
}

function comparisonToJson(comparison: StateComparison): JsonProveResult['comparison'] {
  if (comparison.kind === 'not-compared') {
    const { why, ...others } = comparison;
    return { ...others, detail: whyNotCompared(why) };
  }
  if (comparison.kind === 'same') return comparison;
  const example = comparison.example.map(({ name, value }) => [name, value] as const);
  return { ...comparison, example: Object.fromEntries(example) };
}
