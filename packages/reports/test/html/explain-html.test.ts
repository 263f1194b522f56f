import { describe, expect, test } from 'vitest';
import type { FenceFindings } from '../../src/words/fence-findings.js';
import { explainHtml } from '../../src/html/explain-html.js';
import { pageData } from '../../src/words/page-data.js';
import { programText } from '../../src/html/program-text.js';
import { spanAt } from '@fencewright/ground/source/span.js';
import type { FenceVerdict } from '@fencewright/model/verdict/fence-result.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { checkResult, program, replayed, source, subject, witness } from '../store-buffering.js';

const plain = { diagnostics: [], version: '1' };

/** Returns the visible text of a page, without style and script. */
function wordsOf(page: string): string {
  return page
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ');
}

function fencesOf(verdict: FenceVerdict): FenceFindings {
  const statistics = { rounds: 1, clauses: 1, states: 1, milliseconds: 1 };
  return {
    mode: 'fence',
    costModel: 'size',
    result: { verdict, statistics, diagnostics: [] },
    placesOf: (thread) => [{ line: thread === 0 ? 4 : 8, column: 6 }],
  };
}

const found: FenceVerdict = {
  kind: 'found',
  repairs: [0, 1].map((thread) => ({ kind: 'fence', thread, location: 1, cost: 1 })),
  cost: 2,
  removable: [],
  reasons: [],
  repaired: program,
};

const notRobust = checkResult({ kind: 'not-robust', witness });
const replay = { states: replayed };

describe('the data of the page', () => {
  test('are the buffers and the memory of the replay', () => {
    const { threads, cells, steps, frames } = pageData(program, witness, replay);
    expect([threads, cells]).toEqual([
      ['t1', 't2'],
      ['x', 'y'],
    ]);
    expect(steps.map(({ sentence, line }) => [sentence, line])).toEqual([
      ['t1 issues x = 1', 4],
      ['t1 loads y from memory: 0', 5],
      ['t2 issues y = 1', 8],
      ['t2 stores y = 1 to memory', 8],
      ['t2 loads x from memory: 0', 9],
      ['t1 stores x = 1 to memory', 4],
    ]);
    expect(frames.map(({ buffers, memory }) => [...buffers.flat(), ...memory].join(' '))).toEqual([
      '0 0',
      'x = 1 0 0',
      'x = 1 0 0',
      'x = 1 y = 1 0 0',
      'x = 1 0 1',
      'x = 1 0 1',
      '1 1',
    ]);
  });
});

describe('the text of the program', () => {
  const textOf = (html: string): string =>
    html
      .replace(/<ins[^>]*>[^<]*<\/ins>/g, '')
      .replace(/<\/li>/g, '\n')
      .replace(/<[^>]*>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/\n\s*\n/g, '\n')
      .trim();

  test('is there letter by letter', () => {
    const { html } = programText(program, source, witness, []);
    const lines = (text: string): string[] => text.split('\n').map((line) => line.trim());
    expect(lines(textOf(html))).toEqual(lines(source.trim()));
  });

  test('has store and load of the attack marked', () => {
    const { html } = programText(program, source, witness, []);
    expect(html).toContain('<span class="at store" data-keys="0:0">mem[x] &lt;- 1</span>');
    expect(html).toContain('<span class="at load" data-keys="0:1">r1 &lt;- mem[y]</span>');
    expect(html.match(/class="at"/g)).toHaveLength(2);
  });

  test('has the fences where they go', () => {
    const { html } = programText(program, source, witness, [
      { place: { line: 4, column: 6 }, text: 'fence', repair: 0 },
    ]);
    expect(html).toMatch(/l1: <ins\s+class="fence"[^>]*>fence<\/ins\s*><span class="at load"/);
  });

  test('is cut to what matters where it is very long', () => {
    const long = `${'// nothing\n'.repeat(2000)}${source}`;
    const moved = {
      ...program,
      threads: program.threads.map((thread, t) => ({
        ...thread,
        transitions: thread.transitions.map((transition, i) => ({
          ...transition,
          origin: { span: spanAt(2003 + 4 * t + i, 6, 11) },
        })),
      })),
    };
    const { html } = programText(moved, long, witness, []);
    expect(html).toContain('1983 lines left out');
    expect(html).toContain('class="at store"');
    expect(html.length).toBeLessThan(10_000);
  });

  test('without places there are no marks, and the text is still there', () => {
    const without = {
      ...program,
      threads: program.threads.map((thread) => ({
        ...thread,
        transitions: thread.transitions.map((transition) => ({ ...transition, origin: {} })),
      })),
    };
    const { html } = programText(without, source, witness, []);
    expect(html).not.toContain('class="at');
    expect(html).toContain('thread t1 regs r1');
  });
});

describe('the page', () => {
  test('of a violation tells all of it', () => {
    const words = wordsOf(
      explainHtml(subject, notRobust, { ...plain, replay, fences: fencesOf(found) }),
    );
    expect(words).toContain('SB not robust');
    expect(words).toContain('t1 delays its store of x past its load of y.');
    expect(words).toContain('t2 stores y = 1 to memory');
    expect(words).toContain(
      "t2's load of x at line 9 read 0 before t1's store of x = 1 at line 4 took effect.",
    );
    expect(words).toContain(
      '2 fences of cost 2 make the program robust, and nothing cheaper does.',
    );
    expect(words).toContain('a fence at line 5 (label l1)');
  });

  test.each([
    [{ kind: 'impossible', witness } as const, 'No set of fences makes this program robust'],
    [
      { kind: 'unknown', reason: 'time', bound: 3 } as const,
      'Not known: the time ran out; give it more with --timeout. Every sufficient set costs at least 3.',
    ],
  ])('says so where no fences are known (%j)', (verdict, expected) => {
    const page = explainHtml(subject, notRobust, { ...plain, replay, fences: fencesOf(verdict) });
    expect(wordsOf(page)).toContain(expected);
  });

  test('of a robust program says why it is', () => {
    const robust = checkResult({ kind: 'robust' });
    const counted: CheckResult = {
      ...robust,
      statistics: {
        ...robust.statistics,
        attacks: { total: 5, byCfg: 3, infeasible: 2, feasible: 0 },
      },
    };
    const words = wordsOf(explainHtml(subject, counted, plain));
    expect(words).toContain('SB robust');
    expect(words).toContain('This program has 5 attacks:');
    expect(words).toContain('3 attacks ruled out by the control flow');
    expect(words).toContain('2 attacks refuted by the engine instrument');
    expect(words).not.toContain('delays its store');
  });

  test('of an unknown verdict does not say robust', () => {
    const unknown = checkResult({ kind: 'unknown', reason: 'states' });
    const words = wordsOf(explainHtml(subject, unknown, plain));
    expect(words).toContain('undecided');
    expect(words).toContain('the limit on states was reached.');
    expect(words).toContain('give it more with --max-states');
    expect(words).not.toContain('Why it is robust');
  });

  test('has nothing of the program in it that is not escaped', () => {
    const evil = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\'';
    const named = {
      ...program,
      name: evil,
      symbols: program.symbols.map((symbol) => ({ ...symbol, name: evil })),
      threads: program.threads.map((thread) => ({ ...thread, name: evil })),
    };
    const page = explainHtml({ file: evil, source: evil, program: named }, notRobust, {
      ...plain,
      replay,
      fences: fencesOf(found),
    });
    expect(page).not.toContain('<img');
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script/g)).toHaveLength(2);
  });

  test('asks for nothing from outside', () => {
    const page = explainHtml(subject, notRobust, { ...plain, replay });
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/https?:|<link(?! rel="icon" href="data:,")|src=|@import|url\(/);
  });
});
