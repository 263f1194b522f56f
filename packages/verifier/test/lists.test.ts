import {
  automataToJson,
  Budget,
  decide,
  fence,
  fenceParameterized,
  finiteProgram,
  trf,
} from '@fencewright/core';
import { coverText } from '@fencewright/core/cover';
import { parseNative } from '@fencewright/core/native';
import { certifyUnreached } from '@fencewright/core/testing';
import { describe, expect, test } from 'vitest';
import { certificateDigest } from '../src/canonical-json.js';
import type { Claim } from '../src/claim.js';
import { verifyCertificate } from '../src/verify.js';
import { parameterizedOf, proofOf, sealed } from './copies/certify.js';
import { certifyEvents, parseEvents } from './event-certificates.js';

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
type Certificate = Record<string, Json>;

const finite = (text: string) => finiteProgram(parseNative(`program P\n${text}`).model)!;

/**
 * Store buffering with a flag that no thread raises, and goals for a label and for the final
 * states.
 */
const text = `var x, y, z
  thread a { local r, q; q = z; assume (q == 7); x = 1; r = y; }
  thread b { local s; y = 1; s = x; }
  property p: never (x == 2)
  property q: finally (y == 1)`;
const racy = `var x, y
  thread a { local r; x = 1; r = y; }
  thread b { local s; y = 1; s = x; }
  property p: never (ended(a) && ended(b) && a.r == 0 && b.s == 0)`;
const many = `program P
  var x, y
  thread a[*] { local r; x = 1; fence; r = y; }
  thread b { local r; y = 1; r = x; }`;
const robust = many.replace('var x, y', 'var x, y, z').replace('y = 1', 'z = 1');
const net = "vars a b rules a >= 5 -> b' = b + 1; init a = 4, b = 0 target b >= 1";

/** A valid certificate of each kind that needs no solver. */
const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
  fences: async () => (await fence(finite(racy), {})).certificate,
  'property-fences': async () => (await fence(finite(racy), { properties: ['p'] })).certificate,
  'race-fences': async () => (await trf(finite(racy), { repair: true })).certificate,
  robust: async () => {
    const program = finite(text);
    const question = { kind: 'check', certify: true } as const;
    const answer = await decide({ kind: 'finite', program }, question, { maxStates: 10_000 });
    return answer.kind === 'check' ? answer.certificate : undefined;
  },
  states: () => {
    const program = finite(text);
    const { properties } = program;
    return certifyUnreached(program, { properties, assertions: false }, new Budget());
  },
  'all-instances': async () => {
    const program = parameterizedOf(robust);
    const json: unknown = JSON.parse(JSON.stringify(automataToJson(program)));
    return sealed('all-instances', json, (await proofOf(program)) as object);
  },
  'all-instances-fences': async () =>
    (await fenceParameterized(parameterizedOf(many), { certify: true })).certificate,
  cover: async () => {
    const answer = await coverText('mist', net, { certify: true });
    return answer.kind === 'cover' ? answer.certificate : undefined;
  },
  'event-fences': () =>
    certifyEvents(parseEvents('var x\nevent e() { x = 1; }\nevents e()'), 'both', 'fenced'),
};

async function honestOf(kind: string): Promise<Certificate> {
  return JSON.parse(JSON.stringify(await kinds[kind]!())) as Certificate;
}

/** The path to a part of a JSON value: the names of members and the indices that lead to it. */
type Way = readonly (string | number)[];

function waysIn(json: Json, way: Way = []): readonly Way[] {
  if (typeof json !== 'object' || json === null) return [way];
  const inside = Object.entries(json).flatMap(([name, member]) =>
    waysIn(member, [...way, Array.isArray(json) ? Number(name) : name]),
  );
  return [way, ...inside];
}

function at(json: Json, way: Way): Json {
  return way.reduce<Json>((here, step) => (here as Record<string | number, Json>)[step]!, json);
}

/** Returns the certificate with a value replaced, and a matching digest. */
function put(certificate: Certificate, way: Way, value: Json): Certificate {
  const copy = structuredClone(certificate);
  (at(copy, way.slice(0, -1)) as Record<string | number, Json>)[way.at(-1)!] = value;
  return { ...copy, digest: certificateDigest(copy) };
}

/** Values that are no index, no number and no list of numbers. */
const strange: readonly Json[] = [
  ...[-1, -0, 0.5, 2 ** 31, 1e300],
  ...['0', null, [], {}],
  JSON.parse('{"__proto__": {"length": 1}}') as Json,
];

/** Lists without repeated elements, by the names leading to the list. */
const withoutRepeats =
  /^(chosen|clauses\.items|properties|kept\.|cones\.memory|invariant\.(memory|marks|attacker\.buffer))$/;

function nameOf(way: Way): string {
  return way
    .map((step) => (typeof step === 'number' ? '' : step))
    .join('.')
    .replaceAll(/\.+/g, '.');
}

function inOrder(claim: Claim): Claim {
  return { ...claim, properties: claim.properties.toSorted() };
}

describe.each(Object.keys(kinds))('what a certificate of kind %s says in a strange way', (kind) => {
  test('is refused, or changes nothing of what it claims', async () => {
    const honest = await honestOf(kind);
    const { automata, net: own, ...body } = honest;
    const given = automata ?? own;
    const report = await verifyCertificate(honest, given, {});
    expect(report).toMatchObject({ claim: { kind } });
    const claim = 'claim' in report ? inOrder(report.claim) : undefined;
    const proves = 'proves' in report ? report.proves : undefined;
    let refused = 0;
    const judge = async (way: Way, value: Json): Promise<string> => {
      const forged = put(honest, way, value);
      const said = await verifyCertificate(forged, given, { maxStates: 20_000 });
      if (said.kind !== 'accepted') refused += 1;
      else expect(inOrder(said.claim), JSON.stringify([way, value])).toEqual(claim);
      return said.kind;
    };
    const ways = waysIn(body).filter(([first]) => first !== 'digest' && first !== undefined);
    expect(proves === undefined || proves.length > 0).toBe(true);
    // One place for each sequence of member names suffices.
    const tried = new Map<string, number>();
    for (const way of ways) {
      const name = nameOf(way);
      tried.set(name, (tried.get(name) ?? 0) + 1);
      if (tried.get(name)! > 1) continue;
      const here = at(honest, way);
      for (const value of strange) await judge(way, value);
      if (!Array.isArray(here) || here.length === 0) continue;
      const again = await judge(way, [...here, here[0]!]);
      if (withoutRepeats.test(name)) expect(again, name).toBe('rejected');
      await judge(way, here.toReversed());
    }
    expect(refused).toBeGreaterThan(ways.length / 2);
  });
});
