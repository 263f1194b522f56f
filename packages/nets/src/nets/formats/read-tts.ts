import {
  type Diagnostic,
  emptyInput,
  notSupported,
  syntaxError,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import { spanAt } from '@fencewright/ground/source/span.js';
import type { Configuration } from '@fencewright/ground/petri/counter-system.js';
import { markingOf, omega } from '@fencewright/ground/petri/marking.js';
import { bytesOfNet, type Net, type NetRule } from '@fencewright/ground/petri/net.js';
import type { NetResult, NoteBytes } from './read-mist.js';

/**
 * The start and the target of a system, in the notation of BFC: `0|1/2,3` is control 0, a thread at
 * 1, any number at 2 and 3.
 */
export interface TtsQuestion {
  readonly initial?: string;
  readonly target?: string;
}

function numbersOf(text: string): readonly number[] | undefined {
  if (text.trim() === '') return [];
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => /^[0-9]+$/.test(part)) ? parts.map(Number) : undefined;
}

/**
 * Reads a configuration, `control|locals`: a local state listed twice has two threads, local states
 * after a slash have any number of threads. `undefined` if the text has another form.
 */
function readConfiguration(text: string): Configuration | undefined {
  const [control = '', rest = '', ...more] = text.trim().split('|');
  const [bounded = '', unbounded = '', ...others] = rest.split('/');
  const [few, any] = [numbersOf(bounded), numbersOf(unbounded)];
  if (!/^[0-9]+$/.test(control.trim()) || !few || !any || more.length + others.length > 0)
    return undefined;
  const counts = [
    ...few.map((place) => [place, 1] as const),
    ...any.map((place) => [place, omega] as const),
  ];
  return { control: Number(control), marking: markingOf(counts) };
}

interface Line {
  readonly text: string;
  readonly number: number;
}

function* linesOf(text: string): Generator<Line> {
  let start = 0;
  for (let number = 0; start <= text.length; number++) {
    const end = text.indexOf('\n', start);
    const line = end < 0 ? text.slice(start) : text.slice(start, end);
    yield { text: line.endsWith('\r') ? line.slice(0, -1) : line, number };
    if (end < 0) return;
    start = end + 1;
  }
}

/**
 * The maximum number of controls and of local states of a thread-transition system: each has a name
 * and may have rules.
 */
const mostStates = 1_000_000;

const stepPattern = /^(\d+)\s+(\d+)\s*(->|\+>|~>)\s*(\d+)\s+(\d+)\s*(.*)$/;

class TtsReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly first: Line;
  #controls = 0;
  #locals = 0;

  constructor(first: Line) {
    this.first = first;
  }

  #complain(line: Line, message: string, hint?: string): void {
    this.diagnostics.push(syntaxError(spanAt(line.number, 0, line.text.length), message, hint));
  }

  readSize(line: Line): void {
    const match = /^(\d+)\s+(\d+)$/.exec(line.text.trim());
    if (!match) {
      const hint = 'the first line has two numbers, as 17 24';
      this.#complain(line, 'expected the numbers of shared and of local states', hint);
      return;
    }
    [this.#controls, this.#locals] = [Number(match[1]), Number(match[2])];
    if (Math.max(this.#controls, this.#locals) > mostStates)
      this.diagnostics.push(
        notSupported(
          spanAt(line.number, 0, line.text.length),
          'the system has too many states',
          `use up to ${mostStates} shared and as many local states`,
        ),
      );
  }

  get size(): { readonly controls: number; readonly locals: number } {
    return { controls: this.#controls, locals: this.#locals };
  }

  readStep(line: Line, id: number): NetRule | undefined {
    const match = stepPattern.exec(line.text.trim());
    if (!match) {
      this.#complain(line, 'expected a step', 'as in 0 1 -> 2 3, or 0 1 +> 2 3 for a new thread');
      return undefined;
    }
    const [, s = '', l = '', arrow = '', t = '', m = '', passive = ''] = match;
    if (arrow === '~>' || passive !== '') {
      const hint = 'only the thread that moves may change its local state';
      const span = spanAt(line.number, 0, line.text.length);
      this.diagnostics.push(notSupported(span, 'this step moves other threads as well', hint));
      return undefined;
    }
    const [from, to] = [Number(s), Number(t)];
    const [before, after] = [Number(l), Number(m)];
    if (Math.max(from, to) >= this.#controls || Math.max(before, after) >= this.#locals) {
      const { controls, locals } = this.size;
      this.#complain(
        line,
        'a state of this step is too large',
        `there are ${controls} shared and ${locals} local states, numbered from 0`,
      );
      return undefined;
    }
    const pre = markingOf([[before, 1]]);
    const stays = arrow === '+>' ? ([[before, 1]] as const) : [];
    return { id, from, to, pre, post: markingOf([...stays, [after, 1]]) };
  }

  readQuestion(what: string, text: string): Configuration | undefined {
    const read = readConfiguration(text);
    const isKnown =
      read &&
      read.control < this.#controls &&
      [...read.marking].every((value, i) => i % 2 === 1 || value < this.#locals);
    if (isKnown) return read;
    this.diagnostics.push(
      wrongOperand(
        spanAt(this.first.number, 0, this.first.text.length),
        `'${text.trim()}' is not a ${what} of this system`,
        'write S|L,L with a shared state and local states; for a start, S|L/L with any number behind the slash',
      ),
    );
    return undefined;
  }
}

/**
 * The text `0|1/2` or `3|4` of a comment `# initial 0|1/2` or `# target 3|4` in the file, for the
 * word `initial` or `target`; `undefined` if there is none.
 */
function questionIn(lines: readonly Line[], word: string): string | undefined {
  for (const { text } of lines) {
    const match = /^#\s*(\w+)\s+(\S+)\s*$/.exec(text.trim());
    if (match?.[1] === word) return match[2];
  }
  return undefined;
}

/**
 * Reads a thread-transition system in the format of BFC (`.tts`). Start and target are given by
 * comments (`# initial 0|/0`, `# target 3|4`), unless `question` gives them; by default, the system
 * starts with any number of threads at 0.
 */
export function readTts(
  text: string,
  question: TtsQuestion = {},
  note: NoteBytes = () => undefined,
): NetResult {
  const comments: Line[] = [];
  const rules: NetRule[] = [];
  let reader: TtsReader | undefined;
  for (const line of linesOf(text)) {
    if (line.text.trim() === '') continue;
    if (/^\s*#/.test(line.text)) comments.push(line);
    else if (reader) {
      const rule = reader.readStep(line, rules.length);
      if (rule) rules.push(rule);
      note(bytesOfNet.rule);
      if (reader.diagnostics.length >= 100) break;
    } else {
      reader = new TtsReader(line);
      reader.readSize(line);
      if (reader.diagnostics.length > 0) return { diagnostics: reader.diagnostics };
      note((reader.size.controls + reader.size.locals) * bytesOfNet.name);
    }
  }
  if (!reader) return { diagnostics: [emptyInput('a system starts with its numbers of states')] };
  const { first } = reader;
  const initial = reader.readQuestion(
    'start',
    question.initial ?? questionIn(comments, 'initial') ?? '0|/0',
  );
  const goal = question.target ?? questionIn(comments, 'target');
  const target = goal === undefined ? undefined : reader.readQuestion('target', goal);
  if (goal === undefined)
    reader.diagnostics.push({
      ...wrongOperand(
        spanAt(first.number, 0, first.text.length),
        'the system names no target',
        'write a line # target S|L,L',
      ),
      advice: 'name-target',
    });
  const { diagnostics } = reader;
  if (diagnostics.length > 0 || !initial || !target) return { diagnostics };
  const { controls, locals } = reader.size;
  const names = (count: number, letter: string): readonly string[] =>
    Array.from({ length: count }, (_, i) => `${letter}${i}`);
  const net: Net = {
    name: 'net',
    places: names(locals, 'l'),
    controls: names(controls, 's'),
    rules,
    initial,
    targets: [target],
    claims: [],
  };
  return { net, diagnostics };
}
