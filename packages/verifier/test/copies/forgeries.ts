import type { WrittenElement } from '../../src/copies/invariant.js';
import type { Body } from './certify.js';

type Invariant = readonly WrittenElement[];

/**
 * Changes one element of an invariant; returns `undefined` if the change does not apply to the
 * element.
 */
type ElementChange = (element: WrittenElement) => WrittenElement | undefined;

const anyCount = (element: WrittenElement): WrittenElement => ({
  ...element,
  threads: element.threads.map((thread) => ({ ...thread, count: 'any' as const })),
});

const lowerCount = (element: WrittenElement): WrittenElement | undefined =>
  element.threads.some(({ count }) => count === 'any')
    ? { ...element, threads: element.threads.map((thread) => ({ ...thread, count: 1 })) }
    : undefined;

const withoutFirst = (element: WrittenElement): WrittenElement | undefined =>
  element.threads.length > 0 ? { ...element, threads: element.threads.slice(1) } : undefined;

const withoutLast = (element: WrittenElement): WrittenElement | undefined =>
  element.threads.length > 0 ? { ...element, threads: element.threads.slice(0, -1) } : undefined;

const offPath = (element: WrittenElement): WrittenElement | undefined =>
  element.threads.some(({ onPath }) => onPath)
    ? { ...element, threads: element.threads.map(({ onPath: _, ...thread }) => thread) }
    : undefined;

const withoutMarks = (element: WrittenElement): WrittenElement | undefined =>
  element.marks && element.marks.length > 0 ? { ...element, marks: [] } : undefined;

const lowerMarks = (element: WrittenElement): WrittenElement | undefined =>
  element.marks?.some(([, , isStored]) => isStored)
    ? { ...element, marks: element.marks.map(([address, seen]) => [address, seen, false]) }
    : undefined;

const oneValue = (element: WrittenElement): WrittenElement | undefined =>
  element.marks?.some(([, seen]) => seen === 'many')
    ? { ...element, marks: element.marks.map(([address, , isStored]) => [address, 0, isStored]) }
    : undefined;

const otherTarget = (element: WrittenElement): WrittenElement | undefined => {
  const { delayed, attacker } = element;
  const far = { address: 77, value: 0 };
  if (delayed) return { ...element, delayed: far };
  return attacker ? { ...element, attacker: { ...attacker, delayed: far } } : undefined;
};

const otherValue = (element: WrittenElement): WrittenElement | undefined =>
  element.memory.length > 0
    ? { ...element, memory: element.memory.map(([address, value]) => [address, value + 1]) }
    : undefined;

const initialMemory = (element: WrittenElement): WrittenElement | undefined =>
  element.memory.length > 0 ? { ...element, memory: [] } : undefined;

const fullBuffer = (element: WrittenElement): WrittenElement | undefined =>
  element.attacker && {
    ...element,
    attacker: { ...element.attacker, buffer: [0, 1, 2, 3, 4].map((address) => [address, 1]) },
  };

const attackerAtStart = (element: WrittenElement): WrittenElement | undefined =>
  element.attacker && { ...element, attacker: { ...element.attacker, location: 0 } };

const otherRegisters = (element: WrittenElement): WrittenElement | undefined =>
  element.threads.length > 0
    ? {
        ...element,
        threads: element.threads.map((thread) => ({
          ...thread,
          registers: thread.registers.map((value) => value + 1),
        })),
      }
    : undefined;

const otherPlaces = (element: WrittenElement): WrittenElement | undefined =>
  element.threads.length > 0
    ? { ...element, threads: element.threads.map((thread) => ({ ...thread, location: 0 })) }
    : undefined;

const backToStart = (element: WrittenElement): WrittenElement | undefined => {
  const { memory, threads, phase } = element;
  return phase === 'before' ? undefined : { phase: 'before', memory, threads };
};

const elementChanges: Readonly<Record<string, ElementChange>> = {
  anyCount,
  lowerCount,
  withoutFirst,
  withoutLast,
  offPath,
  withoutMarks,
  lowerMarks,
  oneValue,
  otherTarget,
  otherValue,
  initialMemory,
  fullBuffer,
  attackerAtStart,
  otherRegisters,
  otherPlaces,
  backToStart,
};

const invariantChanges: Readonly<Record<string, (invariant: Invariant) => Invariant>> = {
  empty: () => [],
  onlyFirst: (invariant) => invariant.slice(0, 1),
  withoutLastElement: (invariant) => invariant.slice(0, -1),
  firstHalf: (invariant) => invariant.slice(0, invariant.length / 2),
  withoutPath: (invariant) => invariant.filter(({ phase }) => phase !== 'path'),
  withoutDelaying: (invariant) => invariant.filter(({ phase }) => phase !== 'delaying'),
  onlyBefore: (invariant) => invariant.filter(({ phase }) => phase === 'before'),
  allAny: (invariant) => invariant.map(anyCount),
  twice: (invariant) => [...invariant, ...invariant],
};

/**
 * Returns all changes of a body that a forger who knows the format may try; `kind` names the
 * change. Changes of elements are tried on some elements, spread over the invariant, and on all
 * elements at once.
 */
export function forgeriesOf(body: Body): readonly { readonly kind: string; readonly body: Body }[] {
  const { invariant } = body;
  const step = Math.max(1, Math.ceil(invariant.length / 4));
  const chosen = [...invariant.keys()].filter((i) => i % step === 0);
  return [
    ...Object.entries(elementChanges).flatMap(([kind, change]) => {
      const places = chosen.flatMap((i) => {
        const changed = change(invariant[i]!);
        return changed ? [{ kind, invariant: invariant.with(i, changed) }] : [];
      });
      const everywhere = invariant.map((element) => change(element) ?? element);
      return [...places, { kind: `${kind} everywhere`, invariant: everywhere }];
    }),
    ...Object.entries(invariantChanges).map(([kind, change]) => ({
      kind,
      invariant: change(invariant),
    })),
    ...chosen.map((left) => ({
      kind: 'without an element',
      invariant: invariant.filter((_, i) => i !== left),
    })),
    {
      kind: 'other notion',
      invariant,
      happensBefore: body.happensBefore === 'value' ? ('standard' as const) : ('value' as const),
    },
  ].map(({ kind, ...changed }) => ({ kind, body: { ...body, ...changed } }));
}
