// The benchmark. Without arguments it measures the scaled families; see docs/performance.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { commandsTable, measureCommands } from './commands.js';
import { filesTable, measureFiles } from './files.js';
import { growingFamilies } from './generators/growing.js';
import { families } from './generators/index.js';
import {
  certificateTable,
  growthCharts,
  growthTable,
  spinGrowthTable,
  stagesTable,
} from './growth-page.js';
import { measureGrowth } from './growth.js';
import { createMeasurer, type Measurer } from './measurer.js';
import { measureFamilies, membersOf, searchTable, spinTable } from './scaled-families.js';
import type { Settings } from './settings.js';
import { aligned, markdown, type Table } from './tables.js';

const usage = `Usage: npx tsx --conditions=source bench/run.ts [options] [FILE...]

  --family NAME           only this family, may be repeated: ${families.map(({ name }) => name).join(', ')}
  --write DIR             only writes the programs of the families into the folder
  --growth DIR            families with 2 to 12 threads; pictures go into the folder (build first)
  --files DIR             the files of a folder instead of the families
  --command WORDS         whole processes of 'fencewright WORDS FILE' for each FILE, beside an empty Node program;
                          may be repeated (build first)
  --table TSV             verdicts and a peer's figures for --files and --command
  --runs N                runs of each measurement, the median counts (default 3)
  --max-states N          give up after so many states (default 20000000)
  --timeout S             CPU seconds for a run of the search (default 60)
  --reference-timeout S   CPU seconds for a run of the reference engine (default 10), 0 leaves it out
  --spin-timeout S        CPU seconds for a run of SPIN (default 60), 0 leaves it out
  --json, --markdown      print so instead of as aligned tables
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    family: { type: 'string', multiple: true, default: [] },
    write: { type: 'string' },
    growth: { type: 'string' },
    files: { type: 'string' },
    table: { type: 'string' },
    command: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string', default: '3' },
    'max-states': { type: 'string', default: '20000000' },
    timeout: { type: 'string', default: '60' },
    'reference-timeout': { type: 'string', default: '10' },
    'spin-timeout': { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const settings: Settings = {
  families: values.family,
  maxStates: Number(values['max-states']),
  timeout: Number(values.timeout),
  referenceTimeout: Number(values['reference-timeout']),
  spinTimeout: Number(values['spin-timeout']),
  runs: Number(values.runs),
};

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

function print(figures: unknown, tables: readonly Table[]): void {
  const show = values.markdown ? markdown : aligned;
  const text = values.json
    ? `${JSON.stringify(figures, null, 2)}\n`
    : tables
        .filter(({ rows }) => rows.length > 0)
        .map(show)
        .join('\n');
  process.stdout.write(text);
}

function grow(measurer: Measurer, pictures: string): void {
  const figures = measureGrowth(measurer, settings, note);
  mkdirSync(pictures, { recursive: true });
  for (const [name, svg] of growthCharts(figures)) writeFileSync(path.join(pictures, name), svg);
  const tables = [growthTable, stagesTable, certificateTable, spinGrowthTable];
  print(
    figures,
    tables.map((table) => table(figures)),
  );
}

function measure(measurer: Measurer): void {
  if (values.growth !== undefined) {
    grow(measurer, values.growth);
    return;
  }
  if (values.files !== undefined) {
    const figures = measureFiles(measurer, values.files, values.table, settings, note);
    print(figures, [filesTable(figures)]);
    return;
  }
  const figures = measureFamilies(measurer, settings, note);
  print(figures, [searchTable(figures), spinTable(figures)]);
}

const all = values.growth === undefined ? families : growingFamilies;
const unknown = settings.families.filter((name) => !all.some((family) => family.name === name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) note(`No family is named ${unknown.join(', ')}.`);
  process.stdout.write(usage);
  process.exitCode = values.help ? 0 : 64;
} else if (values.write !== undefined) {
  mkdirSync(values.write, { recursive: true });
  for (const { name, source } of membersOf(settings))
    writeFileSync(path.join(values.write, `${name}.fw`), source);
} else if (values.command.length > 0) {
  const figures = measureCommands(values.command, positionals, values.table, settings, note);
  print(figures, [commandsTable(values.command, figures)]);
} else {
  const measurer = await createMeasurer(settings.runs);
  try {
    measure(measurer);
  } finally {
    measurer.close();
  }
}
