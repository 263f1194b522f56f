import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An instruction of a Containerfile: its keyword, and its arguments in one line. */
interface Step {
  readonly word: string;
  readonly rest: string;
}

/** The state of a build stage after the instructions so far. */
export interface Stage {
  /** The folder that is used as the root of the stage. */
  readonly root: string;
  readonly workdir: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
}

/** The machine's folders and commands that a build uses. */
export interface Builder {
  /** The folder that images are built from. */
  readonly context: string;
  /** The patterns of `.dockerignore`. */
  readonly ignored: readonly string[];
  /** Returns an empty folder for the root of a stage. */
  readonly emptyRoot: () => Promise<string>;
  /** A folder whose commands take precedence over those of the machine. */
  readonly commands: string;
}

function stepsOf(text: string): readonly Step[] {
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n/g, ' ');
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, word = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
      return { word, rest: rest.replaceAll(/ +/g, ' ').trim() };
    });
}

/** Returns a regular expression that matches the paths excluded by a pattern of `.dockerignore`. */
function patternOf(glob: string): RegExp {
  const parts = glob
    .replaceAll('.', String.raw`\.`)
    .split('**/')
    .map((part) => part.replaceAll('*', '[^/]*'));
  return new RegExp(`^${parts.join('(?:.*/)?')}$`);
}

async function copy(stage: Stage, rest: string, known: Known, builder: Builder): Promise<void> {
  const [, other, source = '', target = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? [];
  const to = path.join(stage.root, path.resolve(stage.workdir, target));
  const ignored = other === undefined ? builder.ignored.map(patternOf) : [];
  const from = path.join(other === undefined ? builder.context : known.get(other)!.root, source);
  const filter = (file: string): boolean =>
    !ignored.some((pattern) => pattern.test(path.relative(from, file)));
  // Copies entry by entry, since the root of the stage may be an ignored folder.
  for (const name of await readdir(from)) {
    const file = path.join(from, name);
    if (!filter(file)) continue;
    await cp(file, path.join(to, name), { recursive: true, verbatimSymlinks: true, filter });
  }
}

/**
 * Runs a command in a stage; absolute paths in the command are taken below the root of the stage.
 */
async function runStep({ root, workdir }: Stage, command: string, commands: string): Promise<void> {
  const moved = command.replaceAll(/(?<=^|[\s=])\/(?=\w)/g, `${root}/`);
  const search = [commands, path.join(root, 'usr/local/bin'), process.env.PATH ?? ''];
  const env = { PATH: search.join(':'), HOME: root, ROOT: root };
  await run('sh', ['-c', moved], { cwd: path.join(root, workdir), env });
}

const words = (json: string): readonly string[] => JSON.parse(json) as readonly string[];

type Known = ReadonlyMap<string, Stage>;

async function after(stage: Stage, { word, rest }: Step, known: Known, builder: Builder) {
  switch (word) {
    case 'WORKDIR':
      await mkdir(path.join(stage.root, rest), { recursive: true });
      return { ...stage, workdir: rest };
    case 'COPY':
      await copy(stage, rest, known, builder);
      return stage;
    case 'RUN':
      await runStep(stage, rest, builder.commands);
      return stage;
    case 'USER':
      return { ...stage, user: rest };
    case 'ENTRYPOINT':
      return { ...stage, entrypoint: words(rest) };
    case 'CMD':
      return { ...stage, cmd: words(rest) };
    default:
      throw new Error(`what does ${word} do?`);
  }
}

/**
 * Begins a stage as a copy of an earlier stage; for any other image, as an empty root that uses the
 * programs of the machine.
 */
async function begin(image: string, known: Known, { emptyRoot }: Builder): Promise<Stage> {
  const root = await emptyRoot();
  const base = known.get(image);
  if (!base) return { root, workdir: '/', user: 'root', entrypoint: [], cmd: [] };
  await cp(base.root, root, { recursive: true, verbatimSymlinks: true });
  return { ...base, root };
}

/**
 * Executes the instructions of a Containerfile on this machine, each stage in a folder that stands
 * for its root. Returns the stages by name, in order. Rejects if an instruction fails.
 */
export async function takeSteps(file: string, builder: Builder): Promise<Known> {
  const known = new Map<string, Stage>();
  let current = '';
  for (const step of stepsOf(await readFile(file, 'utf8'))) {
    const [, image, name] = /^(\S+) AS (\S+)$/.exec(step.word === 'FROM' ? step.rest : '') ?? [];
    if (name !== undefined) current = name;
    const stage =
      name === undefined
        ? await after(known.get(current)!, step, known, builder)
        : await begin(image!, known, builder);
    known.set(current, stage);
  }
  return known;
}
