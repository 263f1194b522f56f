import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import { eventThreadName, taskNames } from '../words/event-words.js';
import { quoteDot } from './dot.js';

/**
 * Returns the call trees of a run as a Graphviz graph: a node for each task, an edge for each
 * posting.
 */
export function callTreesToDot(program: EventProgram, run: EventRun): string {
  const names = taskNames(program, run);
  const nodes = run.tasks.map(
    ({ thread }, id) =>
      `  t${id} [label=${quoteDot(`${at(names, id)}\n${eventThreadName(thread)}`)}];`,
  );
  const edges = run.tasks.flatMap(({ parent }, id) =>
    parent === undefined ? [] : [`  t${parent} -> t${id};`],
  );
  return [
    `digraph ${quoteDot(program.name)} {`,
    '  node [shape=box];',
    ...nodes,
    ...edges,
    '}',
    '',
  ].join('\n');
}
