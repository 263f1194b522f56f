import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isCampaign } from '../../../../tools/random-runs.js';
import { finiteProgram, threadModel } from '@fencewright/model/program/model.js';
import { parseNative } from '@fencewright/core/native';
import { check } from '../../src/api/check.js';
import { proveText, useSolver } from '../../../proofs/test/proving.js';

/**
 * A text of the corpus with an inserted error. The proof of a twin without `slow` takes seconds,
 * the proof of the others minutes.
 */
interface Twin {
  readonly of: string;
  readonly error: string;
  readonly edits: readonly (readonly [string, string])[];
  readonly isUsual?: true;
}

const twins: readonly Twin[] = [
  {
    of: 'ticket-mcs91',
    error: 'two threads may get one ticket',
    edits: [['fetch_add(next_ticket, 1)', 'next_ticket; next_ticket = my + 1']],
    isUsual: true,
  },
  {
    of: 'anderson-plain',
    error: 'two slots are free at the start',
    edits: [['slots[*] = {1}', 'slots[*] = {1, 1}']],
  },
  {
    of: 'anderson-hs08',
    error: 'two threads may get one slot',
    edits: [['fetch_add(tail, 1)', 'tail; tail = slot + 1']],
  },
  {
    of: 'clh-fresh',
    error: 'a node is never locked',
    edits: [['locked[n] = 1;', 'skip;']],
  },
  {
    of: 'clh-fresh',
    error: 'the queue changes by a load and a store',
    edits: [['xchg(tail, n)', 'tail; tail = n']],
  },
  {
    of: 'mcs-hs08',
    error: 'nobody waits',
    edits: [['do { r = locked[q]; } while (r == 1);', '']],
  },
  {
    of: 'ms-hs08',
    error: 'a node is filled after it is published',
    edits: [
      ['value[n] = 7;', ''],
      ['{ cas(tail, last, n); }', '{ cas(tail, last, n); value[n] = 7; x = next[n]; }'],
    ],
  },
  {
    of: 'ms-counter',
    error: 'two threads may get one node',
    edits: [['fetch_add(fresh, 1)', 'fresh; fresh = n + 1']],
  },
  {
    of: 'treiber-list',
    error: 'a node is filled after it is published',
    edits: [
      ['value[n] = 1;', ''],
      ['while (!ok);', 'while (!ok); value[n] = 1; f = first;'],
    ],
  },
  {
    of: 'treiber-list',
    error: 'two threads may get one node',
    edits: [['fetch_add(free, 1)', 'free; free = n + 1']],
  },
];

function textOf({ of, edits }: Twin): string {
  const url = new URL(`../../../../corpus/inference/${of}.fw`, import.meta.url);
  return edits.reduce(
    (text, [from, to]) => {
      expect(text.split(from), `${of}: ${from}`).toHaveLength(2);
      return text.replace(from, to);
    },
    readFileSync(url, 'utf8'),
  );
}

/** The text with two copies of each thread and twelve cells in each array. */
const smallInstance = (text: string): string =>
  text.replaceAll(/^(thread \w+)\[\*\]/gm, '$1[2]').replaceAll('[*]', '[12]');

describe('texts of the corpus with an error are not robust, and never proved', () => {
  const solver = useSolver();
  const chosen = twins.filter(({ isUsual }) => isCampaign || isUsual);

  test('there are twins of each of the six algorithms', () => {
    const kinds = new Set(twins.map(({ of }) => of.split('-')[0]));
    expect([...kinds].toSorted()).toEqual(['anderson', 'clh', 'mcs', 'ms', 'ticket', 'treiber']);
  });

  test.each(chosen)('$of: $error', async (twin) => {
    const text = textOf(twin);
    const model = threadModel(parseNative(smallInstance(text)).model);
    const program = model && finiteProgram(model);
    // The verdict of the search rests on a replayed execution.
    const found = await check(program!, { limits: { maxStates: 300_000 } });
    expect(found.verdict.kind).toBe('not-robust');
    const { verdict } = (await proveText(text, { solver, infer: true, searchInstances: false }))
      .result;
    expect(verdict.kind).toBe('unknown');
  });
});
