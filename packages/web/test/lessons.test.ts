import { readText } from '@fencewright/core';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { lessonPages, readLessons } from '../../../tools/lessons.mjs';
import { decideClaim, parseClaim } from '../src/claims.js';
import { judge, truths } from '../src/judge.js';

const limits = { timeout: 60_000 };
const root = new URL('../../../', import.meta.url);
const lessons = await readLessons();

/** Returns the verdict and fences of a C file that the front end's tests expect. */
async function claimsOfFile(name: string): Promise<string[]> {
  const file = new URL(name.replace(/\.\w+$/, '.expected.json'), root);
  const { verdict, fences } = JSON.parse(await readFile(file, 'utf8')) as {
    verdict: string;
    fences: number;
  };
  return [verdict.replace('-', ' '), `cheapest fences ${fences}`];
}

test('there are sixteen lessons, each with a title, a program and an exercise', () => {
  expect(lessons).toHaveLength(16);
  for (const { id, title, parts } of lessons) {
    expect(title, id).not.toBe('');
    const kinds = new Set(parts.map(({ kind }) => kind));
    expect(kinds.has('exercise') && (kinds.has('program') || kinds.has('file')), id).toBe(true);
  }
});

test('programs open the view that their block names', async () => {
  const views = lessons.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.kind === 'program' && part.view !== undefined ? [part.view] : [],
    ),
  );
  expect(new Set(views)).toEqual(new Set(['execution', 'states', 'fences']));
  const pages = await lessonPages('');
  expect(pages.get('lesson-05-dekker-and-peterson.html')).toContain(' view="execution">');
});

describe.each(lessons)('lesson $id', ({ parts }) => {
  const programs = parts.filter((part) => part.kind === 'program');
  test.each(
    programs.flatMap(({ format, text, claims }) =>
      claims.map((claim) => [claim, format, text] as const),
    ),
  )('claims: %s', async (claim, format, text) => {
    const { model, diagnostics } = await readText(format, text);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const read = { file: 'a.fw', format, text, timeout: 0, model: model!, diagnostics };
    expect(await decideClaim(parseClaim(claim), { read, context: {} }, limits)).toBe(true);
  });

  test('claims something of every program', () => {
    expect(programs.filter(({ claims }) => claims.length === 0)).toEqual([]);
  });

  test.each(parts.filter((part) => part.kind === 'file'))(
    'claims of $name what is held of it',
    async ({ name, claims }) => {
      expect(claims).toEqual(await claimsOfFile(name));
    },
  );

  const exercises = parts.filter((part) => part.kind === 'exercise');
  describe.each(exercises)('exercise: $title', ({ task, expected, wrong }) => {
    if (task.kind === 'choice') {
      test.each(task.options.map((option, i) => [option.label, i] as const))(
        'option: %s',
        async (_, i) => {
          const options = [task.options[i]!];
          const [truth] = await truths({ ...task, options }, limits);
          expect(truth).toBe((expected as readonly number[]).includes(i));
        },
      );
      test('takes the right answer, and no other', async () => {
        const right = expected as readonly number[];
        expect(right.length).toBeGreaterThan(0);
        expect(await judge(task, right, limits)).toMatchObject({ kind: 'right' });
        const others = [[], right.slice(1), task.options.map((_, i) => i)].filter(
          (answer) => answer.length !== right.length,
        );
        expect(others.length).toBeGreaterThan(1);
        for (const answer of others)
          expect(await judge(task, answer, limits)).toMatchObject({ kind: 'wrong' });
      });
      return;
    }
    test('takes the solution', async () => {
      expect(await judge(task, expected, limits)).toMatchObject({ kind: 'right' });
    });
    test('does not take what it starts with, nor three others', async () => {
      expect(wrong.length).toBeGreaterThanOrEqual(3);
      const said = new Set<string>();
      for (const answer of [task.start, ...wrong]) {
        const { kind, words } = await judge(task, answer, limits);
        expect(kind, answer).toBe('wrong');
        said.add(words);
      }
      const known = task.conditions.map(({ otherwise }) => otherwise);
      expect([...said].filter((words) => !known.includes(words))).toEqual([]);
    });
    test('says what is wrong with what is no program', async () => {
      const { kind, words } = await judge(task, 'program X\nthread {', limits);
      expect(kind).toBe('wrong');
      expect(words).toMatch(/^Line 2: /);
    });
  });
});
