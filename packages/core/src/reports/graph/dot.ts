import { printableLine } from '../../source/quote-name.js';
import type { LocationId, ThreadId } from '../../program/ids.js';
import { formatInstrumented } from '../../instrumented/format-instrumented.js';
import type {
  InstrumentedInstruction,
  InstrumentedProgram,
} from '../../instrumented/instrumented.js';
import type { Thread, Transition } from '../../program/program.js';

/**
 * The thread automata of a program, instrumented or not, as a Graphviz graph: one cluster for each
 * thread, a node for each location, an edge for each transition with its instruction in C's
 * notation. An arrow from a dot marks the initial location, a double line the ends; locations that
 * a front end made are small and have no name. Node `t0l2` is location 2 of thread 0.
 */
export function programToDot(program: InstrumentedProgram): string {
  return [
    `digraph ${quoteDot(program.name)} {`,
    '  node [shape=box, style=rounded, fontname="monospace"];',
    '  edge [fontname="monospace"];',
    ...program.threads.flatMap((thread, id) => threadToDot(program, thread, id)),
    '}',
    '',
  ].join('\n');
}

function threadToDot(
  program: InstrumentedProgram,
  thread: Thread<InstrumentedInstruction>,
  id: ThreadId,
): string[] {
  const left = new Set(thread.transitions.map(({ from }) => from));
  return [
    `  subgraph cluster_${id} {`,
    `    label=${quoteDot(thread.name)};`,
    `    t${id}start [shape=point];`,
    ...thread.locations.map(({ name, hidden }, location) => {
      const shape = hidden ? 'shape=circle, width=0.15, label=""' : `label=${quoteDot(name)}`;
      return `    ${node(id, location)} [${shape}${left.has(location) ? '' : ', peripheries=2'}];`;
    }),
    `    t${id}start -> ${node(id, thread.initial)};`,
    ...thread.transitions.map(
      (transition) =>
        `    ${node(id, transition.from)} -> ${node(id, transition.to)} [label=${quoteDot(describe(program, thread, transition))}];`,
    ),
    '  }',
  ];
}

function node(thread: ThreadId, location: LocationId): string {
  return `t${thread}l${location}`;
}

function describe(
  program: InstrumentedProgram,
  thread: Thread<InstrumentedInstruction>,
  transition: Transition<InstrumentedInstruction>,
): string {
  const { instruction, cost, nofence } = transition;
  const annotations = `${cost === undefined ? '' : `@cost(${cost}) `}${nofence ? '@nofence ' : ''}`;
  return annotations + formatInstrumented(program, thread, instruction);
}

/**
 * The text as a quoted string of DOT that shows exactly this text: no escape sequence and no HTML
 * entity is left in it.
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
