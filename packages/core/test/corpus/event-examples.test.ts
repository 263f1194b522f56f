import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkEvents } from '../../src/api/check-events.js';
import {
  enumerateEventTraces,
  eventVerdicts,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { reachEvents } from '@fencewright/model/events/reach-events.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { eventModel } from '@fencewright/model/program/model.js';
import { type Against, eventVerdict } from '@fencewright/model/verdict/event-check-result.js';
import { readRepositoryFile } from './load-corpus.js';

type Word = 'robust' | 'not-robust';

/** The expected facts of an example, found by hand for the stated reason. */
interface EventExpectation {
  readonly concurrency: Word;
  readonly tso: Word;
  readonly tsoSerial: Word;
  /** The memory models under which the property of the example fails. */
  readonly violatedUnder: readonly ('sc' | 'tso')[];
  readonly reason: string;
  readonly source: string;
}

const folder = fileURLToPath(new URL('../../../../examples/events/', import.meta.url));

interface Example {
  readonly name: string;
  readonly text: string;
  readonly program: EventProgram;
  readonly expected: EventExpectation;
}

const examples = readdirSync(folder)
  .filter((file) => file.endsWith('.fw'))
  .sort()
  .map((file): Example => {
    const text = readRepositoryFile(`examples/events/${file}`);
    const { model, diagnostics } = parseNative(text);
    const program = eventModel(model)?.program;
    if (!program || diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
    const name = file.replace(/\.fw$/, '');
    const expected = JSON.parse(
      readRepositoryFile(`examples/events/${name}.expected.json`),
    ) as EventExpectation;
    return { name, text, program, expected };
  });

/** Whether the number of instances is fixed; otherwise the enumeration explores two instances. */
const isNumbered = ({ text }: Example): boolean => !/\) \*$/m.test(text);

const questions = [
  ['concurrency', 'concurrency'],
  ['tso', 'tso'],
  ['both', 'tsoSerial'],
] as const satisfies readonly (readonly [Against, keyof EventExpectation])[];

test('there are examples of every combination that there is', () => {
  const found = new Set(
    examples.map(({ expected: { concurrency, tso, tsoSerial } }) =>
      [concurrency, tso, tsoSerial].join(' '),
    ),
  );
  for (const combination of [
    'robust robust robust',
    'robust not-robust not-robust',
    'robust not-robust robust',
    'not-robust robust not-robust',
  ])
    expect([...found]).toContain(combination);
  expect(examples.some((example) => !isNumbered(example))).toBe(true);
});

test.each(examples.filter(isNumbered))('$name by the definitions', ({ program, expected }) => {
  const sc = enumerateEventTraces(program, 'SC');
  const tso = enumerateEventTraces(program, 'TSO');
  const { concurrency, tsoSerial } = expected;
  expect(eventVerdicts(sc, tso)).toMatchObject({ concurrency, tso: expected.tso, tsoSerial });
});

describe.each(examples)('$name, an example of events', (example) => {
  const { program, expected } = example;
  test.each(questions)('against %s', async (against, criterion) => {
    const result = await checkEvents(program, { against });
    expect(eventVerdict(result).kind).toBe(expected[criterion]);
  });

  test('has the story in front, the source and the expectation with it', () => {
    const [story = ''] = example.text.split('\nprogram ');
    expect(story).toMatch(/^\/\/ Source: /m);
    expect(story).toMatch(/^\/\/ Expected: /m);
    expect(expected.reason).not.toBe('');
  });

  test('its property', async () => {
    const { single, ...sides } = await reachEvents(program, {});
    expect(single.properties.map(({ verdict }) => verdict)).toEqual(['holds']);
    for (const side of ['sc', 'tso'] as const) {
      const verdicts = sides[side].properties.map(({ verdict }) => verdict);
      // For events with any number of instances, the exploration is bounded to some instances.
      const holds = isNumbered(example) ? 'holds' : 'unknown';
      expect(verdicts).toEqual([expected.violatedUnder.includes(side) ? 'violated' : holds]);
    }
  });
});

test('an image that is announced by a posting that empties the buffer is seen whole', async () => {
  const { program } = examples.find(({ name }) => name === 'image-preload')!;
  const result = await checkEvents(program, { postingFenced: true });
  expect(eventVerdict(result).kind).toBe('robust');
});
