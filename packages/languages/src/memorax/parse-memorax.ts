import { spanBetween } from '@fencewright/ground/source/span.js';
import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type {
  Program,
  Property,
  StateExpression,
  Thread,
} from '@fencewright/model/program/program.js';
import { hasControlCharacters } from '@fencewright/ground/source/control-characters.js';
import {
  emptyInput,
  notSupported,
  notText,
  syntaxError,
  unknownName,
} from '@fencewright/ground/source/diagnostic.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { LineIndex } from '@fencewright/ground/source/line-index.js';
import type { Reading } from '@fencewright/ground/source/reading.js';
import { lowerProcess } from './lower-process.js';
import { expandCopies, layOutMemory, type SharedMemory, ProcessScope } from './process-scope.js';
import { readMemorax, withoutComments } from './read-file.js';
import type { ForbiddenState, MemoraxFile, Process } from './syntax.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

/**
 * Returns the program of a text in Memorax's language. Processes become the threads `P0`, `P1`,
 * ...; a process-local location becomes an array with a cell for each process. The forbidden states
 * are the property `forbidden`. All errors are found in one run, at most a hundred are returned.
 */
export function parseMemorax(text: string): ParseResult {
  if (hasControlCharacters(text)) return { diagnostics: [notText()] };
  const bare = withoutComments(text);
  if (bare.trim() === '')
    return { diagnostics: [emptyInput("a file of Memorax starts with 'forbidden'")] };
  const reading: Reading = { errors: new ErrorList(), index: new LineIndex(bare) };
  const file = readMemorax(reading, bare);
  const processes = expandCopies(file.processes);
  const memory = layOutMemory(file, processes);
  refuseUnknownValues(reading, file);
  const threads = reading.errors.hasErrors ? [] : lowerAll(reading, memory, processes);
  const properties = threads.length > 0 ? forbiddenProperty(reading, file, threads) : [];
  const diagnostics = reading.errors.toDiagnostics();
  if (reading.errors.hasErrors) return { diagnostics };
  const program: Program = { name: 'program', symbols: memory.symbols, threads, properties };
  return { model: { kind: 'finite', program }, diagnostics };
}

function lowerAll(
  reading: Reading,
  memory: SharedMemory,
  processes: readonly Process[],
): readonly Thread[] {
  return processes.map((process, id) => {
    const scope = new ProcessScope(reading, memory, id, process.registers);
    return lowerProcess(reading, `P${id}`, process, scope);
  });
}

function refuseUnknownValues({ errors }: Reading, { data, processes }: MemoraxFile): void {
  for (const { name, span, initial, bounds } of [...data, ...processes.flatMap((p) => p.data)])
    if (initial === undefined && !(bounds?.low === 0 && bounds.high === 0))
      errors.error(() =>
        notSupported(
          span,
          `'${name}' may start with any value, and only fixed initial values are supported`,
          'give a value, or let a process write the value while the others wait',
        ),
      );
}

/** Returns the forbidden states as one property; empty if the file names none. */
function forbiddenProperty(
  reading: Reading,
  { forbidden }: MemoraxFile,
  threads: readonly Thread[],
): readonly Property[] {
  const [first] = forbidden;
  const last = forbidden.at(-1);
  if (!first || !last) return [];
  const condition = forbidden
    .map((state) => stateCondition(reading, state, threads))
    .reduce((left, right) => ({ kind: 'binary', operator: '||', left, right }));
  const span = spanBetween(first.span, last.span);
  return [{ name: 'forbidden', kind: 'never', condition, span }];
}

function stateCondition(
  { errors }: Reading,
  { labels, span }: ForbiddenState,
  threads: readonly Thread[],
): StateExpression {
  if (labels.length !== threads.length)
    errors.error(() =>
      syntaxError(
        span,
        `${countOf(labels.length, 'label')} given for ${countOf(threads.length, 'process', 'processes')}`,
        "give a label, or '*', for each process",
      ),
    );
  return labels
    .flatMap((label, thread): StateExpression[] => {
      const owner = threads[thread];
      if (!label || !owner) return [];
      const { name, span: place } = label;
      const location = owner.locations.findIndex((known) => !known.hidden && known.name === name);
      if (location >= 0) return [{ kind: 'at', thread, location }];
      const names = owner.locations.flatMap((known) => (known.hidden ? [] : [known.name]));
      errors.error(() => unknownName(place, 'label', name, names));
      return [];
    })
    .reduce<StateExpression>(
      (left, right) =>
        left.kind === 'constant' ? right : { kind: 'binary', operator: '&&', left, right },
      { kind: 'constant', value: 1 },
    );
}
