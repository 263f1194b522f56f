import { describe, expect, it } from 'vitest';
import { lintModel } from '../../src/analysis/lint-model.js';
import { checkConcurrency } from '@fencewright/engines/events/serial/check-serial.js';
import { parseNative } from '@fencewright/core/native';
import { eventModel, type Model } from '../../src/program/model.js';

/** Returns the model of a program whose declarations start in line 3. */
function modelOf(lines: readonly string[]): Model {
  const { model, diagnostics } = parseNative(['program P', 'var x, y, a[2]', ...lines].join('\n'));
  expect(diagnostics).toEqual([]);
  return model!;
}

async function concurrencyOf(...lines: readonly string[]): Promise<string> {
  return (await checkConcurrency(eventModel(modelOf(lines))!.program)).verdict;
}

/** The warnings about declarations that start in line 3. */
function lintOf(...lines: readonly string[]): readonly string[] {
  return lintModel(modelOf(lines)).map(
    ({ code, span, message }) =>
      `${code} ${span!.start.line + 1}:${span!.start.column + 1} ${message}`,
  );
}

describe('warnings about events', () => {
  it('are not given without a reason', () => {
    expect(
      lintOf(
        'event e(n) { local r; r = x; async[main] p(r); call q(n); async[any] s(); }',
        'procedure p(n) { x = n; }',
        'procedure q(n) { if (n > 0) { y = 1; call q(n - 1); } }',
        'procedure s() { x = 1; async[any] s(); }',
        'events e(1) *',
      ),
    ).toEqual([]);
  });

  it('name procedures that nothing runs, and events without instances', () => {
    expect(
      lintOf(
        'procedure p() { call q(); }',
        'procedure q() { async[main] p(); }',
        'event e() { call s(); }',
        'event f() { call t(); }',
        'procedure s() { x = 1; }',
        'procedure t() { x = 1; }',
        'events e()',
      ),
    ).toEqual([
      "FW2012 3:11 nothing runs the procedure 'p'",
      "FW2012 4:11 nothing runs the procedure 'q'",
      "FW2013 6:7 the event 'f' has no instance",
    ]);
  });

  it('name calls that never return', () => {
    expect(
      lintOf(
        'event e() { call p(); call s(1); call t(); call v(); }',
        'procedure p() { if (x == 1) { call q(); } else { call p(); } }',
        'procedure q() { call p(); x = 1; }',
        'procedure s(n) { if (n == 0) { return; } call s(n - 1); }',
        // A program with another endless loop.
        'procedure t() { loop { x = 1; } }',
        'procedure v() { loop { call v(); } }',
        'events e()',
      ),
    ).toEqual([
      "FW2015 4:11 a call of 'p' never returns: every path of the function calls the function again",
      "FW2015 5:11 a call of 'q' never returns: every path of the function calls the function again",
    ]);
  });

  it('name accesses that race with a task of their own', () => {
    const behind = "'p' posted before: on a single thread, the access always comes first";
    expect(
      lintOf(
        'event e() { local r; x = 1; async[any] p(); y = 1; a[0] = 1; r = x;',
        '  x = r; async[main] s(); y = 2; r = a[r]; }',
        'procedure p() { call s(); call t(); a[1] = 1; }',
        'procedure s() { x = 2; }',
        'procedure t() { local r; r = y; async[any] u(); }',
        'procedure u() { a[0] = 2; }',
        'events e()',
      ),
    ).toEqual([
      `FW2014 3:45 'store to y' races with the task ${behind}`,
      `FW2014 3:66 'load of x' races with the task ${behind}`,
      `FW2014 4:3 'store to x' races with the task ${behind}`,
      `FW2014 4:27 'store to y' races with the task ${behind}`,
      `FW2014 4:38 'load of a' races with the task ${behind}`,
    ]);
  });

  describe('of races', () => {
    const p = 'procedure p() { x = 2; }';
    const races = (name: string) =>
      `'store to x' races with the task '${name}' posted before: on a single thread, the access always comes first`;

    it.each([
      ['what is called posts', `event e() { call f(); x = 1; } procedure f() { async[any] p(); }`],
      ['what is called stores', `event e() { async[any] p(); call g(); } procedure g() { x = 1; }`],
      [
        'a task of its own posts to main',
        `event e() { async[any] f(); } procedure f() { async[main] p(); x = 1; }`,
      ],
    ])('%s: there is one, and it breaks the program', async (_, text) => {
      const lines = [text, p, 'events e()'];
      expect(lintOf(...lines).map((line) => line.replace(/^FW2014 \S+ /, ''))).toEqual([
        races('p'),
      ]);
      expect(await concurrencyOf(...lines)).toBe('not-robust');
    });

    it.each([
      ['main posts to main', `event e() { async[main] p(); x = 1; }`],
      [
        'what main calls posts to main',
        `event e() { call f(); x = 1; } procedure f() { async[main] p(); }`,
      ],
      ['the call comes first', `event e() { call g(); async[any] p(); } procedure g() { x = 1; }`],
    ])('%s: there is none', async (_, text) => {
      const lines = [text, p, 'events e()'];
      expect(lintOf(...lines)).toEqual([]);
      expect(await concurrencyOf(...lines)).toBe('robust');
    });
  });

  it('find that in a loop what stands before comes behind', () => {
    expect(
      lintOf(
        'event e() { local i; while (i < 2) { x = i; async[any] p(); i = i + 1; } }',
        'procedure p() { local r; r = x; }',
        'events e()',
      ),
    ).toEqual([
      "FW2014 3:38 'store to x' races with the task 'p' posted before: on a single thread, the access always comes first",
    ]);
  });
});
