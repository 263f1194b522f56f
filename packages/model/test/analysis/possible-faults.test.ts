import { describe, expect, test } from 'vitest';
import { whyFaultFree } from '../../src/analysis/possible-faults.js';
import { bruteForce } from '../../../core/test/api/brute-force.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

/**
 * Statements that give the register q more values than the analysis distinguishes. None of the
 * statements may fault.
 */
const many = 'havoc q in 0..49; havoc r in 0..49; q = 50 * q; q = q + r;';
const least = '((0 - 2147483647) - 1)';

/** Returns statements that give q the 64-bit numbers from `first` to `first` + 2,499. */
const manyFrom = (first: bigint): string =>
  `havoc q in 0..49; havoc r in 0..49; q = 50 * q; q = q +: ${first}L; q = q +: r;`;
/** A number whose complement is 974 * -2^53, which has no code (docs/adr/0020). */
const uncoded = 974n * 2n ** 53n - 1n;

describe('of a program of which some execution faults nothing is said', () => {
  test.each([
    ['a remainder by zero', 'var x', 'r = x; r = 1 % r;'],
    ['an assertion that divides by zero', 'var x', 'r = x; assert(1 / r);'],
    ['an assumption that divides by zero', 'var x', 'r = x; assume(1 / r);'],
    ['a store outside of the domain', 'domain 0..3 var x', 'r = 9; x = r;'],
    ['an xchg outside of the domain', 'domain 0..3 var x', 'q = 9; r = xchg(x, q);'],
    ['a cas outside of the domain', 'domain 0..3 var x', 'q = 9; r = cas(x, 0, q);'],
    ['a fetch_add outside of the domain', 'domain 0..1 var x', 'r = fetch_add(x, 2);'],
    ['a fetch_add beyond 32 bits', 'var x', 'x = 2147483647; r = fetch_add(x, 1);'],
    ['an index just behind its array', 'var a[2]', 'havoc r in 0..2; a[r] = 1;'],
    ['an index before its array', 'var a[2]', 'havoc r in 0..1; a[r - 1] = 1;'],
    ['the negative of the least number', 'var x', `${many} r = q ^ ${least}; r = -r;`],
    ['a product of many values', 'var x', `${many} r = q * 1000000;`],
    ['the least number divided by -1', 'var x', `${many} r = (q ^ ${least}) / (0 - 1);`],
    ['the complement of many values, one without a code', 'var x', `${manyFrom(uncoded)} r = ~q;`],
    ['many values of 64 bits among those of 32', 'var x', `${manyFrom(2n ** 40n)} r = q <% 1;`],
    ['a sum beyond 64 bits', 'var x', `${manyFrom(2n ** 63n - 2500n)} r = q +: 1;`],
    ['a choice without bounds', 'var x', 'havoc r;'],
    ['a choice whose condition faults', 'var x', 'r = 1; havoc r in 0..3 with 6 / r > 1;'],
  ])('%s', (_, declarations, code) => {
    const program = programOf(`${declarations} thread t { local r, q; ${code} }`);
    expect(bruteForce('SC', program, 20_000)?.faults.size).toBeGreaterThan(0);
    expect(whyFaultFree(program)).toBeUndefined();
  });

  test('and the way in which they get many values is free of faults', () => {
    expect(whyFaultFree(programOf(`var x thread t { local r, q; ${many} }`))).toBe('closure');
    for (const first of [uncoded, 2n ** 40n, 2n ** 63n - 2500n])
      expect(
        whyFaultFree(programOf(`var x thread t { local r, q; ${manyFrom(first)} }`)),
        String(first),
      ).toBe('closure');
  });

  test.each([
    ['an xchg', 'xchg(x, 1);'],
    ['a cas', 'cas(x, 0, 1);'],
    ['a fetch_add', 'fetch_add(x, 1);'],
    [
      'a store that may go anywhere',
      'havoc p in 0..49; havoc q in 0..1; p = p + 50 * q; mem[p] = 1;',
    ],
    ['a store', 'x = 1;'],
  ])('what divides by what another thread writes: by %s', (_, code) => {
    const program = programOf(`var x
      thread t { local r; r = x; r = 1 / (r - 1); }
      thread u { local p, q; ${code} }`);
    expect(bruteForce('SC', program, 10_000)?.faults.size).toBeGreaterThan(0);
    expect(whyFaultFree(program)).toBeUndefined();
  });
});
