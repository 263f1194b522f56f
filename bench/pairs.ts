// Compares two builds by CPU time of whole processes, run in turns for equal load.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { aligned, markdown, milliseconds, ratio, type Table } from './tables.js';
import { isOutOfTime, median, timedProcess } from './timed-process.js';

const usage = `Usage: npx tsx bench/pairs.ts --before DIR --after DIR [options] FILE...

  --before DIR, --after DIR   trees of this repository, each built
  --command WORDS             what is asked (default: check --all-attacks)
  --pairs N                   pairs of runs, in alternating order; medians count (default 5)
  --empty FILE                a program with nothing to search, whose time is start-up
  --timeout S                 CPU seconds for each run (default 60)
  --markdown                  print so instead of as an aligned table
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    after: { type: 'string' },
    command: { type: 'string', default: 'check --all-attacks' },
    pairs: { type: 'string', default: '5' },
    empty: { type: 'string' },
    timeout: { type: 'string', default: '60' },
    markdown: { type: 'boolean', default: false },
  },
});

/**
 * The median times of two builds for one program, in milliseconds, and whether both printed equal
 * answers apart from figures.
 */
interface Pair {
  readonly before: number;
  readonly after: number;
  /**
   * The median, over pairs of neighbouring runs, of the time of the build `after` divided by the
   * time of the build `before`.
   */
  readonly quotient: number;
  readonly isSame: boolean;
}

const seconds = Number(values.timeout);

/**
 * Returns the answer in an output: figures that may differ between builds are left out, verdicts
 * stay.
 */
function answer(stdout: string, exitCode: number | undefined): string {
  const verdicts = stdout.match(/\b(robust|not robust|unknown|\d+ feasible|cost \d+)\b/g) ?? [];
  return [exitCode, ...verdicts].join(' ');
}

function run(tree: string, file: string): { readonly cpu: number; readonly answer: string } {
  const cli = path.join(tree, 'packages/cli/bin/fencewright.js');
  const done = timedProcess('node', [cli, ...values.command.split(' '), file], { seconds });
  if (isOutOfTime(done)) return { cpu: done.cpu, answer: 'out of time' };
  return { cpu: done.cpu, answer: answer(done.stdout, done.exitCode) };
}

function measure(before: string, after: string, file: string): Pair {
  const runs = Array.from({ length: Number(values.pairs) }, (_, i) => {
    const isBeforeFirst = i % 2 === 0;
    const first = run(isBeforeFirst ? before : after, file);
    const second = run(isBeforeFirst ? after : before, file);
    return isBeforeFirst ? { old: first, now: second } : { old: second, now: first };
  });
  const middle = (figure: (one: (typeof runs)[number]) => number): number =>
    figure(median(runs, figure));
  return {
    before: middle(({ old }) => old.cpu),
    after: middle(({ now }) => now.cpu),
    quotient: middle(({ old, now }) => now.cpu / old.cpu),
    isSame: runs.every(({ old, now }) => old.answer === now.answer),
  };
}

function table(before: string, after: string, files: readonly string[]): Table {
  const empty = values.empty === undefined ? undefined : measure(before, after, values.empty);
  const pairs = files.map((file) => {
    const pair = measure(before, after, file);
    process.stderr.write(`${path.basename(file)} ${pair.before} ${pair.after}\n`);
    return { file, pair };
  });
  const net = (figure: number, start: number | undefined): number | undefined =>
    start === undefined ? undefined : Math.max(0, figure - start);
  const sum = (figure: (pair: Pair) => number): number =>
    pairs.reduce((total, { pair }) => total + figure(pair), 0);
  const row = (name: string, pair: Pair, starts: number): string[] => {
    const old = net(pair.before, empty && starts * empty.before);
    const now = net(pair.after, empty && starts * empty.after);
    return [
      name,
      milliseconds(pair.before),
      milliseconds(pair.after),
      pair.quotient.toFixed(2),
      milliseconds(old),
      milliseconds(now),
      ratio(old, now),
      pair.isSame ? 'yes' : 'NO',
    ];
  };
  const all: Pair = {
    before: sum(({ before }) => before),
    after: sum(({ after }) => after),
    quotient: sum(({ after }) => after) / sum(({ before }) => before),
    isSame: pairs.every(({ pair }) => pair.isSame),
  };
  return {
    columns: [
      'program',
      'before ms',
      'after ms',
      'after/before',
      'over start-up before',
      'over start-up after',
      'times less',
      'same answer',
    ],
    rows: [
      ...pairs.map(({ file, pair }) => row(path.basename(file), pair, 1)),
      row('all', all, pairs.length),
    ],
  };
}

const { before, after } = values;
if (before === undefined || after === undefined || positionals.length === 0) {
  process.stdout.write(usage);
  process.exitCode = 64;
} else {
  const shown = table(before, after, positionals);
  process.stdout.write(values.markdown ? markdown(shown) : aligned(shown));
}
