import { claimsExistence } from '@fencewright/model/program/property.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { ModelReach, ReachResult } from '@fencewright/model/verdict/reach-result.js';
import { freedUseInWords } from '../words/freed-use-words.js';
import { hangTitle } from '../words/hang-in-words.js';
import { placeInWords, threadName } from '../words/action-words.js';
import { statementSnippet } from './source-excerpt.js';
import type { Subject } from '../words/subject.js';

/** A computation that decides a property or fails an assertion. */
export interface ReachExecution {
  /**
   * The finding shown by the computation: `mutex fails`. The title of the execution also names the
   * memory models.
   */
  readonly what: string;
  /**
   * The models for which the report shows the computation. An SC computation is a computation with
   * store buffers, too, and then has both models.
   */
  readonly models: readonly MemoryModel[];
  readonly computation: Computation;
  /**
   * Whether the property or the assertion fails; false if a state that a property asks for is
   * reached.
   */
  readonly isFailure: boolean;
}

interface Finding {
  readonly what: string;
  readonly key: string;
  readonly computation: Computation;
  readonly isFailure: boolean;
}

function findingsOf({ program, source }: Subject, model: ModelReach): Finding[] {
  const properties = model.properties.flatMap(({ property: name, computation }, i): Finding[] => {
    const property = program.properties[i];
    if (!computation || !property) return [];
    const isFailure = !claimsExistence(property);
    const what = `${name} ${isFailure ? 'fails' : 'is reached'}`;
    return [{ what, key: `property ${i}`, computation, isFailure }];
  });
  const assertions = [...model.failedAssertions]
    .sort((a, b) => a.thread - b.thread || a.transition - b.transition)
    .map(({ thread, transition, computation }): Finding => {
      const line = placeInWords(program, thread, transition);
      const span = program.threads[thread]?.transitions[transition]?.origin.span;
      const text = span ? `: ${statementSnippet(source, span)}` : '';
      const place = `${threadName(program, thread)}${line === undefined ? '' : ` at ${line}`}`;
      return {
        what: `the assertion of ${place}${text} fails`,
        key: assertionKey(program, thread, transition),
        computation,
        isFailure: true,
      };
    });
  return [...properties, ...firstByKey(assertions)];
}

/**
 * Returns the key of an assertion in a thread's text. Instructions compiled from the same
 * assertion, such as both sides of a condition, have the same key if in the same calls.
 */
export function assertionKey(program: Program, thread: ThreadId, transition: TransitionId): string {
  const span = program.threads[thread]?.transitions[transition]?.origin.span;
  const place = span && `${span.start.column}, ${placeInWords(program, thread, transition)}`;
  return `assertion ${thread} ${place ?? transition}`;
}

function firstByKey(findings: readonly Finding[]): readonly Finding[] {
  return [
    ...new Map([...findings].reverse().map((finding) => [finding.key, finding])).values(),
  ].reverse();
}

/**
 * Returns an execution for each failing or reached property and for each failing assertion, under
 * each model; an SC execution serves for both. Then an execution for each use of freed memory, and
 * for each group of threads that wait for ever under the model with buffers.
 */
export function reachExecutions(subject: Subject, result: ReachResult): ReachExecution[] {
  const { sc, tso, hangs, model, races } = result;
  const sequential = findingsOf(subject, sc);
  const buffered = new Map(findingsOf(subject, tso).map((finding) => [finding.key, finding]));
  const shown = sequential.map(({ key, ...finding }): ReachExecution => {
    const models = buffered.delete(key) ? (['SC', model] as const) : (['SC'] as const);
    return { ...finding, models };
  });
  return [
    ...shown,
    ...[...buffered.values()].map(({ key: _, ...finding }): ReachExecution => ({
      ...finding,
      models: [model],
    })),
    ...(races?.freedUses ?? []).flatMap((use): ReachExecution[] => {
      const { computation } = use;
      if (!computation) return [];
      const what = freedUseInWords(subject.program, use);
      return [
        {
          what,
          models: use.model === 'SC' ? ['SC', model] : [model],
          computation,
          isFailure: true,
        },
      ];
    }),
    ...(hangs.kind === 'found' ? hangs.hangs : []).map((hang): ReachExecution => ({
      what: hangTitle(subject.program, hang),
      models: [model],
      computation: hang.computation,
      isFailure: true,
    })),
  ];
}

/** Returns the title of an execution: `mutex fails under SC and under TSO`. */
export function executionTitle({ what, models }: ReachExecution): string {
  return `${what} ${models.map((model) => `under ${model}`).join(' and ')}`;
}
