import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import type { EventCheckResult } from '@fencewright/model/verdict/event-check-result.js';
import type { EventReachResult } from '@fencewright/model/verdict/event-reach-result.js';
import { whyEventsUnknown } from './event-criteria.js';

/** A sentence about a program of events, and whether it is good news. */
export interface EventsFinding {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'doubtful';
}

function propertyFindings(
  { properties }: EventProgram,
  { single }: EventReachResult,
  carriesOver: boolean,
): readonly EventsFinding[] {
  return properties.map(({ name, kind }, i): EventsFinding => {
    const { verdict = 'unknown' } = single.properties[i] ?? {};
    const says = { holds: 'holds', violated: 'does not hold', unknown: 'is not known' }[verdict];
    const text = `on a single thread '${name}' ${says}`;
    if (verdict === 'unknown') return { text, tone: 'doubtful' };
    const isFinal = kind === 'finally' || kind === 'exists';
    const isGood = verdict === 'holds';
    if (!carriesOver) return { text: `${text}; nothing follows from that`, tone: 'doubtful' };
    // Every final state of the real program is one of the single thread, but not conversely.
    if (isFinal && isGood !== claimsExistence({ kind }))
      return {
        text: `${text}; the same is true of the real program`,
        tone: isGood ? 'good' : 'bad',
      };
    if (isFinal) return { text: `${text}; the real program may never end so`, tone: 'doubtful' };
    return {
      text: `${text}; memory in the middle of a run is another matter, so nothing follows for the real program: see 'reach'`,
      tone: 'doubtful',
    };
  });
}

function finalsFinding({ isWithinSingle, tso }: EventReachResult): EventsFinding {
  const only =
    tso.bounds.length > 0 || tso.incomplete !== undefined ? ', among the explored states' : '';
  switch (isWithinSingle.tso) {
    case 'yes':
      return {
        text: 'the final states on several threads are nevertheless those of the single thread',
        tone: 'doubtful',
      };
    case 'no':
      return { text: `final states differ, too${only}`, tone: 'bad' };
    case 'unknown':
      return { text: 'whether final states differ is not known', tone: 'doubtful' };
  }
}

const tooLittleAsked: EventsFinding = {
  text: 'what follows for the real program depends on robustness against concurrency and on serialisability under TSO: ask for both',
  tone: 'doubtful',
};

/**
 * Returns the facts about the real program, which runs on several threads with store buffers, in
 * sentences ([BEMR18]; section by section: the single thread, concurrency, store buffers,
 * conclusions).
 */
export function eventsFindings(
  program: EventProgram,
  { criteria }: EventCheckResult,
  reach: EventReachResult,
): readonly EventsFinding[] {
  const { concurrency, tsoSerial, tso } = criteria;
  const isProved = concurrency.kind === 'robust' && tsoSerial.kind === 'robust';
  const properties = propertyFindings(program, reach, isProved);
  const proved: readonly EventsFinding[] = isProved
    ? [
        {
          text: 'every final state of the real program, on several threads with store buffers, is one of the single thread',
          tone: 'good',
        },
        ...(tso.kind === 'not-robust'
          ? [
              {
                text: 'the program is not robust against TSO, but only in the order in which the main thread served independent handlers',
                tone: 'good' as const,
              },
            ]
          : []),
      ]
    : [];
  if (isProved) return [...proved, ...properties];
  const isOpen = concurrency.kind === 'robust' && tsoSerial.kind === 'not-asked';
  if (concurrency.kind === 'not-asked' || isOpen) return [tooLittleAsked, ...properties];
  switch (concurrency.kind) {
    case 'not-robust':
      return [
        {
          text: 'several threads do what no serial order of the events explains, store buffers or not: nothing follows from the single thread',
          tone: 'bad',
        },
        finalsFinding(reach),
        ...properties,
      ];
    case 'unknown':
      return [
        {
          text: `whether the program is robust against concurrency is not known: ${whyEventsUnknown(program, concurrency.why)}`,
          tone: 'doubtful',
        },
        ...properties,
      ];
    case 'error':
      return [{ text: 'it cannot be decided: see the messages', tone: 'bad' }, ...properties];
    case 'robust':
      break;
  }
  switch (tsoSerial.kind) {
    case 'not-robust':
      return [
        {
          text: 'the program is right on sequentially consistent machines and wrong on x86: store buffers allow a run that equals no serial order',
          tone: 'bad',
        },
        finalsFinding(reach),
        ...properties,
      ];
    case 'unknown':
      return [
        {
          text: `the program is right on sequentially consistent machines; whether it is right on x86 is not known: ${whyEventsUnknown(program, tsoSerial.why)}`,
          tone: 'doubtful',
        },
        ...properties,
      ];
    case 'robust':
    case 'error':
    case 'not-asked':
      return [{ text: 'it cannot be decided: see the messages', tone: 'bad' }, ...properties];
  }
}
