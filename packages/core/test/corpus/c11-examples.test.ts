import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { describe, expect, test } from 'vitest';
import { decide } from '../../src/api/decide.js';
import type { Result } from '../../src/api/result.js';
import { readRepositoryFile } from './load-corpus.js';

/**
 * The expected facts of an example, from the literature or by an argument in the example's text.
 */
interface Expected {
  readonly tso: 'robust' | 'not-robust';
  readonly c11: 'robust' | 'old-store' | 'load-buffering';
  readonly races: 'none' | 'found' | 'not-looked-for';
  /**
   * Memory orders that no repair can weaken: all orders and fences, or the fences; absent if
   * unknown.
   */
  readonly needed?: 'all' | 'fences';
  /**
   * The cheapest weaker orders on ARMv8 that keep the program robust, for the reason `why`; as
   * texts of a line, a kind and an order. Absent if unknown or `needed`.
   */
  readonly weaker?: readonly string[];
  readonly why?: string;
  /**
   * The changes of orders that make the assertions hold, as texts of a kind and an order; absent if
   * unknown.
   */
  readonly forAssertions?: readonly string[];
}

const folder = 'examples/c11';
const names = readdirSync(fileURLToPath(new URL(`../../../../${folder}`, import.meta.url)))
  .filter((name) => name.endsWith('.fw'))
  .map((name) => name.replace(/\.fw$/, ''))
  .sort();

function c11Of(result: Result): Pick<Expected, 'c11' | 'races'> | string {
  if (result.kind !== 'c11') return result.kind;
  const { verdict, race } = result.result;
  if (verdict.kind === 'unknown') return verdict.limit ?? verdict.reason;
  return {
    c11: verdict.kind === 'robust' ? 'robust' : verdict.violation.kind,
    races: typeof race === 'object' ? 'found' : race,
  };
}

describe('examples with memory orders', () => {
  test.each(names)('%s has the verdicts beside it, on x86 and against C11', async (name) => {
    const { model, diagnostics } = await parseText(
      'native',
      readRepositoryFile(`${folder}/${name}.fw`),
    );
    expect(diagnostics).toEqual([]);
    const expected = JSON.parse(readRepositoryFile(`${folder}/${name}.expected.json`)) as Expected;
    const tso = await decide(model!, { kind: 'check' });
    expect(tso.kind === 'check' && tso.result?.verdict.kind).toBe(expected.tso);
    const { c11, races, needed, weaker: weakest, forAssertions } = expected;
    const wanted = { c11, races };
    expect(c11Of(await decide(model!, { kind: 'c11', model: 'c11' }))).toEqual(wanted);
    if (forAssertions) {
      const asked = { kind: 'orders', model: 'c11', goal: 'assertions', change: 'raise' } as const;
      const raised = await decide(model!, asked);
      const verdict = raised.kind === 'orders' ? raised.orders.result.verdict : undefined;
      if (verdict?.kind !== 'found') throw new Error(JSON.stringify(raised));
      expect(verdict.changes.map(({ kind, to }) => `${kind} ${to.order}`)).toEqual(forAssertions);
      expect(verdict.open).toBe(undefined);
    }
    if (!needed && !weakest) return;
    const lower = await decide(model!, { kind: 'orders', model: 'c11', change: 'lower' });
    if (lower.kind !== 'orders') throw new Error(lower.kind);
    const found = lower.orders.result.verdict;
    if (found.kind !== 'found') throw new Error(JSON.stringify(lower));
    if (weakest) {
      const { threads } = lower.about;
      const told = found.changes.map(({ kind, steps: [step], to }) => {
        const { span } = threads[step!.thread]!.transitions[step!.transition]!.origin;
        return `${span!.start.line + 1}: ${kind} ${to.order}`;
      });
      expect(told).toEqual(weakest);
      expect(found.open).toBe(undefined);
      // The changed program has the verdict of the given one, and nothing of it can be weaker.
      const changed = { kind: 'finite', program: found.changed } as const;
      expect(c11Of(await decide(changed, { kind: 'c11', model: 'c11' }))).toEqual(wanted);
    }
    if (!needed) return;
    const weaker = [...found.changes, ...found.alone];
    expect(needed === 'all' ? weaker : weaker.filter(({ kind }) => kind === 'fence')).toEqual([]);
  });

  test('texts that were read without orders are refused', async () => {
    const { model } = await parseText('native', 'program P\nvar x\nthread t { x = 1; }');
    const asked = { kind: 'c11', model: 'c11', format: 'memorax' } as const;
    const refusal = { kind: 'no-orders', isRepair: false };
    expect(await decide(model!, asked)).toEqual({ kind: 'refused', refusal });
    const x86 = await parseText('litmus', 'X86 t\n{ }\n P0 ;\n MOV [x],$1 ;\n');
    expect(await decide(x86.model!, { ...asked, format: 'litmus' })).toMatchObject({
      kind: 'refused',
      refusal: { ...refusal, outside: { reason: 'assembler' } },
    });
  });
});
