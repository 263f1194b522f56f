import { finiteProgram } from '@fencewright/model/program/model.js';
import { describe, expect, test } from 'vitest';
import { lintProgram } from '@fencewright/model/analysis/lint-program.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { folders, loadCorpus, parseCorpusFile, readRepositoryFile } from './load-corpus.js';

const papers = readRepositoryFile('docs/papers.md');

/** Returns the first comment of a corpus file, without slashes. */
function headComment(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.slice(2).trim())
    .join(' ');
}

describe.each(folders)('%s', (folder) => {
  const files = loadCorpus(folder);

  test.each(files)('$path parses without errors and warnings', ({ text }) => {
    const { model, diagnostics } = parseNative(text);
    const program = finiteProgram(model);
    expect(diagnostics).toEqual([]);
    expect(program && lintProgram(program)).toEqual([]);
  });

  test.each(files)('$path tells its story, its source and its verdict', ({ text, expected }) => {
    const comment = headComment(text);
    expect(comment).toMatch(/^.{20,} Source: .{5,} Expected: /);
    const promised = /Expected: (not robust|robust)/.exec(comment)?.[1];
    expect(promised).toBe(expected.verdict === 'robust' ? 'robust' : 'not robust');
    if (expected.verdict === 'robust') expect(expected.fences ?? 0).toBe(0);
  });

  test.each(files)('$path cites what docs/papers.md lists', ({ text, expected }) => {
    const cited = (text + expected.source).match(/\[[A-Z][A-Za-z+]*\d\dx?\]/g) ?? [];
    expect(cited.filter((key) => !papers.includes(`**${key}**`))).toEqual([]);
  });
});

describe('Table 2', () => {
  const files = loadCorpus('corpus/table2');

  test('has its sixteen programs', () => {
    expect(files).toHaveLength(16);
  });

  test.each(files)('$path has as many threads as in the paper', (file) => {
    const { paper, fences } = file.expected;
    expect(parseCorpusFile(file).threads).toHaveLength(paper!.T);
    expect(paper!.RQ).toBe(paper!.NR1 + paper!.NR2 + paper!.R);
    expect(fences).toBe(paper!.F);
  });

  test.each(files)('$path has the size that the README gives', (file) => {
    const { threads } = parseCorpusFile(file);
    const { paper } = file.expected;
    const labels = threads.reduce((sum, { locations }) => sum + locations.length, 0);
    const instructions = threads.reduce((sum, { transitions }) => sum + transitions.length, 0);
    const row = [file.path.replace(/^.*\/|\.fw$/g, ''), threads.length, labels, instructions];
    const cells = [...row, paper!.T, paper!.L, paper!.I];
    expect(readRepositoryFile('corpus/table2/README.md')).toContain(`| ${cells.join(' | ')} |`);
  });
});
