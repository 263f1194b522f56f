import { InvalidArgumentError } from 'commander';
import type { Criterion, EventSemantics, EventWishes } from '@fencewright/core';
import { choice, grouped, parsed, text, underHeading, type ValuesOf } from './declare.js';
import type { EngineChoice } from './engines.js';
import { wholeFrom } from './values.js';

/** The options for programs of events. */
export const eventOptions = grouped('Programs of events:', {
  posting: choice<NonNullable<EventWishes['posting']>>(
    '--posting <how>',
    'with fenced, a posting waits until the store buffer of its thread is empty (default: plain)',
    ['plain', 'fenced'],
  ),
  depth: parsed(
    '--depth <n>',
    'maximal length of stacks and waiting lists; bounds recursion (default: 64)',
    wholeFrom(1),
  ),
});

/** The option `--against`, of verbs that decide robustness of programs of events. */
export const against = underHeading(
  'Programs of events:',
  choice<NonNullable<EventWishes['against']>>(
    '--against <what>',
    'the robustness to decide: against concurrency, against tso (store buffers), or both, which is serialisability under TSO (default: both)',
    ['concurrency', 'tso', 'both'],
  ),
);

/** The criteria by the names that `--against` of `events` takes. */
const criteriaByName = new Map<string, Criterion>([
  ['determinism', 'determinism'],
  ['serialisability', 'serialisability'],
  ['concurrency', 'concurrency'],
  ['tso', 'tso'],
  ['serialisable-tso', 'tsoSerial'],
]);

/** Parses the argument of `--against` of `events`. */
function criteriaList(list: string): readonly Criterion[] {
  const named = list.split(',').map((part) => {
    const criterion = criteriaByName.get(part.trim());
    if (!criterion)
      throw new InvalidArgumentError(
        `write one or more of ${[...criteriaByName.keys()].join(', ')}.`,
      );
    return criterion;
  });
  return [...new Set(named)];
}

/** The option `--against` of `events`, which takes several criteria. */
export const criteria = underHeading(
  'Programs of events:',
  parsed(
    '--against <list>',
    'the criteria to decide, separated by commas: determinism (inside of events), serialisability (of whole events), concurrency, tso, serialisable-tso (default: all)',
    criteriaList,
  ),
);

/** The option `--attack` of `check`, for `--against tso`. */
export const attack = underHeading(
  'Programs of events:',
  text(
    '--attack <task:store:end>',
    'with --against tso: decide only the attacks that delay this store past this load or posting; label or line',
  ),
);

/** The option `--attack` of `explain`, which also shows attacks on programs of threads. */
export const shownAttack = text(
  '--attack <thread:store:load>',
  'show the execution of this attack; store and load are labels or lines. Programs of events, with --against tso: task:store:end',
);

const semanticsNames: readonly EventSemantics[] = ['single', 'multi-sc', 'multi-tso'];

/** Parses the argument of `--semantics`. */
export function semanticsList(text: string): readonly EventSemantics[] {
  return text.split(',').map((part) => {
    const name = semanticsNames.find((known) => known === part.trim());
    if (!name) throw new InvalidArgumentError(`write one or more of ${semanticsNames.join(', ')}.`);
    return name;
  });
}

/**
 * Returns the settings for programs of events from the values of the options; an option that is
 * absent sets nothing.
 */
export function eventWishes({
  posting,
  depth,
  against: wanted,
  semantics,
  engine,
  attack: named,
}: ValuesOf<typeof eventOptions> & {
  readonly against?: EventWishes['against'];
  readonly semantics?: EventWishes['semantics'];
  readonly engine?: EngineChoice;
  readonly attack?: string | undefined;
}): { readonly events?: EventWishes } {
  const events: EventWishes = {
    ...(wanted && { against: wanted }),
    ...(semantics && { semantics }),
    ...(posting && { posting }),
    ...(engine === 'two-threads' && { engine }),
    ...(depth !== undefined && { depth }),
    ...(named !== undefined && { attack: named }),
  };
  return Object.keys(events).length > 0 ? { events } : {};
}
