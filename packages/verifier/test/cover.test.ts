import { Budget } from '@fencewright/core';
import {
  coverCertificateToJson,
  decideCover,
  type Net,
  netToJson,
  readMist,
} from '@fencewright/core/cover';
import { SeededRandom } from '@fencewright/core/testing';
import { describe, expect, test } from 'vitest';
import { certificateDigest } from '../src/canonical-json.js';
import type { Report } from '../src/report.js';
import { verifyCertificate } from '../src/verify.js';

function netOf(text: string): Net {
  return readMist(text).net ?? expect.fail(JSON.stringify(readMist(text).diagnostics));
}

interface Proof {
  readonly kind: string;
  readonly elements: readonly { readonly tokens: Readonly<Record<string, unknown>> }[];
  readonly weights?: readonly Readonly<Record<string, unknown>>[];
}

function judge(net: object, proof: object, given: object = net): Promise<Report> {
  const body = { format: 'fencewright-certificate', version: 3, kind: 'cover', net, proof };
  return verifyCertificate({ ...body, digest: certificateDigest(body) }, given, {});
}

/** Returns a net with two rules that change tokens by these amounts. */
function pump(by: number): string {
  return `vars a b rules a >= 1 -> a' = a + ${by}; a >= 5 -> b' = b + 1; init a = 4, b = 0 target b >= 1`;
}

describe('an invariant', () => {
  const net = netToJson(netOf(pump(0)));
  const proof = (a: unknown, b: unknown): Proof => ({
    kind: 'invariant',
    elements: [{ tokens: { a, b } }],
  });

  test('holds that covers the start and its own successors, and no target', async () => {
    expect(await judge(net, proof(4, 0))).toMatchObject({ kind: 'accepted' });
  });

  test.each([
    ['covers less than the start', 3, 0, 'the initial configuration lies outside the invariant'],
    ['covers a target', 4, 1, 'a target lies inside the invariant'],
    ['does not cover its successors', 5, 0, 'a step leads out of the invariant'],
    ['covers all', 'any', 'any', 'a target lies inside the invariant'],
    ['names no number', -1, 0, 'the form is wrong'],
  ])('is refused that %s', async (_, a, b, finding) => {
    const report = await judge(net, proof(a, b));
    expect(report.kind).toBe('rejected');
    expect(JSON.stringify(report)).toContain(finding);
  });

  test('does not wrap: counts are exact beyond 2^31, 2^53 and 2^64', async () => {
    for (const digits of ['2200000000', '9007199254740993', '18446744073709551617']) {
      const more = (BigInt(digits) + 1n).toString();
      const rule = { from: 0, to: 0, take: { a: digits }, give: { a: digits, b: 1 } };
      const large = (start: string) => ({
        format: 'fencewright-net',
        version: 1,
        name: 'large',
        places: ['a', 'b'],
        controls: ['net'],
        rules: [rule],
        initial: { control: 'net', tokens: { a: start } },
        targets: [{ control: 'net', tokens: { b: 1 } }],
      });
      const less = (BigInt(digits) - 1n).toString();
      expect(await judge(large(less), proof(less, 0))).toMatchObject({ kind: 'accepted' });
      for (const start of [digits, more])
        expect(await judge(large(start), proof(start, 0))).toMatchObject({ kind: 'rejected' });
    }
  });

  test('of the net whose counts once wrapped is refused', async () => {
    const text = `vars a b rules a >= 1 -> a' = a + 1000000000; a >= 1200000001 -> b' = b + 1;
      init a = 1200000000, b = 0 target b >= 1`;
    const wrapping = netToJson(netOf(text));
    for (const a of [1_200_000_000, 2_200_000_000, 2 ** 31 - 1, 4_000_000_000])
      expect(await judge(wrapping, proof(a, 0))).toMatchObject({ kind: 'rejected' });
  });

  test('is about the net that is given', async () => {
    const other = netToJson(netOf(pump(1)));
    expect(await judge(net, proof(4, 0), other)).toMatchObject({ kind: 'rejected' });
  });
});

test('what was not looked at as a whole is not accepted', async () => {
  const body = {
    format: 'fencewright-certificate',
    version: 3,
    kind: 'cover',
    net: netToJson(netOf(pump(0))),
    proof: { kind: 'invariant', elements: [{ tokens: { a: 4, b: 0 } }] },
  };
  const certificate = { ...body, digest: certificateDigest(body) };
  const limits = { signal: AbortSignal.abort() };
  expect(await verifyCertificate(certificate, body.net, limits)).toMatchObject({ kind: 'unknown' });
});

describe('a basis', () => {
  const net = (by: number) => {
    const text = `vars a b rules a >= 1 -> a' = a + ${by}; init a = 1, b = 0 target a >= 5`;
    return netToJson(netOf(text));
  };
  const basis = (elements: Proof['elements'], weights: readonly object[]): object => ({
    kind: 'basis',
    elements,
    weights,
  });

  test('may leave out what is too heavy by a weight that no rule raises', async () => {
    expect(await judge(net(0), basis([], [{ a: 1 }]))).toMatchObject({ kind: 'accepted' });
    expect(await judge(net(1), basis([], [{ a: 1 }]))).toEqual({
      kind: 'rejected',
      findings: ['a rule raises one of the weights'],
    });
  });

  test('is refused that has one of two targets', async () => {
    const text = "vars a b rules a >= 1 -> a' = a + 0; init a = 1, b = 1 target a >= 5 b >= 1";
    const report = await judge(netToJson(netOf(text)), basis([{ tokens: { a: 5 } }], []));
    expect(report).toEqual({
      kind: 'rejected',
      findings: ['a target lies outside the closure of the basis'],
    });
  });

  test.each([
    ['leaves out a target', [], 'a target lies outside the closure of the basis'],
    ['has the start', [{ tokens: { a: 1 } }], 'the initial configuration lies inside'],
    ['is entered by a step', [{ tokens: { a: 5 } }], 'a step leads into the closure'],
  ])('is refused that %s', async (_, elements, finding) => {
    const report = await judge(net(1), basis(elements, []));
    expect(report.kind).toBe('rejected');
    expect(JSON.stringify(report)).toContain(finding);
  });
});

/**
 * Whether a target can be covered, by visiting all reachable configurations with at most `most`
 * tokens on a place; `undefined` if further configurations are reachable.
 */
function isCoverable({ initial, rules, targets }: Net, most: number): boolean | undefined {
  const counts = (flat: ArrayLike<number>): Map<number, number> => {
    const map = new Map<number, number>();
    for (let i = 0; i < flat.length; i += 2) map.set(Number(flat[i]), Number(flat[i + 1]));
    return map;
  };
  const start = counts(initial.marking);
  const seen = new Map([[JSON.stringify([...start].sort()), start]]);
  let isAll = true;
  for (const tokens of seen.values()) {
    const has = (needed: Map<number, number>): boolean =>
      [...needed].every(([place, count]) => (tokens.get(place) ?? 0) >= count);
    if (targets.some(({ marking }) => has(counts(marking)))) return true;
    for (const { pre, post } of rules) {
      const taken = counts(pre);
      if (!has(taken)) continue;
      const after = new Map(tokens);
      for (const [place, count] of taken) after.set(place, (after.get(place) ?? 0) - count);
      for (const [place, count] of counts(post)) after.set(place, (after.get(place) ?? 0) + count);
      for (const [place, count] of after) if (count === 0) after.delete(place);
      if ([...after.values()].some((count) => count > most)) isAll = false;
      else seen.set(JSON.stringify([...after].sort()), after);
    }
  }
  return isAll ? false : undefined;
}

describe('forged certificates of random nets', () => {
  test('are accepted only where no target can be covered', async () => {
    const random = new SeededRandom(20261122);
    const places = ['a', 'b', 'c'];
    const kinds = new Map<string, number>();
    const count = (name: string): void => void kinds.set(name, (kinds.get(name) ?? 0) + 1);
    for (let round = 0; round < 150; round++) {
      const some = (text: (place: string) => string): string =>
        places
          .filter(() => random.below(3) === 0)
          .map(text)
          .join(', ');
      const rules = Array.from({ length: 1 + random.below(3) }, () => {
        const guard = some((place) => `${place} >= ${1 + random.below(2)}`) || 'a >= 1';
        const needs = new Map(guard.split(', ').map((one) => [one[0], Number(one.slice(5))]));
        const effect = places
          .map(
            (place) => [place, random.below(4) - 1 - Math.min(1, needs.get(place) ?? 0)] as const,
          )
          .map(([place, by]) => [place, Math.max(by, -(needs.get(place) ?? 0))] as const)
          .filter(([, by]) => by !== 0)
          .map(([place, by]) => `${place}' = ${place} ${by < 0 ? '-' : '+'} ${Math.abs(by)}`);
        return `${guard} -> ${effect.join(', ') || "a' = a + 0"};`;
      });
      const init = places.map((place) => `${place} = ${random.below(3)}`).join(', ');
      const target = `${places[random.below(3)]} >= ${2 + random.below(4)}`;
      const net = netOf(`vars a b c rules ${rules.join(' ')} init ${init} target ${target}`);
      const truth = isCoverable(net, 8);
      const engine = round % 2 === 0 ? 'forward' : 'backward';
      const { verdict } = await decideCover(net, new Budget({ maxStates: 5_000 }), engine);
      const json = JSON.parse(JSON.stringify(netToJson(net))) as object;
      const honest: Proof =
        verdict.kind === 'not-coverable'
          ? coverCertificateToJson(net, verdict.certificate)
          : { kind: 'invariant', elements: [{ tokens: { a: 3, b: 3, c: 3 } }] };
      const { kind, elements, weights } = honest;
      const proof = { kind, elements, ...(weights && { weights }) };
      if (verdict.kind === 'not-coverable') {
        expect(await judge(json, proof)).toMatchObject({ kind: 'accepted' });
        count(`honest ${kind}`);
      }
      for (let i = 0; i < 10; i++) {
        const forged = structuredClone(proof) as unknown as {
          elements: { tokens: Record<string, unknown> }[];
          weights?: Record<string, unknown>[];
        };
        const lists = [...forged.elements.map(({ tokens }) => tokens), ...(forged.weights ?? [])];
        const at = lists[random.below(lists.length)];
        if (random.below(4) === 0) forged.elements.splice(random.below(forged.elements.length), 1);
        else if (at) at[places[random.below(3)]!] = [0, 1, 2, 3, 5, 'any'][random.below(6)];
        const report = await judge(json, forged);
        count(report.kind);
        if (report.kind === 'accepted') expect(truth).not.toBe(true);
        if (report.kind === 'accepted' && truth === false) count('accepted, and true');
      }
    }
    console.info([...kinds].map(([name, n]) => `${name}: ${n}`).join(', '));
    for (const name of ['honest invariant', 'honest basis', 'rejected', 'accepted, and true'])
      expect(kinds.get(name), name).toBeGreaterThan(10);
  });
});
