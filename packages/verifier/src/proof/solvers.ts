import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Obligation } from './question.js';
import { unknownFunctions } from './terms.js';

export type Answer = 'sat' | 'unsat' | 'unknown';

/**
 * The answers of a solver, in the order of the obligations; `problem` is the reason why answers are
 * missing.
 */
export interface Answers {
  readonly solver: string;
  readonly answers: readonly Answer[];
  readonly problem?: string;
  /** Present if the command of the solver does not exist. */
  readonly isMissing?: true;
}

interface SolverLimits {
  /** The time limit of all questions to the solver together, in milliseconds. */
  readonly milliseconds: number;
  readonly maxMemory?: number;
  readonly signal?: AbortSignal;
}

/** The time limit for one question to a solver, in milliseconds. */
const patience = 20_000;

/** For each known solver, the arguments of the command, by name of the command. */
const commands: Readonly<Record<string, (maxMemory: number | undefined) => readonly string[]>> = {
  z3: (maxMemory) => [
    '-in',
    '-smt2',
    `-t:${patience}`,
    `-memory:${Math.ceil((maxMemory ?? 2 ** 31) / 2 ** 20)}`,
  ],
  cvc5: () => ['--lang=smt2', '--incremental', `--tlimit-per=${patience}`, '-'],
};

export const knownSolvers = Object.keys(commands);

/**
 * Returns a complaint about the first command that is not a known solver; `undefined` if all are.
 */
export function complaintAboutSolvers(names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !knownSolvers.includes(path.basename(name)));
  return unknown === undefined
    ? undefined
    : `'${unknown}' is not one of ${knownSolvers.join(', ')}`;
}

/**
 * Returns the environment of solvers, with only absolute folders in the search path: files in the
 * working folder may belong to anybody.
 */
function environmentOfSolvers(): NodeJS.ProcessEnv {
  const { PATH, ...rest } = process.env;
  if (PATH === undefined) return rest;
  const folders = PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return { ...rest, PATH: folders.join(path.delimiter) || '/nowhere' };
}

/**
 * Puts all questions to one solver, started as a process: one script with all questions, each
 * question in a separate scope.
 */
export function askSolver(
  command: string,
  obligations: readonly Obligation[],
  { milliseconds, maxMemory, signal }: SolverLimits,
): Promise<Answers> {
  const args = commands[path.basename(command)]?.(maxMemory);
  if (!args)
    return Promise.resolve({
      ...{ solver: command, answers: [] },
      problem: complaintAboutSolvers([command]) ?? '',
    });
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: environmentOfSolvers(),
    });
    const answers: Answer[] = [];
    let line = '';
    let problem: string | undefined;
    const stop = (why: string): void => {
      problem ??= why;
      child.kill('SIGKILL');
    };
    const onAbort = (): void => stop('the solver was interrupted');
    const onExit = (): void => void child.kill('SIGKILL');
    const late = (): void => stop('the time ran out: raise --timeout');
    const stuck = (): void => stop(`no answer to a question in ${(2 * patience) / 1000} s`);
    // Timers take at most 31 bits; a longer timer would fire at once.
    const all = milliseconds < 2 ** 31 ? setTimeout(late, milliseconds) : undefined;
    // Solvers keep to their own limit only roughly.
    let next = setTimeout(stuck, 2 * patience);
    const finish = (isMissing: boolean): void => {
      clearTimeout(all);
      clearTimeout(next);
      signal?.removeEventListener('abort', onAbort);
      process.off('exit', onExit);
      if (answers.length < obligations.length)
        problem ??= 'the solver ended before the last answer';
      resolve({
        solver: command,
        answers,
        ...(problem !== undefined && { problem }),
        ...(isMissing && { isMissing }),
      });
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (line + text).split('\n');
      line = lines.pop() ?? '';
      for (const each of lines) {
        if (problem !== undefined) return;
        const answer = answerOf(each);
        if (!answer || answers.length === obligations.length) {
          stop(`the solver printed ${JSON.stringify(each.slice(0, 200))}`);
          return;
        }
        answers.push(answer);
      }
      clearTimeout(next);
      next = setTimeout(stuck, 2 * patience);
    });
    child.stdin.on('error', () => undefined);
    child.on('error', (error: NodeJS.ErrnoException) => finish(error.code === 'ENOENT'));
    child.on('close', () => finish(false));
    process.once('exit', onExit);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    child.stdin.end(scriptOf(obligations));
  });
}

function answerOf(line: string): Answer | undefined {
  const text = line.trim();
  // cvc5 prints `timeout` after giving up for lack of time.
  if (text === 'timeout') return 'unknown';
  return text === 'sat' || text === 'unsat' || text === 'unknown' ? text : undefined;
}

function scriptOf(obligations: readonly Obligation[]): string {
  const questions = obligations.map(({ script }) => `(push 1)\n${script}\n(check-sat)\n(pop 1)\n`);
  return `(set-logic ALL)\n${unknownFunctions}\n${questions.join('')}`;
}
