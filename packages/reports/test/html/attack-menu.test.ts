import { expect, test } from 'vitest';
import { explainHtml } from '../../src/html/explain-html.js';
import { explainedReport } from '../../src/text/explained.js';
import { plainPalette } from '../../src/text/palette.js';
import type { ExplainedAttacks } from '@fencewright/model/verdict/explained-attacks.js';
import { checkResult, replayed, subject, witness } from '../store-buffering.js';

const notRobust = checkResult({ kind: 'not-robust', witness });
const replay = { states: replayed };
const { attack } = witness;

const many = (count: number): ExplainedAttacks => ({
  attacks: Array.from({ length: count }, () => ({ attack, verdict: 'feasible' as const })),
  executions: Array.from({ length: count }, () => ({ witness, replay })),
});

const pageOf = (explained: ExplainedAttacks): string =>
  explainHtml(subject, notRobust, { replay, explained, diagnostics: [], version: '1' });

test('a page stays within bounds, and says what is left out and how to see it', () => {
  const few = pageOf(many(3));
  expect(few.match(/<option>/g)).toHaveLength(3);
  expect(few).not.toContain('would make this page too large');
  const page = pageOf(many(2000));
  expect(page.length).toBeLessThan(4_300_000);
  const options = page.match(/<option>/g)?.length ?? 0;
  expect(options).toBeGreaterThan(50);
  expect(page.match(/<template class="attack">/g)).toHaveLength(options - 1);
  expect(page).toContain(`${(2000 - options).toLocaleString('en')} more executions`);
  expect(page).toContain('fencewright explain --attack t1:');
});

test('of an attack that is not feasible, page and text say so and show no execution', () => {
  const explained: ExplainedAttacks = {
    name: 't1:4:5',
    attacks: [{ attack, verdict: 'infeasible', settledBy: 'pair-closure' }],
    executions: [],
  };
  const words = 'is not feasible: it is ruled out by pairs.';
  const page = pageOf(explained);
  expect(page).toContain(words);
  expect(page).not.toContain('id="stage-script"');
  const text = explainedReport(subject, notRobust, explained, {
    palette: plainPalette,
    width: 100,
  });
  expect(text).toContain(words);
  expect(text).not.toContain('Step by step');
});

test('feasible attacks without an execution are counted', () => {
  const explained = { ...many(3), executions: many(1).executions };
  expect(pageOf(explained)).toContain('Below is an execution of 1 of them');
});
