import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  askAtlas,
  atlasPage,
  type AtlasRow,
  readAnswers,
  readTable,
  root,
} from '../../../tools/atlas.js';
import { isCampaign } from '../../../tools/random-runs.js';
import { fencewright } from './fencewright.js';

const table = readTable();
const rows = table.flatMap((family) => family.rows);
const answers = readAnswers();
const textOf = (file: string): string => readFileSync(root + file, 'utf8');
const programs = [...new Set(rows.flatMap(({ program, fenced }) => [program ?? [], fenced ?? []]))]
  .flat()
  .sort();

/** The facts that the literature states about a program, from the file `.expected.json`. */
interface Expected {
  readonly verdict?: string;
  readonly fences?: number;
  readonly violated?: readonly string[];
  /** The answer, and the fences for robustness, of a program in `examples/states`. */
  readonly answer?: string;
  readonly forRobustness?: number;
}

/**
 * Returns the expected facts of a program: from the file beside the program, or from the folder's.
 */
function expectedOf(file: string): Expected | undefined {
  const beside = file.replace(/\.[a-z]+$/, '.expected.json');
  if (existsSync(root + beside)) return JSON.parse(textOf(beside)) as Expected;
  const ofFolder = `${path.dirname(file)}/expected.json`;
  if (!/^(?:examples\/states|corpus\/asymmetric)\//.test(file)) return undefined;
  const all = JSON.parse(textOf(ofFolder)) as Readonly<Record<string, Expected>>;
  return all[path.basename(file)] ?? all[path.basename(file, '.fw')];
}

describe('the atlas', () => {
  test('is the page of its table and its answers', () => {
    expect(textOf('docs/atlas/README.md'), 'run `npm run atlas`').toBe(atlasPage(table, answers));
  });

  test('names every algorithm once, and sources that are listed', () => {
    const names = rows.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const papers = textOf('docs/papers.md');
    const keys = rows.flatMap(({ source }) => source.match(/\[[^\]]+\]/g) ?? []);
    expect(keys.length).toBeGreaterThan(50);
    for (const key of new Set(keys)) expect(papers).toContain(`**${key}**`);
    const own = readdirSync(`${root}examples/atlas`).map((file) => `examples/atlas/${file}`);
    expect(programs).toEqual(expect.arrayContaining(own));
  });

  test('agrees with the literature about verdicts, fences and claims', () => {
    const told = programs.flatMap((file) => {
      const { verdict, violated, answer: said, forRobustness, ...rest } = expectedOf(file) ?? {};
      const fences = said === undefined ? rest.fences : forRobustness;
      const answer = answers[file] ?? {};
      const isPlain = rows.some(({ program }) => program === file);
      return [
        ...(verdict === undefined ? [] : [[file, verdict, answer.verdict]]),
        ...(said === undefined ? [] : [[file, said, answer.answer]]),
        ...(fences === undefined || !isPlain
          ? []
          : [[file, `${fences} fences`, `${answer.fences?.length} fences`]]),
        ...(violated?.length && answer.answer !== 'open' ? [[file, 'breaks', answer.answer]] : []),
      ];
    });
    expect(told.length).toBeGreaterThan(75);
    expect(told.filter(([, expected, found]) => expected !== found)).toEqual([]);
  });

  test('agrees with the reference engine about programs that nothing else judges', async () => {
    const own = programs.filter((file) => file.startsWith('examples/atlas/'));
    const args = ['check', '--engine', 'instrument', '--json', ...own];
    const { stdout } = await fencewright(args, { cwd: root });
    const { results } = JSON.parse(stdout) as {
      readonly results: readonly { readonly file: string; readonly verdict: string }[];
    };
    const verdicts = Object.fromEntries(results.map(({ file, verdict }) => [file, verdict]));
    expect(Object.keys(verdicts)).toEqual(own);
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['robust', 'not-robust']));
    for (const file of own) expect([file, answers[file]?.verdict]).toEqual([file, verdicts[file]]);
    // Each file of this repository states its verdict with an argument.
    for (const file of own) {
      const [, word = ''] = /Expected: (not robust|breaks|robust)/.exec(textOf(file)) ?? [];
      expect([file, word === 'robust' ? 'robust' : 'not-robust']).toEqual([file, verdicts[file]]);
    }
  });

  test('has the answers of the command line', async () => {
    // C needs a compiler, and some programs take seconds: campaigns ask about these.
    const isAsked = ({ program, fenced }: AtlasRow, i: number): boolean =>
      isCampaign || i % 4 === 0 || `${program} ${fenced}`.includes('examples/atlas/');
    const asked = rows
      .filter(isAsked)
      .map(({ c, ...row }) => ({ ...row, ...(isCampaign && { c }) }));
    const found = await askAtlas(asked, (args) => fencewright(args, { cwd: root }));
    expect(Object.keys(found).length).toBeGreaterThan(20);
    for (const [file, answer] of Object.entries(found))
      expect([file, answers[file]]).toEqual([file, answer]);
  });
});
