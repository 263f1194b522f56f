import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BatchResult } from '../src/batch/job-result.js';
import {
  type JournalLine,
  readLine,
  type ResultLine,
  writeLine,
} from '../src/batch/journal-lines.js';
import { type Belief, Journal } from '../src/batch/journal.js';
import { Sealer } from '../src/batch/seal.js';
import { folderWith } from './fencewright.js';

const result = (file: string): BatchResult => ({
  exitCode: 0,
  json: { file, verdict: 'robust', detail: 'größer als "{}"\n' },
});

const lines: readonly JournalLine[] = [
  { kind: 'journal', version: 1, tool: '1', verb: 'check', settings: { maxStates: 5 } },
  { kind: 'run' },
  { kind: 'file', key: 'a', file: 'a.fw' },
  { kind: 'start', key: 'a' },
  { kind: 'file', key: 'b', file: 'b.fw', copies: { t: 2 } },
  { kind: 'start', key: 'b' },
  { kind: 'end', key: 'a', result: result('a.fw'), seal: '' },
  { kind: 'listed', seal: '' },
  { kind: 'died', key: 'b', why: 'SIGKILL' },
  { kind: 'end', key: 'b', result: result('b.fw'), seal: '' },
];

const all = { kind: 'all' } as const;

async function fileWith(bytes: Uint8Array | string): Promise<string> {
  return path.join(await folderWith({ 'journal.jsonl': bytes }), 'journal.jsonl');
}

const text = lines.map(writeLine).join('');

describe('a journal', () => {
  test('says what was written into it', async () => {
    const file = await fileWith('');
    const written = new Journal(file, 'write', all);
    for (const line of lines) written.append(line);
    for (const journal of [written, new Journal(file, 'read', all)]) {
      expect(journal.header).toEqual(lines[0]);
      expect(journal.files).toEqual([
        { key: 'a', file: 'a.fw' },
        { key: 'b', file: 'b.fw', copies: { t: 2 } },
      ]);
      expect(journal.isListed).toBe(true);
      expect(['a', 'b', 'c'].map((key) => journal.resultOf(key))).toEqual([
        result('a.fw'),
        result('b.fw'),
        undefined,
      ]);
      expect(journal.suspects()).toEqual([]);
      journal.close();
    }
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('that is cut at any byte is what was whole of it, and can be gone on with', async () => {
    const bytes = Buffer.from(text);
    const file = await fileWith('');
    for (let length = 0; length <= bytes.length; length++) {
      const cut = bytes.subarray(0, length);
      await writeFile(file, cut);
      const journal = new Journal(file, 'write', all);
      const whole = cut.subarray(0, cut.lastIndexOf('\n') + 1).toString();
      journal.append({ kind: 'forget', key: 'none' });
      journal.close();
      const now = await readFile(file, 'utf8');
      expect(now).toBe(whole + writeLine({ kind: 'forget', key: 'none' }));
      expect(journal.countOf('a')).toBe(whole.includes('"kind":"end","key":"a"') ? 1 : 0);
      expect(journal.suspects().map(({ key }) => key)).toEqual(
        ['a', 'b'].filter(
          (key) =>
            whole.includes(`"kind":"start","key":"${key}"`) &&
            !whole.includes(`"kind":"end","key":"${key}"`),
        ),
      );
    }
  });

  test('with any byte of it changed is refused, and the line is named', async () => {
    const bytes = Buffer.from(text);
    const file = await fileWith('');
    let refused = 0;
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      // A digit of a number, or a letter of a verdict, say.
      changed[at]! ^= 1;
      await writeFile(file, changed);
      const wholeLines = text.slice(0, changed.lastIndexOf('\n') + 1);
      if (wholeLines.length < text.length) continue;
      const number = bytes.subarray(0, at).toString('latin1').split('\n').length;
      expect(() => new Journal(file, 'write', all), `byte ${at}`).toThrow(
        `line ${number} is damaged`,
      );
      refused++;
    }
    expect(refused).toBeGreaterThan(bytes.length - 100);
  });

  test('without one of its first lines is refused; a result that comes twice counts once', async () => {
    const [header, ...rest] = lines;
    const headless = await fileWith(rest.map(writeLine).join(''));
    expect(() => new Journal(headless, 'read', all)).toThrow('line 1 is damaged');
    const again: JournalLine = { kind: 'end', key: 'a', result: result('other.fw'), seal: '' };
    const twice = new Journal(
      await fileWith([header!, ...rest, again].map(writeLine).join('')),
      'read',
      all,
    );
    expect(twice.resultOf('a')).toEqual(result('a.fw'));
    twice.close();
  });

  test('counts what began and did not end, but not what was stopped on request', async () => {
    const start: JournalLine = { kind: 'start', key: 'a' };
    const begun = [
      ...lines.slice(0, 3),
      start,
      start,
      start,
      { kind: 'stopped', key: 'a' },
    ] as const;
    const journal = new Journal(
      await fileWith(
        [...begun, { kind: 'died', key: 'a', why: 'lost' } as const].map(writeLine).join(''),
      ),
      'write',
      all,
    );
    expect(journal.deathsOf('a')).toEqual({ count: 2, why: 'lost' });
    expect(journal.suspects()).toEqual([{ key: 'a', file: 'a.fw' }]);
    journal.append({ kind: 'forget', key: 'a' });
    expect(journal.deathsOf('a')).toEqual({ count: 0 });
    journal.close();
  });
});

describe('results that somebody else has written down', () => {
  const sealer = new Sealer(['a secret of ours']);
  const own = { kind: 'sealed', sealer } as const;
  const sealed = async (): Promise<string> => {
    const file = await fileWith('');
    const journal = new Journal(file, 'write', own);
    for (const line of lines)
      if (line.kind === 'end') journal.record(line.key, line.result);
      else if (line.kind === 'listed') journal.endList();
      else journal.append(line);
    journal.close();
    return file;
  };
  const opened = async (text: string, belief: Belief = own): Promise<Journal> => {
    const journal = new Journal(await fileWith(text), 'read', belief);
    onTestFinished(() => journal.close());
    return journal;
  };

  test('are not believed; those of ours are, and of who shares a secret', async () => {
    const text = await readFile(await sealed(), 'utf8');
    const ours = await opened(text);
    expect([ours.refused, ours.countOf('a'), ours.isListBelieved]).toEqual([0, 1, true]);
    expect(ours.originOf('a')).toBe('journal');
    const shared = new Sealer(['another one', 'a secret of ours']);
    expect((await opened(text, { kind: 'sealed', sealer: shared })).refused).toBe(0);
    const strange = new Sealer(['another one']);
    const others = await opened(text, { kind: 'sealed', sealer: strange });
    expect([others.refused, others.countOf('a'), others.isListBelieved]).toEqual([2, 0, false]);
    // Results without a seal, as in old journals, or with an invented seal.
    for (const seal of [undefined, '', 'f'.repeat(64)]) {
      const planted = { kind: 'end', key: 'c', result: result('c.fw'), seal } as JournalLine;
      const journal = await opened(text + writeLine(planted));
      expect([journal.refused, journal.countOf('c')]).toEqual([1, 0]);
    }
  });

  test('are not believed under another key, nor is a list with another file', async () => {
    const text = await readFile(await sealed(), 'utf8');
    const end = text.split('\n').find((line) => line.includes('"kind":"end","key":"a"'))!;
    const { seal } = readLine(end) as { readonly seal: string };
    const moved: JournalLine = { kind: 'end', key: 'c', result: result('a.fw'), seal };
    expect((await opened(text + writeLine(moved))).countOf('c')).toBe(0);
    const file: JournalLine = { kind: 'file', key: 'a', file: 'other.fw' };
    const [before, after] = text.split(/(?=\{"kind":"listed")/) as [string, string];
    expect((await opened(before + writeLine(file) + after)).isListBelieved).toBe(false);
  });

  test('are not believed if they take the place of ours in a journal that is open', async () => {
    const file = await sealed();
    const journal = new Journal(file, 'read', own);
    onTestFinished(() => journal.close());
    expect(journal.resultOf('a')).toEqual(result('a.fw'));
    const isOfA = (line: string): boolean => line.includes('"kind":"end","key":"a"');
    const changed = (await readFile(file, 'utf8')).split('\n').map((line) => {
      if (!isOfA(line)) return line;
      const ours = readLine(line) as ResultLine;
      // A line of the same length, with a right checksum.
      const json = { ...ours.result.json, verdict: 'sturdy' };
      return writeLine({ ...ours, result: { ...ours.result, json } }).trimEnd();
    });
    await writeFile(file, changed.join('\n'));
    expect(() => journal.resultOf('a')).toThrow('another process has changed a result');
  });

  test('have the shape of a result, and nothing for the terminal', async () => {
    const line = (result: unknown): string =>
      writeLine({ kind: 'end', key: 'a', result, seal: '' } as JournalLine);
    const head = writeLine(lines[0]!);
    for (const wrong of [
      ...[
        null,
        1,
        {},
        { exitCode: 0 },
        { exitCode: 0, json: {} },
        { exitCode: 3, json: { file: '' } },
      ],
      ...[{ seeds: 1 }, { diagnostics: [1] }, { stats: { states: '1' } }, { verdict: [] }].map(
        (json) => ({ exitCode: 0, json: { file: 'a', ...json } }),
      ),
    ])
      expect((await opened(head + line(wrong), all)).countOf('a')).toBe(0);
    const detail = '\u001b]0;title\u0007\u009b31m';
    const shown = await opened(head + line({ exitCode: 0, json: { file: 'a', detail } }), all);
    expect(JSON.stringify(shown.resultOf('a'))).not.toMatch(/\\u00|[\u0000-\u001f\u007f-\u009f]/);
    const odd = `{"kind":"file","key":1,"file":"a"}`;
    await expect(opened(head + writeLine(JSON.parse(odd) as JournalLine))).rejects.toThrow(
      'damaged',
    );
  });
});

test('a line is nothing but what it says', () => {
  for (const line of lines) expect(readLine(writeLine(line).trimEnd())).toEqual(line);
  expect(readLine('{"kind":"listed"}')).toBeUndefined();
});
