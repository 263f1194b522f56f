import { describe, expect, it } from 'vitest';
import { printNative } from '@fencewright/core/native';
import { findWeakRmws, strengthenRmws, weakenRmw } from '../../src/program/weak-rmw.js';
import { listBody, listing, parseBody, parseGood } from '../../../languages/test/native/listing.js';

describe('a weak rmw', () => {
  it('is an rmw beside a fence, with the result of a failure behind it', () => {
    expect(listBody('local r;', 'r = weak_cas(x, 0, 1);')).toEqual([
      'L5: r = cas(x, 0, 1) -> L6',
      'L5: fence -> L5b',
      'L5b: r = 0 -> L6',
    ]);
    expect(listBody('local r;', 'r = weak_xchg(x, r + 1);')).toEqual([
      'L5: r = xchg(x, r + 1) -> L6',
      'L5: fence -> L5b',
      'L5b: r = r + 1 -> L6',
    ]);
    expect(listBody('weak_xchg(x, 1);')).toEqual([
      'L4: xchg(x, 1) -> L5',
      'L4: fence -> L4b',
      'L4b: skip -> L5',
    ]);
  });

  it('comes behind the loads of its operands, and may be part of an expression', () => {
    expect(listBody('if (weak_cas(x, y, 1)) { z = 1; }').slice(0, 4)).toEqual([
      'L4: h1 = y -> L4b',
      'L4b: h2 = cas(x, h1, 1) -> L4c',
      'L4b: fence -> L4d',
      'L4d: h2 = 0 -> L4c',
    ]);
    expect(listBody('y = weak_xchg(x, 2);')).toEqual([
      'L4: h1 = xchg(x, 2) -> L4b',
      'L4: fence -> L4c',
      'L4c: h1 = 2 -> L4b',
      'L4b: y = h1 -> L5',
    ]);
  });

  it('is found where somebody wrote it out, and only if the failure is one', () => {
    const branches = (rmw: string, failure: string) =>
      findWeakRmws(parseBody('local r, s;', `choose { ${rmw} } or { ${failure} }`).threads[0]!).map(
        ({ rmw: id }) => id,
      );
    expect(branches('r = cas(x, 0, 1);', 'fence; r = 0;')).toEqual([0]);
    expect(branches('r = xchg(x, s);', 'fence; r = s;')).toEqual([0]);
    expect(branches('r = xchg(x, 1);', 'fence; r = 1;')).toEqual([0]);
    for (const [rmw, failure] of [
      ['r = cas(x, 0, 1);', 'fence; r = 1;'],
      ['r = cas(x, 0, 1);', 'fence; s = 0;'],
      ['r = cas(x, 0, 1);', 'r = 0;'],
      ['r = cas(x, 0, 1);', 'fence; r = 0; x = 1;'],
      ['r = cas(x, 0, 1);', 'fence; seen: r = 0;'],
      ['r = cas(x, 0, 1); r = 0;', 'fence; r = 0;'],
      ['r = xchg(x, 1);', 'fence; r = 0;'],
      ['r = xchg(x, s);', 'fence; r = r;'],
      ['r = fetch_add(x, 0);', 'fence; r = 0;'],
      ['cas(x, 0, 1);', 'fence; r = 0;'],
      // An exchange in place of a store has a different meaning.
      ['xchg(x, 1);', 'fence;'],
    ])
      expect(branches(rmw!, failure!), `${rmw} or ${failure}`).toEqual([]);
  });

  it('takes each fence once', () => {
    const { threads } = parseBody(
      'local r;',
      'choose { r = cas(x, 0, 1); } or { r = cas(x, 0, 1); } or { fence; r = 0; }',
    );
    expect(findWeakRmws(threads[0]!)).toHaveLength(1);
  });

  it('is made of an rmw, and made an rmw again, without other ids than before', () => {
    const program = parseBody('local r;', 'r = cas(x, 0, 1);', 'y = r;');
    const thread = program.threads[0]!;
    const weak = weakenRmw(thread, 0);
    expect(weak.transitions.slice(0, 2)).toEqual(thread.transitions);
    expect(findWeakRmws(weak).map(({ rmw }) => rmw)).toEqual([0]);
    expect(weakenRmw(weak, 0)).toBe(weak);
    expect(weakenRmw(thread, 1)).toBe(thread);
    expect(listing({ ...program, threads: [strengthenRmws(weak)] }).slice(2)).toEqual([
      "L5: assume(0) -> L5'3",
      "L5'3: r = 0 -> L6",
    ]);
    expect(strengthenRmws(thread)).toBe(thread);
  });
});

describe('printing', () => {
  it('says weak, and reading gives the same back', () => {
    const text = printNative(parseBody('local r;', 'r = weak_cas(x, 0, 1);', 'weak_xchg(y, r);'));
    expect(text).toContain('r <- weak_cas(mem[x], 0, 1)');
    expect(text).toContain('weak_xchg(mem[y], r)');
    expect(text).not.toContain('mfence');
    expect(printNative(parseGood(text))).toBe(text);
  });
});
