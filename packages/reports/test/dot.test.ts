import { describe, expect, it } from 'vitest';
import type { Program } from '@fencewright/model/program/program.js';
import { programToDot } from '../src/graph/dot.js';

const location = (name: string, hidden = false) => ({ name, hidden });
const register = (id: number) => ({ kind: 'register', register: id }) as const;
const constant = (value: number) => ({ kind: 'constant', value }) as const;

const program: Program = {
  name: 'a "b" \\n',
  symbols: [{ name: 'flag', base: 0, length: 2, isArray: true, initial: [0, 0] }],
  properties: [],
  threads: [
    {
      name: 't&lt;0',
      registers: [location('r')],
      locations: [location('l0'), location('$1', true), location('end')],
      initial: 0,
      transitions: [
        {
          from: 0,
          to: 1,
          instruction: { kind: 'store', address: constant(1), value: register(0) },
          origin: {},
          cost: 5,
          nofence: true,
        },
        {
          from: 1,
          to: 0,
          instruction: {
            kind: 'assume',
            condition: {
              kind: 'binary',
              operator: '&&',
              left: register(0),
              right: { kind: 'address', symbol: 0 },
            },
          },
          origin: {},
        },
        { from: 1, to: 2, instruction: { kind: 'fence' }, origin: {} },
      ],
    },
    {
      name: 't1',
      registers: [],
      locations: [location('idle'), location('only')],
      initial: 1,
      transitions: [],
    },
  ],
};

describe('programToDot', () => {
  it('draws a cluster for each thread', () => {
    expect(programToDot(program).split('\n')).toEqual([
      'digraph "a \\"b\\" \\\\n" {',
      '  node [shape=box, style=rounded, fontname="monospace"];',
      '  edge [fontname="monospace"];',
      '  subgraph cluster_0 {',
      '    label="t&amp;lt;0";',
      '    t0start [shape=point];',
      '    t0l0 [label="l0"];',
      '    t0l1 [shape=circle, width=0.15, label=""];',
      '    t0l2 [label="end", peripheries=2];',
      '    t0start -> t0l0;',
      '    t0l0 -> t0l1 [label="@cost(5) @nofence flag[1] = r"];',
      '    t0l1 -> t0l0 [label="assume(r && &flag[0])"];',
      '    t0l1 -> t0l2 [label="fence"];',
      '  }',
      '  subgraph cluster_1 {',
      '    label="t1";',
      '    t1start [shape=point];',
      '    t1l0 [label="idle", peripheries=2];',
      '    t1l1 [label="only", peripheries=2];',
      '    t1start -> t1l1;',
      '  }',
      '}',
      '',
    ]);
  });

  it('draws a program without threads', () => {
    expect(programToDot({ ...program, name: '', threads: [] })).toContain('digraph "" {');
  });
});
