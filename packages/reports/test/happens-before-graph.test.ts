import { instance } from '@viz-js/viz';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import type { Program } from '@fencewright/model/program/program.js';
import { witnessToDot } from '../src/graph/graph-dot.js';
import { layoutGraph } from '../src/graph/graph-layout.js';
import { graphSvg } from '../src/graph/graph-svg.js';
import { happensBeforeGraph } from '../src/graph/happens-before-graph.js';
import { initialState, successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import { buildTrace, relationBetween } from '@fencewright/model/trace/trace.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { program as sb, witness as sbWitness } from './store-buffering.js';

/** Returns a random TSO computation; `choices` select the steps. */
function randomRun(program: Program, choices: readonly number[]): Computation {
  const code = compileProgram(program);
  let state = initialState(program);
  const computation: Action[] = [];
  for (const choice of choices) {
    const { steps } = successors('TSO', code, state);
    const step = steps[choice % Math.max(1, steps.length)];
    if (!step) break;
    computation.push(...step.actions);
    ({ state } = step);
  }
  return computation;
}

/** Returns the transitive closure of a relation on `size` elements. */
function closure(size: number, pairs: readonly (readonly [number, number])[]): Set<string> {
  const reaches = Array.from({ length: size }, () => new Set<number>());
  for (const [from, to] of pairs) reaches[from]!.add(to);
  for (let mid = 0; mid < size; mid++)
    for (const own of reaches) if (own.has(mid)) for (const to of reaches[mid]!) own.add(to);
  return new Set(reaches.flatMap((own, from) => [...own].map((to) => `${from} ${to}`)));
}

const run = fc
  .tuple(randomProgram({ loops: true }), fc.array(fc.nat(1000), { maxLength: 40 }))
  .map(([program, choices]) => ({ program, computation: randomRun(program, choices) }));

const asWitness = (computation: Computation): Witness => ({
  attack: { thread: 0, store: 0, load: 0 },
  computation,
  cycle: [],
});

describe('the happens-before graph of a witness', () => {
  test('of store buffering is the cycle', () => {
    const { nodes, edges, leftOut } = happensBeforeGraph(sb, sbWitness, 'standard');
    expect(nodes.map(({ text, place, step, commit }) => [text, place, step, commit])).toEqual([
      ['store x = 1', 'line 4', 0, 5],
      ['load y = 0', 'line 5', 1, undefined],
      ['store y = 1', 'line 8', 2, 3],
      ['load x = 0', 'line 9', 4, undefined],
    ]);
    expect(edges.map(({ from, to, relation }) => `${from} ${relation} ${to}`).toSorted()).toEqual([
      '0 po 1',
      '1 cf 2',
      '2 po 3',
      '3 cf 0',
    ]);
    expect([...nodes, ...edges].every(({ onCycle }) => onCycle)).toBe(true);
    expect(leftOut).toBe(0);
  });

  test.each(['standard', 'value'] as const)(
    'leaves out no more than what follows from the rest (%s)',
    (happensBefore) => {
      let drawn = 0;
      fc.assert(
        fc.property(run, ({ program, computation }) => {
          const trace = buildTrace(computation);
          const graph = happensBeforeGraph(program, asWitness(computation), happensBefore);
          if (graph.leftOut > 0) return;
          const size = trace.nodes.length;
          const all = trace.nodes.flatMap((_, from) =>
            trace.nodes.flatMap((__, to): [number, number][] =>
              relationBetween(trace, from, to, happensBefore) ? [[from, to]] : [],
            ),
          );
          const shown = graph.edges.map(({ from, to }): [number, number] => [from, to]);
          expect(graph.nodes).toHaveLength(size);
          expect(closure(size, shown)).toEqual(closure(size, all));
          if (shown.length < all.length) drawn++;
        }),
        { seed: randomSeed(5), numRuns: randomRuns(300, 6000) },
      );
      // Some accesses were left out, so the law is tested.
      expect(drawn).toBeGreaterThan(50);
    },
  );

  test('has only the cycle of a witness with very many accesses', () => {
    const extra: Action[] = Array.from({ length: 60 }, () => ({
      kind: 'load',
      thread: 0,
      transition: 1,
      address: 1,
      value: 0,
      early: false,
    }));
    const computation = [...sbWitness.computation, ...extra];
    const { nodes, edges, leftOut } = happensBeforeGraph(
      sb,
      { ...sbWitness, computation },
      'standard',
    );
    expect(nodes.map(({ step }) => step)).toEqual([0, 1, 2, 4]);
    expect(edges).toHaveLength(4);
    expect(leftOut).toBe(60);
  });
});

test('accesses are drawn beside each other, inside the picture, a column a thread', () => {
  fc.assert(
    fc.property(run, ({ program, computation }) => {
      const layout = layoutGraph(happensBeforeGraph(program, asWitness(computation), 'standard'));
      const { width, height, nodeWidth, nodeHeight, nodes } = layout;
      nodes.forEach(({ node, x, y }, i) => {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + nodeWidth).toBeLessThanOrEqual(width);
        expect(y + nodeHeight).toBeLessThanOrEqual(height);
        for (const other of nodes.slice(0, i)) {
          expect(other.x === x).toBe(other.node.thread === node.thread);
          if (other.x === x) expect(other.y + nodeHeight).toBeLessThan(y);
          else expect(Math.abs(other.x - x)).toBeGreaterThan(nodeWidth);
        }
      });
    }),
    { seed: randomSeed(6), numRuns: randomRuns(100, 2000) },
  );
});

test('labels are drawn beside the accesses, which would hide them', () => {
  fc.assert(
    fc.property(run, ({ program, computation }) => {
      const layout = layoutGraph(happensBeforeGraph(program, asWitness(computation), 'standard'));
      const { nodeWidth, nodeHeight, nodes, edges } = layout;
      for (const { label } of edges)
        for (const { x, y } of nodes)
          expect(
            label.x > x && label.x < x + nodeWidth && label.y > y && label.y < y + nodeHeight,
          ).toBe(false);
    }),
    { seed: randomSeed(7), numRuns: randomRuns(300, 6000) },
  );
});

describe('the graph for Graphviz', () => {
  test('is one that Graphviz draws, with the cycle marked', async () => {
    const svg = (await instance()).renderString(witnessToDot(sb, sbWitness, 'standard'), {
      format: 'svg',
    });
    expect(svg.match(/class="node cycle"/g)).toHaveLength(4);
    expect(svg.match(/class="edge cycle"/g)).toHaveLength(4);
    expect(svg).toContain('store x = 1');
  });

  test('survives awkward names', async () => {
    const named = { ...sb, name: 'a "b" \\n <c>' };
    const { status } = (await instance()).render(witnessToDot(named, sbWitness, 'standard'));
    expect(status).toBe('success');
  });
});

test('as a picture of its own, it has every access and edge, with the steps they stand for', () => {
  const svg = graphSvg(sb, happensBeforeGraph(sb, sbWitness, 'standard'), {
    title: 'SB <1>',
    sentence: 'a delays its store of x past its load of y, and so on and so on, and so on and on.',
  });
  expect(svg).toContain('<title id="title">SB &lt;1&gt;</title>');
  expect(svg).toContain('>SB &lt;1&gt;</text>');
  // The sentence is broken into two lines.
  const lines = [...svg.matchAll(/<text class="caption sentence"[^>]*>([^<]*)</g)];
  expect(lines.map(([, line]) => line!.length)).toHaveLength(2);
  expect(lines.map(([, line]) => line).join(' ')).toContain('a delays its store of x past');
  expect(svg).toContain('po: program order');
  expect(svg.match(/<g class="node cycle"/g)).toHaveLength(4);
  expect(svg.match(/<g class="edge (po|cf) cycle"/g)).toHaveLength(4);
  expect([...svg.matchAll(/data-steps="([\d ]*)"/g)].map(([, steps]) => steps)).toEqual([
    '0 5',
    '1',
    '2 3',
    '4',
  ]);
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).toMatch(/^<svg xmlns=/);
});
