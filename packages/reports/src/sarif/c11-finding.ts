import type { Program } from '@fencewright/model/program/program.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import { c11InOneLine } from '../words/c11-line.js';
import { headlineText } from '../words/headline.js';

/**
 * A message against a program under C11: a violation, a data race or a failing assertion, with its
 * place in the text.
 */
export interface C11Finding {
  readonly level: 'error' | 'warning';
  readonly text: string;
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/**
 * Returns the finding of C11 against a program that was checked for x86; `undefined` if the program
 * is robust, stricter than needed, or undecided.
 */
export function c11Finding(program: Program, result: C11Result): C11Finding | undefined {
  const { verdict, race, effect } = result;
  const text = headlineText(c11InOneLine(program, result));
  const isBad =
    typeof race === 'object' || effect?.kind === 'assertion-fails' || effect?.kind === 'waits';
  const place = ((): readonly [ThreadId | undefined, TransitionId | undefined] => {
    if (typeof race === 'object') {
      const { thread, transition } = race.graph.events[race.second]!;
      return [thread, transition];
    }
    if (effect?.kind === 'assertion-fails') return [effect.thread, effect.assertion];
    if (effect?.kind === 'waits') return [effect.thread, effect.transition];
    if (verdict.kind !== 'not-robust' || effect?.kind === 'none') return [undefined, undefined];
    const { graph, event } = verdict.violation;
    const { thread, transition } = graph.events[event]!;
    return [thread, transition];
  })();
  const [thread, transition] = place;
  if (thread === undefined || transition === undefined) return undefined;
  return { level: isBad ? 'error' : 'warning', text, thread, transition };
}
