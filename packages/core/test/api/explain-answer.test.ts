import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { decide } from '../../src/api/decide.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { explainHtml } from '@fencewright/reports/html/explain-html.js';
import { explainReport } from '@fencewright/reports/text/explain.js';
import { plainPalette } from '@fencewright/reports/text/palette.js';

/**
 * Returns the answer of `explain` about a program, as text and as a page, and the execution shown.
 */
async function explained(source: string) {
  const { model } = parseNative(source);
  const found = await decide(model!, { kind: 'explain', answers: 'full' });
  if (found.kind !== 'explain') throw new Error(found.kind);
  const { about, result, replay, answerRun } = found;
  const subject = { file: 'p.fw', source, program: about };
  const style = { palette: plainPalette, width: 120 };
  const page = explainHtml(subject, result, {
    ...{ diagnostics: [], version: '1' },
    ...(replay && { replay }),
    ...(answerRun && { answerRun }),
  });
  return { text: explainReport(subject, result, replay, style, answerRun), page, answerRun };
}

const noAttack = 'There is no attack. In whatever order';

test('a robust program whose claim breaks while a store waits', async () => {
  const { text, page } = await explained(
    'program P\nvar up\nthread a { loop { up = 1; inside: skip; up = 0; } }\nproperty announced: never (a @ inside && up == 0)\n',
  );
  const [before, table] = text.split('How announced fails\n');
  expect(before).toContain('P breaks on x86: announced can fail');
  // The run has a single step: the store is issued, and stays in the buffer.
  expect(table).toMatch(/ {5}1 {2}a issues up = 1 +3 {2}up=1 +0\n/);
  expect(table).toContain(
    'The property does not hold in this state: property announced: never (a @ inside && up == 0)\n',
  );
  expect(table).toContain(noAttack);
  expect(page).toContain('How announced fails');
  expect(page).toContain('a issues up = 1');
});

test('the run of an assertion stands in front of the attack, and ends in its failure', async () => {
  const { text, page, answerRun } = await explained(
    'program P\nvar x, y, n\nthread a { local r; x = 1; r = y; if (r == 0) n = 1; }\nthread b { local r, s; y = 1; r = x; s = n; if (r == 0) { assert(s == 0); } }\n',
  );
  const [, run, attack] = text.split(/How the assertion of b at line 4 fails\n|The attack: /);
  expect(run).toContain('The last step fails the assertion: assert(s == 0)');
  expect(run!.trimEnd().split('\n').at(-2)).toContain('b checks s == 0');
  expect(attack).toContain('Why it is not sequentially consistent');
  expect(attack).toContain('The attack, step by step: another execution\n');
  // The registers that the assertion reads are shown beside the memory.
  expect(run).toMatch(/\bb\.s\b/);
  // How buffers work is told once.
  expect(text.split('Every thread has a store buffer.')).toHaveLength(2);
  expect(page).toContain('How the assertion of b at line 4 fails');
  expect(answerRun?.replay.states).toHaveLength(answerRun!.computation.length + 1);
});

test('what is wrong without store buffers, and an instance that shows it', async () => {
  const { text, answerRun } = await explained(
    'program P\nvar x\nthread t[*] { local r; r = x; x = 1; assert(r == 0); }\n',
  );
  expect(text).toContain(
    'How the assertion of t at line 3 fails with 2 copies of t, without store buffers\n',
  );
  expect(text).toContain(noAttack);
  expect(answerRun?.program.threads.map(({ name }) => name)).toEqual(['t[0]', 't[1]']);
  // Memory follows each store at once.
  const kinds = answerRun!.computation.map(({ kind }) => kind);
  kinds.forEach((kind, i) => {
    if (kind === 'issue') expect(kinds[i + 1]).toBe('store');
  });
});

test('a state that SC does not reach, and one that is asked for', async () => {
  const program =
    'program P\nvar x, y\nthread a { local r; x = 1; r = y; }\nthread b { local r; y = 1; r = x; }\n';
  const differing = await explained(program);
  expect(differing.text).toContain('How TSO gets to another state\n');
  const last = differing.answerRun!.replay.states.at(-1)!;
  expect([last.registers, last.buffers]).toEqual([
    [[0], [0]],
    [[], []],
  ]);
  const asked = await explained(`${program}property both: exists (a.r == 0 && b.r == 0)\n`);
  expect(asked.text).toContain('How both is reached\n');
  expect(asked.text).toContain(
    'This state satisfies the condition: property both: exists (a.r == 0 && b.r == 0)',
  );
});

test('nothing is shown where there is nothing to see', async () => {
  const { text, answerRun } = await explained(
    'program P\nvar x\nthread a { local r; x = 1; r = x; assert(r == 1); }\n',
  );
  expect(answerRun).toBeUndefined();
  expect(text).toContain('There is nothing to explain.');
});

test('a cycle through a store behind the store of the attack says why this store waits, too', async () => {
  // The attack of Peterson delays flag, and the two stores of turn decide the cycle.
  const { text, page } = await explained(
    await readFile(new URL('../../../../examples/peterson.fw', import.meta.url), 'utf8'),
  );
  expect(text).toContain(
    '\nThe attack: t0 delays its store of flag[0] past its load of flag[1].\n',
  );
  const says =
    "t0's store of turn at line 14 waits, too: the store of flag[0] is ahead of it in the buffer.";
  expect(text).toContain(
    `  ${says}\n  1. t0 issues its store of turn at line 14 before its load of`,
  );
  expect(page).toContain('the store of flag[0] is ahead of it in the buffer.');
});
