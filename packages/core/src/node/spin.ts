import { isRunning } from './is-running.js';
import { lstatSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  ModelCheckerOptions,
  ModelChecker,
  ModelCheckerFailure,
  Verification,
  Verifier,
  VerifierOptions,
} from '@fencewright/ground/solvers/model-checker.js';
import { groupOfMark, killGroup, runGroup, type GroupEnd } from './run-group.js';

export interface SpinOptions {
  /** The maximum memory of a verifier program made by SPIN, in MiB; 2048 by default. */
  readonly megabytes?: number;
  /** The command of the C compiler; `CC` of the environment, or `cc`, if absent. */
  readonly compiler?: string;
  /**
   * The C compiler's optimisation level for verifier programs; 0 by default, which compiles large
   * programs ten times as fast as 1.
   */
  readonly optimisation?: 0 | 1 | 2;
}

const folderPrefix = `fencewright-spin-${process.pid}-`;
/** Matches the names of working folders for SPIN, made by `mkdtemp` in any process. */
const folderName = /^fencewright-spin-(\d+)-[A-Za-z0-9]{6}$/;

/**
 * Returns the working folders of processes for which `isTheirs` holds; only private folders that
 * this user made.
 */
function foldersOf(isTheirs: (process: number) => boolean): readonly string[] {
  return namesIn(tmpdir()).flatMap((name) => {
    const owner = folderName.exec(name)?.[1];
    if (owner === undefined || !isTheirs(Number(owner))) return [];
    const folder = path.join(tmpdir(), name);
    const status = lstatSync(folder, { throwIfNoEntry: false });
    if (!status?.isDirectory() || (status.mode & 0o077) !== 0) return [];
    return process.getuid === undefined || status.uid === process.getuid() ? [folder] : [];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Kills the programs that SPIN runs for this process, and removes their folders; for the end of a
 * process that cannot wait.
 */
export function removeSpinLeftovers(): void {
  for (const folder of foldersOf((owner) => owner === process.pid)) {
    for (const file of namesIn(folder)) {
      const group = groupOfMark(file);
      if (group !== undefined) killGroup(group);
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Removes the working folders left by killed processes, and kills the programs still running in
 * them.
 */
function removeStaleFolders(): void {
  for (const folder of foldersOf((owner) => !isRunning(owner))) {
    for (const file of namesIn(folder)) {
      const group = groupOfMark(file);
      // By now a foreign process may have the number.
      if (group !== undefined && runsIn(group, folder)) killGroup(group);
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function runsIn(id: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${id}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}

/**
 * Returns the system's message for a file that cannot be written or a program that cannot start;
 * rethrows internal errors.
 */
function systemWords(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string') throw error;
  return message;
}

/** Returns the failure of a command that SPIN needs; `undefined` if the command succeeded. */
function problemOf(program: string, end: GroupEnd): ModelCheckerFailure | 'stopped' | undefined {
  switch (end.kind) {
    case 'stopped':
      return 'stopped';
    case 'missing':
      return { kind: 'missing', program };
    case 'exceeded':
      return { kind: 'failed', program, output: `too much ${end.what}` };
    case 'exited':
      return end.code === 0
        ? undefined
        : { kind: 'failed', program, output: `${end.stdout}${end.stderr}`.trim().slice(0, 500) };
  }
}

function statesIn(output: string): number {
  const stored = /^\s*([0-9.e+]+) states, stored/m.exec(output)?.[1];
  return stored === undefined ? 0 : Number(stored);
}

const notesPrefix = 'note ';

/** A verifier program `pan` that SPIN generated, in compiled form. */
class Pan implements Verifier {
  readonly kind = 'verifier';
  readonly #folder: string;
  #runs = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async run({
    environment,
    signal,
    onProgress,
  }: VerifierOptions): Promise<Verification | ModelCheckerFailure | 'stopped'> {
    const folder = this.#folder;
    const trail = `trail-${this.#runs++}`;
    const onOutput = (text: string): void => {
      const states = /States=\s*([0-9.e+]+)/.exec(text)?.[1];
      if (states !== undefined) onProgress?.(Number(states));
    };
    // -E: threads that wait for ever are no errors. -w18: the table of states starts small and
    // grows.
    const args = ['-E', '-n', '-w18', `-t${trail}`];
    const search = await runGroup('./pan', args, { folder, signal, environment, onOutput });
    if (search.kind === 'stopped') return 'stopped';
    // A verifier with findings ends with a nonzero exit status.
    if (search.kind !== 'exited' || search.stdout === '')
      return problemOf('the verifier', search) ?? { kind: 'failed', program: 'pan', output: '' };
    const { stdout } = search;
    const notes = stdout
      .split('\n')
      .flatMap((line) => (line.startsWith(notesPrefix) ? [line.slice(notesPrefix.length)] : []));
    const result = { kind: 'verification', notes, states: statesIn(stdout) } as const;
    if (stdout.includes('assertion violated')) {
      const replay = await runGroup('./pan', ['-S', '-n', '-r', `model.pml.${trail}`], {
        folder,
        signal,
        environment,
      });
      if (replay.kind === 'stopped') return 'stopped';
      if (replay.kind !== 'exited')
        return problemOf('./pan', replay) ?? { kind: 'missing', program: './pan' };
      return { ...result, trail: replay.stdout.split('\n') };
    }
    const isWhole =
      /errors: 0\b/.test(stdout) && !/Search not completed|too small|out of memory/.test(stdout);
    return isWhole ? result : { ...result, incomplete: 'memory' };
  }
}

class Spin implements ModelChecker {
  readonly name = 'spin';
  readonly #megabytes: number;
  readonly #compiler: string;
  readonly #optimisation: number;

  constructor({
    megabytes = 2048,
    compiler = process.env.CC ?? 'cc',
    optimisation = 0,
  }: SpinOptions) {
    this.#optimisation = optimisation;
    this.#megabytes = megabytes;
    this.#compiler = compiler;
  }

  async withVerifier<T>(
    model: string,
    options: ModelCheckerOptions,
    use: (verifier: Verifier | ModelCheckerFailure | 'stopped') => Promise<T>,
  ): Promise<T> {
    removeStaleFolders();
    let folder: string;
    try {
      // The folder is private, and its name cannot be guessed.
      folder = await mkdtemp(path.join(tmpdir(), folderPrefix));
    } catch (error) {
      return use({ kind: 'failed', program: 'mkdtemp', output: systemWords(error) });
    }
    try {
      return await use(await this.#compile(folder, model, options));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #compile(
    folder: string,
    model: string,
    { stateBytes, signal }: ModelCheckerOptions,
  ): Promise<Verifier | ModelCheckerFailure | 'stopped'> {
    try {
      await writeFile(path.join(folder, 'model.pml'), model);
    } catch (error) {
      return { kind: 'failed', program: 'write', output: systemWords(error) };
    }
    const translated = await runGroup('spin', ['-a', 'model.pml'], { folder, signal });
    const refused = problemOf('spin', translated);
    if (refused) return refused;
    const flags = [
      `-O${this.#optimisation}`,
      '-w',
      // Overflow is checked beforehand; the compiler must not draw conclusions from overflow.
      '-fwrapv',
      // Assertions only, and breadth first: the shortest way to a violation, and no limit on the
      // depth.
      '-DSAFETY',
      '-DBFS',
      `-DMEMLIM=${this.#megabytes}`,
      `-DVECTORSZ=${Math.max(1024, stateBytes)}`,
      '-o',
      'pan',
      'pan.c',
    ];
    const compiled = await runGroup(this.#compiler, flags, { folder, signal });
    return problemOf(this.#compiler, compiled) ?? new Pan(folder);
  }
}

/**
 * Makes SPIN, found on the PATH together with a C compiler. The working folders lie in the folder
 * for temporary files.
 */
export function createSpin(options: SpinOptions = {}): ModelChecker {
  return new Spin(options);
}
