import type { Program } from '@fencewright/model/program/program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { threadName } from '../words/action-words.js';
import { quoteDot } from './dot.js';
import { happensBeforeGraph } from './happens-before-graph.js';

/**
 * Returns the happens-before graph of a witness as a Graphviz graph: a cluster for each thread, a
 * node for each access, named after its step (`e3`, from 1), edges labelled with their relation.
 * The cycle is bold and red.
 */
export function witnessToDot(
  program: Program,
  witness: Witness,
  happensBefore: HappensBefore,
): string {
  const { nodes, edges, leftOut } = happensBeforeGraph(program, witness, happensBefore);
  const name = (index: number): string => `e${nodes[index]!.step + 1}`;
  const threads = [...new Set(nodes.map(({ thread }) => thread))].sort((a, b) => a - b);
  const cluster = (thread: number): string[] => [
    `  subgraph cluster_${thread} {`,
    `    label=${quoteDot(threadName(program, thread))};`,
    ...nodes.flatMap((node, index) => {
      if (node.thread !== thread) return [];
      const text = node.place === undefined ? node.text : `${node.text}\n${node.place}`;
      const style = node.onCycle ? ', color="#c0262d", penwidth=2, class="cycle"' : '';
      return [`    ${name(index)} [label=${quoteDot(text)}${style}];`];
    }),
    '  }',
  ];
  return [
    `digraph ${quoteDot(program.name)} {`,
    ...(leftOut > 0 ? [`  // ${leftOut} accesses that are not on the cycle are left out.`] : []),
    '  node [shape=box, style=rounded, fontname="monospace"];',
    '  edge [fontname="monospace"];',
    ...threads.flatMap(cluster),
    ...edges.map(({ from, to, relation, onCycle }) => {
      const style = onCycle
        ? ', color="#c0262d", fontcolor="#c0262d", penwidth=2, class="cycle"'
        : '';
      return `  ${name(from)} -> ${name(to)} [label="${relation}"${style}];`;
    }),
    '}',
    '',
  ].join('\n');
}
