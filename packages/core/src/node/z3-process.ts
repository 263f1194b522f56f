import { helperEnvironment } from './helpers.js';
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { startTimer } from '@fencewright/ground/base/timer.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { parseSExpressions } from '@fencewright/ground/solvers/s-expression.js';
import { parseSmtModel } from '@fencewright/ground/solvers/smt-model.js';
import { printableLine } from '@fencewright/ground/source/quote-name.js';
import {
  ranOut,
  type SmtAnswer,
  type SmtQuery,
  type SmtSolver,
} from '@fencewright/ground/solvers/smt-solver.js';

const marker = 'fencewright-end-of-answer';

/** The maximum number of characters of an answer of Z3; longer output cannot come from Z3. */
const longestAnswer = 16 * 1024 * 1024;

/** The reason why a Z3 process ended before its answer was complete. */
type Ending = 'time' | 'cancelled' | 'died' | 'unusable';

type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'ended'; readonly why: Ending };

/** A running process `z3 -in`, with the state of the solver. */
class Z3Process {
  readonly #child: ChildProcessWithoutNullStreams;
  #output = '';
  /**
   * The last characters of the output that `#output` holds; the end marker of an answer may begin
   * in them.
   */
  #tail = '';
  #settle: ((reply: Reply) => void) | undefined;
  #ended: Ending | undefined;
  /** Whether the process has not received any command yet. */
  isFresh = true;
  /**
   * The commands sent before the topmost `push`, which further queries can share; absent if there
   * was no `push`.
   */
  prelude: string | undefined;
  /** The limit of work for a query, in Z3's unit; 0 means no limit. */
  effort = 0;

  constructor(
    command: string,
    readonly settings: string,
  ) {
    const args = ['-in', '-smt2', ...settings.split('\n').filter((argument) => argument !== '')];
    this.#child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: helperEnvironment(),
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    this.#child.stdin.on('error', () => undefined);
    this.#child.on('error', () => this.#end('died')).on('close', () => this.#end('died'));
    process.once('exit', this.#killAtExit);
  }

  readonly #killAtExit = (): void => {
    this.#child.kill('SIGKILL');
  };

  #hear(text: string): void {
    const tail = this.#tail + text;
    this.#tail = tail.slice(-marker.length);
    this.#output += text;
    if (this.#output.length > longestAnswer) this.kill('unusable');
    // Searching the whole output at each arrival would take too long for long answers.
    if (!tail.includes(`${marker}\n`)) return;
    const end = this.#output.indexOf(`${marker}\n`);
    const answer = this.#output.slice(0, end);
    this.#output = this.#output.slice(end + marker.length + 1);
    this.#tail = '';
    this.#settle?.({ kind: 'text', text: answer });
  }

  #end(why: Ending): void {
    this.#ended ??= why;
    process.off('exit', this.#killAtExit);
    this.#settle?.({ kind: 'ended', why: this.#ended });
  }

  /** Returns the first line of output that is not part of a complete answer, for error messages. */
  get lastWords(): string {
    return withoutCounts(this.#output).text.split('\n', 1)[0] ?? '';
  }

  get isAlive(): boolean {
    return this.#ended === undefined;
  }

  kill(why: Ending): void {
    this.#child.kill('SIGKILL');
    // Programs that the process has started may hold its output open, and go on writing.
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    this.#end(why);
  }

  /** Sends commands to Z3; returns the output, or the reason for a missing answer. */
  async ask(commands: string): Promise<Reply> {
    if (this.#ended) return { kind: 'ended', why: this.#ended };
    const answer = new Promise<Reply>((resolve) => (this.#settle = resolve));
    this.#child.stdin.write(`${commands}\n(echo "${marker}")\n`);
    // A busy process keeps Node.js alive, an idle process does not.
    this.#hold(true);
    try {
      return await answer;
    } finally {
      this.#settle = undefined;
      this.#hold(false);
    }
  }

  #hold(isHeld: boolean): void {
    const handles = [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr];
    for (const handle of handles as { ref?: () => void; unref?: () => void }[])
      if (isHeld) handle.ref?.();
      else handle.unref?.();
  }
}

/**
 * Native Z3: one process that answers many queries, and is killed and restarted when a query takes
 * too long.
 */
class NativeZ3 implements SmtSolver {
  readonly name = 'z3 (native)';
  readonly #command: string;
  readonly #megabytes: number;
  #running: Z3Process | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(command: string, megabytes: number) {
    this.#command = command;
    this.#megabytes = megabytes;
  }

  solve(query: SmtQuery): Promise<SmtAnswer> {
    const answer = this.#last.then(() => this.#solveNow(query));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#running?.kill('cancelled');
    this.#running = undefined;
  }

  /** Returns the running process with the parameters of the query, started if needed. */
  #processFor({ parameters = {} }: SmtQuery): Z3Process {
    const settings = Object.entries(parameters).map(([name, value]) => `${name}=${String(value)}`);
    const wanted = [`-memory:${this.#megabytes}`, ...settings].join('\n');
    const running = this.#running;
    if (running?.isAlive && running.settings === wanted) return running;
    running?.kill('cancelled');
    return (this.#running = new Z3Process(this.#command, wanted));
  }

  async #solveNow(query: SmtQuery): Promise<SmtAnswer> {
    const { timeout, signal } = query;
    // A script with an open parenthesis would swallow later commands, and Z3 would wait for more
    // input.
    parseSExpressions(query.script);
    if (signal?.aborted) return { kind: 'unknown', reason: 'cancelled', detail: 'cancelled' };
    const z3 = this.#processFor(query);
    const cancel = (): void => z3.kill('cancelled');
    const callOff = timeout === undefined ? undefined : startTimer(() => z3.kill('time'), timeout);
    signal?.addEventListener('abort', cancel);
    try {
      return await this.#converse(z3, query);
    } finally {
      callOff?.();
      signal?.removeEventListener('abort', cancel);
    }
  }

  async #converse(z3: Z3Process, query: SmtQuery): Promise<SmtAnswer> {
    const check = `${count}\n(check-sat)\n${count}`;
    const reply = await z3.ask(`${this.#opening(z3, query)}\n${query.script}\n${check}`);
    if (reply.kind === 'ended') return ended(reply.why, z3.lastWords);
    const { text, effort } = withoutCounts(reply.text);
    const answer = await this.#answerOf(z3, query, text, effort);
    return effort === undefined ? answer : { ...answer, effort };
  }

  async #answerOf(
    z3: Z3Process,
    query: SmtQuery,
    text: string,
    effort: number | undefined,
  ): Promise<SmtAnswer> {
    const failure = /^\(error "([^"]*)/m.exec(text)?.[1];
    // A small effort may run out while Z3 reads the script.
    if (failure !== undefined && isCutShort(query, failure)) return endUnusable(z3, text, 'effort');
    if (failure !== undefined && /memory|resource/.test(failure))
      return endUnusable(z3, text, ranOut(query, effort) ? 'effort' : 'memory');
    if (failure !== undefined) {
      z3.kill('died');
      throw new InternalError(`z3 does not understand a script: ${failure}`);
    }
    switch (text.trim()) {
      case 'unsat':
        return { kind: 'unsat' };
      case 'sat': {
        if (query.wantsModel !== true) return { kind: 'sat' };
        const model = await z3.ask('(get-model)');
        if (model.kind === 'ended') return ended(model.why, z3.lastWords);
        return isModel(model.text)
          ? { kind: 'sat', model: model.text }
          : endUnusable(z3, model.text);
      }
      case 'unknown': {
        const answer = await z3.ask('(get-info :reason-unknown)');
        if (answer.kind === 'ended') return ended(answer.why);
        const detail = answer.text.trim();
        if (ranOut(query, effort) || isCutShort(query, detail))
          return { kind: 'unknown', reason: 'effort', detail };
        const reason = detail.includes('memory') ? 'memory' : 'incomplete';
        return { kind: 'unknown', reason, detail };
      }
      default:
        return endUnusable(z3, text);
    }
  }

  /**
   * Returns the commands to send before the script of a query: if the process still has the state
   * after the shared prelude, commands that return to this state; otherwise all commands from the
   * beginning.
   */
  #opening(z3: Z3Process, query: SmtQuery): string {
    const { effort = 0 } = query;
    const limit = z3.effort === effort ? '' : `(set-option :rlimit ${effort})\n`;
    z3.effort = effort;
    return `${limit}${this.#context(z3, query)}`;
  }

  #context(z3: Z3Process, { prelude, logic }: SmtQuery): string {
    const logicCommand = logic === undefined ? '' : `(set-logic ${logic})\n`;
    const wanted = prelude === undefined ? undefined : `${logicCommand}${prelude}`;
    if (wanted !== undefined && z3.prelude === wanted) return '(pop)\n(push)';
    const reset = z3.isFresh ? '' : '(reset)\n';
    z3.isFresh = false;
    z3.prelude = wanted;
    return wanted === undefined ? `${reset}${logicCommand}` : `${reset}${wanted}\n(push)`;
  }
}

/** The command that makes Z3 print the work done so far. */
const count = '(get-info :rlimit)';

/**
 * Returns a reply of Z3 without the work counts, and the work done for the query; `undefined` if
 * the reply lacks the counts.
 */
function withoutCounts(reply: string): {
  readonly text: string;
  readonly effort: number | undefined;
} {
  const counts = [...reply.matchAll(/^\(:rlimit (\d+)\)$/gm)].map(([, done]) => Number(done));
  const [before, after] = counts;
  const effort = before === undefined || after === undefined ? undefined : after - before;
  return { text: reply.replace(/^\(:rlimit \d+\)$\n?/gm, ''), effort };
}

function noSolver(words: string): string {
  return `z3 does not answer like a solver: ${printableLine(words.trim().slice(0, 200))}`;
}

/** Whether Z3's reply says that the effort limit of the query was reached. */
function isCutShort({ effort }: SmtQuery, words: string): boolean {
  return effort !== undefined && /canceled|resource limit/.test(words);
}

/** Ends a Z3 process whose output is unusable, and returns the answer `unknown`. */
function endUnusable(
  z3: Z3Process,
  text: string,
  reason: 'memory' | 'incomplete' | 'effort' = 'incomplete',
): SmtAnswer {
  z3.kill('unusable');
  return { kind: 'unknown', reason, detail: noSolver(text) };
}

function isModel(text: string): boolean {
  try {
    parseSmtModel(text);
    return true;
  } catch {
    return false;
  }
}

function ended(why: Ending, lastWords = ''): SmtAnswer {
  switch (why) {
    case 'time':
      return { kind: 'unknown', reason: 'time', detail: 'the time limit was reached' };
    case 'cancelled':
      return { kind: 'unknown', reason: 'cancelled', detail: 'cancelled' };
    case 'unusable':
      return { kind: 'unknown', reason: 'incomplete', detail: noSolver(lastWords) };
    case 'died':
      return {
        kind: 'unknown',
        reason: lastWords.includes('memory') ? 'memory' : 'incomplete',
        detail: `z3 ended early: ${lastWords}`,
      };
  }
}

/**
 * Makes native Z3 from `command` on the PATH. The answer to a query that needs more than
 * `megabytes` is `unknown`.
 */
export function createNativeZ3({ command = 'z3', megabytes = 4096 } = {}): SmtSolver {
  return new NativeZ3(command, megabytes);
}

/** Whether `command` exists and is Z3. */
export function hasNativeZ3(command = 'z3'): boolean {
  const { status, stdout } = spawnSync(command, ['--version'], {
    encoding: 'utf8',
    timeout: 5000,
    env: helperEnvironment(),
  });
  return status === 0 && stdout.startsWith('Z3 version');
}
