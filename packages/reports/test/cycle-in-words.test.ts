import { expect, test } from 'vitest';
import { constant } from '@fencewright/model/program/expression.js';
import type { Program } from '@fencewright/model/program/program.js';
import { cycleInWords } from '../src/words/cycle-in-words.js';
import { spanAt } from '@fencewright/ground/source/span.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import type { CycleEdge } from '@fencewright/model/verdict/verdict.js';
import { program as storeBuffering } from './store-buffering.js';

const [t1, t2] = storeBuffering.threads;
const program: Program = {
  ...storeBuffering,
  threads: [
    t1!,
    {
      ...t2!,
      transitions: [
        ...t2!.transitions,
        {
          from: 2,
          to: 2,
          instruction: {
            kind: 'rmw',
            address: { kind: 'address', symbol: 0 },
            operation: { name: 'cas', operands: [constant(0), constant(2)] },
          },
          origin: { span: spanAt(9, 0, 1) },
        },
      ],
    },
  ],
};

const computation: Action[] = [
  { kind: 'issue', thread: 0, transition: 0, address: 0, value: 1 },
  { kind: 'load', thread: 0, transition: 1, address: 0, value: 1, early: true },
  { kind: 'issue', thread: 1, transition: 0, address: 0, value: 7 },
  { kind: 'load', thread: 1, transition: 1, address: 0, value: 1, early: false },
  { kind: 'rmw', thread: 1, transition: 2, address: 0, value: 0, written: 2 },
  { kind: 'rmw', thread: 1, transition: 2, address: 0, value: 1 },
];

test.each<[string, CycleEdge, string]>([
  [
    'store order',
    { from: 0, to: 2, relation: 'st' },
    "t1's store of x = 1 at line 4 reaches memory before t2's store of x = 7 at line 8",
  ],
  [
    'a value read from memory',
    { from: 0, to: 3, relation: 'src' },
    "t2's load of x at line 9 reads the value 1 that t1's store of x at line 4 wrote",
  ],
  [
    'a value read early',
    { from: 0, to: 1, relation: 'src' },
    "t1's load of x at line 5 reads the value 1 that its own store of x at line 4 wrote",
  ],
  [
    'a locked instruction that writes',
    { from: 0, to: 4, relation: 'st' },
    "t1's store of x = 1 at line 4 reaches memory before t2's compare-and-swap on x (writing 2) at line 10",
  ],
  [
    'a locked instruction that reads',
    { from: 5, to: 0, relation: 'cf' },
    "t2's compare-and-swap on x at line 10 read 1 before t1's store of x = 1 at line 4 took effect",
  ],
  [
    'program order from a load',
    { from: 3, to: 4, relation: 'po' },
    't2 does its load of x at line 9 before its compare-and-swap on x at line 10 in program order',
  ],
  [
    'a lock block that is entered behind where it is left',
    { from: 4, to: 3, relation: 'lock' },
    't2 does its compare-and-swap on x at line 10 and its load of x at line 9 as one, under the bus lock',
  ],
])('%s', (_, edge, sentence) => {
  expect(cycleInWords(program, computation, [edge]).map((e) => e.sentence)).toEqual([sentence]);
});
