import type { Code } from './code.js';
import type { Monitors, Section } from './monitors.js';
import type { Value } from './value.js';

/** The frame of a call that has not returned. */
export interface Frame {
  readonly code: Code;
  pc: number;
  readonly registers: Value[];
  /** The number of stack objects that are removed when the call returns. */
  rooms: number;
  /**
   * Whether the call is a callback by a library function: when it returns, the library call
   * continues.
   */
  readonly isCallback: boolean;
}

/** A store that waits in a buffer. */
export interface Pending {
  /** The number of the store among the thread's stores. */
  readonly serial: number;
  readonly address: number;
  readonly bytes: readonly number[];
}

export interface Thread {
  readonly id: number;
  frames: Frame[];
  buffer: readonly Pending[];
  serial: number;
  status: 'running' | 'ended' | 'joined' | 'detached';
  result: Value;
  /** The phase of the library call that the thread is in, from 0 on. */
  phase: number;
  /** The number of objects on the stack of the thread. */
  depth: number;
  exceptions: Exceptions;
}

/** The exceptions of a thread, as the runtime of C++ records them. */
export interface Exceptions {
  /** The headers of the thrown exceptions, by address of the exception. */
  readonly headers: ReadonlyMap<number, Header>;
  /**
   * The addresses of the exceptions that handlers have caught and not ended, the innermost first.
   */
  readonly caught: readonly number[];
  readonly uncaught: number;
  /**
   * The addresses of the exceptions whose destructors are running, with the call depth of the
   * handler.
   */
  readonly ending: readonly { readonly address: number; readonly depth: number }[];
}

/** The header of a thrown exception. */
export interface Header {
  readonly type: string;
  readonly destructor: number;
  /** The number of active handlers for the exception; negative while it is rethrown. */
  readonly handlers: number;
  /** The address of the exception object that a handler receives. */
  readonly adjusted: number;
  /** The number that a landing pad gets for the handler's type. */
  readonly selector: number;
}

export const noExceptions: Exceptions = {
  headers: new Map(),
  caught: [],
  uncaught: 0,
  ending: [],
};

/** An object in memory, with its bytes. */
export interface Piece {
  readonly base: number;
  readonly bytes: readonly number[];
  /** The number of the only thread that can reach the object; -1 if other threads may. */
  readonly owner: number;
  /**
   * Present if the block was freed: the number of the thread that keeps it for itself, or -1 if any
   * thread may reuse it.
   */
  readonly freed?: number;
}

/** The end of an execution. */
export type End =
  | { readonly kind: 'exit'; readonly status: number }
  | { readonly kind: 'assertion'; readonly text: string }
  | { readonly kind: 'abort' }
  | { readonly kind: 'fault'; readonly why: string };

/**
 * A state of the machine. Threads and objects are shared between states, and copied before changes.
 */
export interface State {
  readonly threads: readonly Thread[];
  readonly pieces: ReadonlyMap<number, Piece>;
  readonly output: string;
  /** The functions registered to run at the end of the process, called in reverse order. */
  readonly atExit: readonly { readonly fn: number; readonly argument: Value }[];
  /**
   * The progress of the end of the process: the number of destructors begun, and one more when no
   * functions can be registered any more.
   */
  readonly leaving: number;
  readonly monitors?: Monitors;
  /** The open atomic section: no other thread has a step. */
  readonly section?: Section;
  readonly end?: End;
}

const words = new Map<string, number>();

/** Returns a short number that identifies a text. */
function wordFor(text: string): number {
  const known = words.get(text) ?? words.size;
  words.set(text, known);
  return known;
}

/** Forgets the numbers of texts: keys of different explorations are never compared. */
export function forgetWords(): void {
  words.clear();
}

const said = (value: Value): string =>
  Array.isArray(value) ? `[${value.map(said).join()}]` : String(value);

const threadWords = new WeakMap<Thread, number>();
const pieceWords = new WeakMap<Piece, number>();

function threadWord(thread: Thread): number {
  let word = threadWords.get(thread);
  if (word === undefined) {
    const frames = thread.frames.map(({ code, pc, registers, rooms }) => {
      const live = (code.live[pc] ?? []).map((register) => said(registers[register]));
      return `${code.id}:${pc}:${rooms}:${live.join()}`;
    });
    const buffer = thread.buffer.map(({ address, bytes }) => `${address}=${bytes.join('.')}`);
    const { status, result, phase, depth, exceptions } = thread;
    const thrown = JSON.stringify({ ...exceptions, headers: [...exceptions.headers] });
    word = wordFor(
      `${status} ${said(result)} ${phase} ${depth}|${frames.join('/')}|${buffer.join()}|${thrown}`,
    );
    threadWords.set(thread, word);
  }
  return word;
}

function pieceWord(piece: Piece): number {
  let word = pieceWords.get(piece);
  if (word === undefined) {
    const { base, bytes, owner, freed } = piece;
    word = wordFor(`${base} ${owner} ${freed}:${bytes.join()}`);
    pieceWords.set(piece, word);
  }
  return word;
}

/** Returns a key, equal for states with equal further behaviour. */
export function keyOf(state: State, monitorsKey: string): string {
  const pieces = [...state.pieces.values()].map(pieceWord).sort((a, b) => a - b);
  const { output, end, atExit, leaving } = state;
  return [
    state.threads.map(threadWord).join(),
    pieces.join(),
    output,
    `${leaving}:${atExit.map(({ fn, argument }) => `${fn}(${said(argument)})`).join()}`,
    end ? JSON.stringify(end) : '',
    JSON.stringify(state.section),
    monitorsKey,
  ].join('|');
}
