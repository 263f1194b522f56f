import { printableLine } from '@fencewright/ground/source/quote-name.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import { formatInstrumented } from '@fencewright/model/instrumented/format-instrumented.js';
import type { InstrumentedProgram } from '@fencewright/model/instrumented/instrumented.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { formatEventInstruction, formatMarks } from '@fencewright/model/program/format.js';
import type { Thread } from '@fencewright/model/program/program.js';

/**
 * Returns the automata of a program's threads, instrumented or not, as a Graphviz graph: one
 * cluster for each thread, a node for each location, an edge for each transition with its
 * instruction in C's notation. An arrow from a dot marks the initial location, a double line the
 * ends; locations that a front end made are small and have no name. Node `t0l2` is location 2 of
 * thread 0.
 */
export function programToDot(program: InstrumentedProgram): string {
  return graph(
    program.name,
    program.threads.map((thread, id) =>
      threadToDot(thread, id, thread.name, (instruction) =>
        formatInstrumented(program, thread, instruction),
      ),
    ),
  );
}

/**
 * Returns a program of events as a Graphviz graph: one cluster for each event and procedure. Calls
 * and postings are edges of the caller.
 */
export function eventsToDot(program: EventProgram): string {
  return graph(
    program.name,
    program.bodies.map((body, id) => {
      const parameters = body.registers.slice(0, body.parameters).map(({ name }) => name);
      const title = `${body.role} ${body.name}(${parameters.join(', ')})`;
      return threadToDot(body, id, title, (instruction) =>
        formatEventInstruction(program, body, instruction),
      );
    }),
  );
}

function graph(name: string, clusters: readonly (readonly string[])[]): string {
  return [
    `digraph ${quoteDot(name)} {`,
    '  node [shape=box, style=rounded, fontname="monospace"];',
    '  edge [fontname="monospace"];',
    ...clusters.flat(),
    '}',
    '',
  ].join('\n');
}

function threadToDot<I>(
  thread: Thread<I>,
  id: ThreadId,
  title: string,
  format: (instruction: I) => string,
): string[] {
  const left = new Set(thread.transitions.map(({ from }) => from));
  return [
    `  subgraph cluster_${id} {`,
    `    label=${quoteDot(title)};`,
    `    t${id}start [shape=point];`,
    ...thread.locations.map(({ name, hidden }, location) => {
      const shape = hidden ? 'shape=circle, width=0.15, label=""' : `label=${quoteDot(name)}`;
      return `    ${node(id, location)} [${shape}${left.has(location) ? '' : ', peripheries=2'}];`;
    }),
    `    t${id}start -> ${node(id, thread.initial)};`,
    ...thread.transitions.map((transition) => {
      const { from, to, instruction } = transition;
      const marks = formatMarks(transition);
      return `    ${node(id, from)} -> ${node(id, to)} [label=${quoteDot(marks + format(instruction))}];`;
    }),
    '  }',
  ];
}

function node(thread: ThreadId, location: LocationId): string {
  return `t${thread}l${location}`;
}

/**
 * Returns the text as a quoted string of DOT, in which Graphviz finds no escape sequence and no
 * HTML entity.
 */
export function quoteDot(text: string): string {
  const escaped = text
    .split(/(\r\n|\r|\n)/)
    .map((part, i) => (i % 2 === 0 ? printableLine(part) : part))
    .join('')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/&(?=#?[A-Za-z0-9]+;)/g, '&amp;');
  return `"${escaped}"`;
}
