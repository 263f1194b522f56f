import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchResult } from '../src/batch/job-result.js';
import { type JournalLine, readLine, writeLine } from '../src/batch/journal-lines.js';
import { Journal } from '../src/batch/journal.js';
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
  { kind: 'end', key: 'a', result: result('a.fw') },
  { kind: 'listed' },
  { kind: 'died', key: 'b', why: 'SIGKILL' },
  { kind: 'end', key: 'b', result: result('b.fw') },
];

async function fileWith(bytes: Uint8Array | string): Promise<string> {
  return path.join(await folderWith({ 'journal.jsonl': bytes }), 'journal.jsonl');
}

const text = lines.map(writeLine).join('');

describe('a journal', () => {
  test('says what was written into it', async () => {
    const file = await fileWith('');
    const written = new Journal(file, 'write');
    for (const line of lines) written.append(line);
    for (const journal of [written, new Journal(file, 'read')]) {
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
      const journal = new Journal(file, 'write');
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
      expect(() => new Journal(file, 'write'), `byte ${at}`).toThrow(`line ${number} is damaged`);
      refused++;
    }
    expect(refused).toBeGreaterThan(bytes.length - 100);
  });

  test('without one of its first lines is refused; a result that comes twice counts once', async () => {
    const [header, ...rest] = lines;
    const headless = await fileWith(rest.map(writeLine).join(''));
    expect(() => new Journal(headless, 'read')).toThrow('line 1 is damaged');
    const again: JournalLine = { kind: 'end', key: 'a', result: result('other.fw') };
    const twice = new Journal(
      await fileWith([header!, ...rest, again].map(writeLine).join('')),
      'read',
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
    );
    expect(journal.deathsOf('a')).toEqual({ count: 2, why: 'lost' });
    expect(journal.suspects()).toEqual([{ key: 'a', file: 'a.fw' }]);
    journal.append({ kind: 'forget', key: 'a' });
    expect(journal.deathsOf('a')).toEqual({ count: 0 });
    journal.close();
  });
});

test('a line is nothing but what it says', () => {
  for (const line of lines) expect(readLine(writeLine(line).trimEnd())).toEqual(line);
  expect(readLine('{"kind":"listed"}')).toBeUndefined();
});
