// Visits all states of programs, on the packed product and by the machine itself: measures the time
// of each in this process, and compares the results. See docs/performance.md.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { frontEnds } from '@fencewright/languages/read/front-ends.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { finalStateKey, reachByMachine, reachUnder } from '../packages/core/src/api/reach-under.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { findRaceByMachine } from '@fencewright/engines/triangular-races/find-race-by-machine.js';
import { findTriangularRace } from '@fencewright/engines/triangular-races/find-triangular-race.js';
import { aligned, count, markdown, milliseconds, ratio, type Table } from './tables.js';

const usage = `Usage: npx tsx --conditions=source bench/reach.ts [options] [FILE or DIR ...]

Without files: the programs of Table 2 of [BDM13], and the examples.

  --max-states N   give up after so many states (default 300000)
  --each           a line for each file, too
  --markdown       print so instead of as aligned tables
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'max-states': { type: 'string', default: '300000' },
    each: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const root = fileURLToPath(new URL('..', import.meta.url));
const maxStates = Number(values['max-states']);

const questions = ['SC', 'TSO', 'races'] as const;
type Question = (typeof questions)[number];

/** An answer about one program, with its states and CPU time. */
interface Answer {
  readonly states: number;
  readonly isComplete: boolean;
  /** A text that is equal for equal answers. */
  readonly answer: string;
  /** The CPU time of the answer in milliseconds. */
  readonly milliseconds: number;
}

interface Figures {
  readonly file: string;
  readonly question: Question;
  readonly machine: Answer;
  readonly packed: Answer;
}

async function timed<T>(ask: () => Promise<T>): Promise<{ of: T; milliseconds: number }> {
  const before = process.cpuUsage();
  const of = await ask();
  const { user, system } = process.cpuUsage(before);
  return { of, milliseconds: (user + system) / 1000 };
}

/** Asks one question about a program. The time excludes the text by which answers are compared. */
async function ask(program: Program, question: Question, isPacked: boolean): Promise<Answer> {
  const budget = new Budget({ maxStates });
  if (question === 'races') {
    const find = isPacked ? findTriangularRace : findRaceByMachine;
    const { of, milliseconds } = await timed(() => find(program, budget));
    const { race, states, incomplete, faults } = of;
    const answer = race ? 'race' : `none, ${faults.length}`;
    return { states, isComplete: incomplete === undefined, answer, milliseconds };
  }
  const visit = isPacked ? reachUnder : reachByMachine;
  const { of, milliseconds } = await timed(async () => visit(question, program, budget));
  const { reach } = of;
  const answer = JSON.stringify([
    reach.finalStates.map(finalStateKey).sort(),
    reach.properties.map(({ property, verdict }) => `${property} ${verdict}`),
    reach.failedAssertions.map(({ thread, transition }) => `${thread}.${transition}`).sort(),
  ]);
  const isComplete = reach.incomplete === undefined;
  return { states: reach.states, isComplete, answer, milliseconds };
}

function filesIn(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place).flatMap((name) => filesIn(path.join(place, name)));
}

async function programIn(file: string): Promise<Program | undefined> {
  const frontEnd = frontEnds.find(({ extensions }) => extensions.includes(path.extname(file)));
  if (!frontEnd) return undefined;
  return finiteProgram((await parseText(frontEnd.id, readFileSync(file, 'utf8'))).model);
}

/** Returns a line with the sums of all figures of a question. */
function total(name: string, question: Question, figures: readonly Figures[]): string[] {
  const complete = figures.filter(
    (each) => each.question === question && each.machine.isComplete && each.packed.isComplete,
  );
  const sum = (of: (each: Figures) => number): number =>
    complete.reduce((all, each) => all + of(each), 0);
  const machine = sum((each) => each.machine.milliseconds);
  const packed = sum((each) => each.packed.milliseconds);
  return [
    name,
    question,
    count(complete.length),
    count(sum((each) => each.machine.states)),
    count(sum((each) => each.packed.states)),
    milliseconds(machine),
    milliseconds(packed),
    ratio(machine, packed),
    count(complete.filter((each) => each.machine.answer !== each.packed.answer).length),
  ];
}

const columns = [
  'programs',
  'question',
  'complete',
  'machine, states',
  'packed, states',
  'machine, ms',
  'packed, ms',
  'ratio',
  'differ',
];

async function measure(place: string): Promise<readonly Figures[]> {
  const figures: Figures[] = [];
  for (const file of filesIn(place).sort()) {
    const program = await programIn(file);
    if (!program) continue;
    process.stderr.write(`${path.basename(file)}\n`);
    for (const question of questions) {
      const packed = await ask(program, question, true);
      const machine = await ask(program, question, false);
      figures.push({ file, question, machine, packed });
    }
  }
  return figures;
}

if (values.help) {
  process.stdout.write(usage);
} else {
  const places =
    positionals.length > 0
      ? positionals
      : ['corpus/table2', 'examples'].map((name) => path.join(root, name));
  const rows: string[][] = [];
  for (const place of places) {
    const figures = await measure(place);
    if (values.each)
      for (const each of figures) rows.push(total(path.basename(each.file), each.question, [each]));
    for (const question of questions) rows.push(total(path.basename(place), question, figures));
  }
  const table: Table = { columns, rows };
  process.stdout.write((values.markdown ? markdown : aligned)(table));
}
