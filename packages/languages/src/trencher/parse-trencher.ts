import {
  AutomatonBuilder,
  type DraftLocation,
} from '@fencewright/model/program/automaton-builder.js';
import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import {
  duplicateName,
  emptyInput,
  ignoredDirective,
  misplaced,
  notText,
  syntaxError,
} from '@fencewright/ground/source/diagnostic.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { nearestName } from '@fencewright/ground/source/nearest-name.js';
import { quote } from '@fencewright/ground/source/quote.js';
import { hasControlCharacters } from '@fencewright/ground/source/control-characters.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Token } from '@fencewright/ground/source/tokens.js';
import { LineTokens } from './line-tokens.js';
import { parseInstruction, surplusHint } from './parse-instruction.js';
import { lineWords } from './words.js';

/** A thread of a Trencher program while its block of lines is being read. */
interface OpenThread {
  readonly name: string;
  /** The span of the thread's name at the start of its block. */
  readonly header: Span;
  readonly automaton: AutomatonBuilder;
  /** The `initial` line of the thread: its state, `undefined` after an error, and its place. */
  initial?: { readonly state: DraftLocation | undefined; readonly span: Span };
}

/** The state of reading a text in Trencher's format. */
interface TrencherReader {
  readonly errors: ErrorList;
  readonly threads: Thread[];
  /** By name of a thread, the place at which it is mentioned first. */
  readonly threadNames: Map<string, Span>;
  current: OpenThread | undefined;
}

/**
 * Returns the program of a text in Trencher's format. Threads, transitions, locations and registers
 * are numbered in the order of the text (locations and registers by first occurrence, per thread).
 * The program is named `program`; the format has no symbols. All errors are found in one run, at
 * most a hundred are returned.
 */
export function parseTrencher(text: string): ParseResult {
  if (hasControlCharacters(text)) return { diagnostics: [notText()] };
  const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const reader: TrencherReader = {
    errors: new ErrorList(),
    threads: [],
    threadNames: new Map(),
    current: undefined,
  };
  withoutMark.split(/\r\n|\n|\r/).forEach((line, number) => {
    readLine(reader, new LineTokens(line, number));
  });
  const { errors, threads, current } = reader;
  if (current) {
    errors.error(() =>
      syntaxError(
        current.header,
        `thread ${quote(current.name)} has no 'end'`,
        "add a line 'end' after its last transition",
      ),
    );
    closeThread(reader, current);
  }
  if (threads.length === 0 && !errors.hasErrors)
    errors.error(() => emptyInput("write at least one block 'thread NAME' ... 'end'"));
  const diagnostics = errors.toDiagnostics();
  if (errors.hasErrors) return { diagnostics };
  const program: Program = {
    name: 'program',
    symbols: [],
    threads,
    properties: [],
  };
  return { model: { kind: 'finite', program }, diagnostics };
}

function readLine(reader: TrencherReader, tokens: LineTokens): void {
  const keyword = tokens.nextIfAny();
  if (!keyword || keyword.text.startsWith('#')) return;
  switch (keyword.text) {
    case 'thread':
      openThread(reader, tokens, keyword);
      return;
    case 'memory':
    case 'memory_size':
      readMemorySize(reader, tokens, keyword);
      return;
    case 'initial':
    case 'transition':
    case 'end':
      if (reader.current) readThreadLine(reader, reader.current, tokens, keyword);
      else
        reader.errors.error(() =>
          misplaced(
            tokens.spanFrom(keyword),
            `'${keyword.text}' stands outside a thread`,
            "open the thread with a line 'thread NAME' first",
          ),
        );
      return;
    default:
      reportUnknownKeyword(reader, tokens, keyword);
  }
}

function reportUnknownKeyword(reader: TrencherReader, tokens: LineTokens, keyword: Token): void {
  const { errors, current } = reader;
  errors.error(() => {
    const nearest = nearestName(keyword.text, lineWords);
    if (nearest !== undefined)
      return syntaxError(
        keyword.span,
        `unknown keyword ${quote(keyword.text)}`,
        `did you mean '${nearest}'?`,
      );
    return current
      ? syntaxError(
          keyword.span,
          `unknown keyword ${quote(keyword.text)}`,
          "the lines of a thread start with 'initial', 'transition' or 'end'",
        )
      : misplaced(
          tokens.spanFrom(keyword),
          `${quote(keyword.text)} stands outside a thread`,
          "only 'thread NAME' and comment lines starting with '#' may stand here",
        );
  });
}

function openThread(reader: TrencherReader, tokens: LineTokens, keyword: Token): void {
  const { errors, threadNames, current } = reader;
  if (current) {
    errors.error(() =>
      syntaxError(
        keyword.span,
        `thread ${quote(current.name)} has no 'end' before this line`,
        "add a line 'end' after its last transition",
      ),
    );
    closeThread(reader, current);
  }
  const name = takeName(errors, tokens, keyword, 'thread NAME');
  const text = name?.text ?? '';
  if (name) {
    const first = threadNames.get(text);
    if (first) errors.error(() => duplicateName(name.span, 'thread', text, first));
    else threadNames.set(text, name.span);
  }
  const header = name?.span ?? keyword.span;
  reader.current = { name: text, header, automaton: new AutomatonBuilder(text) };
}

function closeThread(reader: TrencherReader, thread: OpenThread): void {
  reader.current = undefined;
  const { initial } = thread;
  if (initial?.state !== undefined) reader.threads.push(thread.automaton.build(initial.state));
  if (!initial)
    reader.errors.error(() =>
      syntaxError(
        thread.header,
        `thread ${quote(thread.name)} has no 'initial'`,
        "add a line 'initial STATE' after the line 'thread'",
      ),
    );
}

function readThreadLine(
  reader: TrencherReader,
  thread: OpenThread,
  tokens: LineTokens,
  keyword: Token,
): void {
  const { errors } = reader;
  if (keyword.text === 'transition') {
    readTransition(errors, thread, tokens, keyword);
  } else if (keyword.text === 'initial') {
    const state = takeName(errors, tokens, keyword, 'initial STATE');
    const first = thread.initial?.span;
    if (first)
      errors.error(() =>
        misplaced(
          tokens.spanFrom(keyword),
          `thread ${quote(thread.name)} has a second 'initial'`,
          `the first stands in line ${first.start.line + 1}; keep one of them`,
        ),
      );
    else thread.initial = { state: state && locate(thread, state), span: keyword.span };
  } else {
    checkLineEnd(errors, tokens, keyword);
    closeThread(reader, thread);
  }
}

/** Returns the location named by a token; the first occurrence of a name declares the location. */
function locate({ automaton }: OpenThread, { text, span }: Token): DraftLocation {
  return automaton.labelled(text, span);
}

function readTransition(
  errors: ErrorList,
  thread: OpenThread,
  tokens: LineTokens,
  keyword: Token,
): void {
  const from = tokens.nextIfAny();
  const to = tokens.nextIfAny();
  const instructionKeyword = tokens.nextIfAny();
  if (!from || !to || !instructionKeyword) {
    const missing = !from ? 'FROM' : !to ? 'TO' : 'INSTRUCTION';
    errors.error(() =>
      syntaxError(
        keyword.span,
        `'transition' lacks its ${missing}`,
        'the form is: transition FROM TO INSTRUCTION',
      ),
    );
    return;
  }
  const source = locate(thread, from);
  const target = locate(thread, to);
  const instruction = parseInstruction(
    { tokens, errors, registerOf: (name) => thread.automaton.register(name) },
    instructionKeyword,
  );
  if (instruction) thread.automaton.emit(source, target, instruction, tokens.spanFrom(keyword));
}

function readMemorySize(reader: TrencherReader, tokens: LineTokens, keyword: Token): void {
  const usage = `${keyword.text} CELLS`;
  const size = takeName(reader.errors, tokens, keyword, usage);
  if (!size) return;
  if (/^[0-9]+$/.test(size.text))
    reader.errors.note(ignoredDirective(tokens.spanFrom(keyword), keyword.text));
  else
    reader.errors.error(() =>
      syntaxError(
        size.span,
        `${quote(size.text)} is not a number of cells`,
        `the form is: ${usage}`,
      ),
    );
}

/**
 * Reads and returns the only operand of a line of the form `usage`; `undefined` after a reported
 * error.
 */
function takeName(
  errors: ErrorList,
  tokens: LineTokens,
  keyword: Token,
  usage: string,
): Token | undefined {
  const name = tokens.nextIfAny();
  if (!name) {
    errors.error(() =>
      syntaxError(
        keyword.span,
        `'${keyword.text}' lacks its ${usage.slice(keyword.text.length + 1)}`,
        `the form is: ${usage}`,
      ),
    );
    return undefined;
  }
  checkLineEnd(errors, tokens, keyword);
  return name;
}

function checkLineEnd(errors: ErrorList, tokens: LineTokens, keyword: Token): void {
  const surplus = tokens.peekIfAny();
  if (!surplus) return;
  errors.error(() =>
    syntaxError(
      tokens.spanFrom(surplus),
      `${quote(surplus.text)} stands after the end of '${keyword.text}'`,
      surplusHint(surplus),
    ),
  );
}
