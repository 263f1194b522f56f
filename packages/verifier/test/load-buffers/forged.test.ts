import { automataToJson, Budget, finiteProgram } from '@fencewright/core';
import { certifyUnreached } from '@fencewright/core/testing';
import { parseNative } from '@fencewright/core/native';
import { expect, test } from 'vitest';
import { certificateDigest } from '../../src/canonical-json.js';
import { contains, readCone } from '../../src/load-buffers/cone.js';
import type { Report } from '../../src/report.js';
import { verifyCertificate } from '../../src/verify.js';

const text = (fence: string): string => `program Beats
var x, y, beat
thread a {
  local r;
  x = 1; ${fence} r = y;
  if (r == 0) { inside: skip; }
  loop { beat = 1; beat = 0; }
}
thread b {
  local r;
  y = 1; ${fence} r = x;
  if (r == 0) { inside: skip; }
}
property mutex: never (a @ inside && b @ inside)
property beats: never (beat == 2)
property still: never (a @ inside && drained(a) && x == 0)
property lost: finally (y == 1)
property both: exists (x == 0)
property wrong: never (beat == 1)
`;

function parsed(source: string) {
  const { model, diagnostics } = parseNative(source);
  return finiteProgram(model) ?? expect.fail(JSON.stringify(diagnostics));
}

const fenced = parsed(text('fence;'));
const broken = parsed(text(''));
const claimed = ['mutex', 'beats', 'still', 'lost', 'both'];

interface Written {
  readonly digest: string;
  readonly automata: object;
  readonly properties: readonly string[];
  readonly assertions: boolean;
  readonly cones: readonly {
    readonly places: readonly (object | null)[];
    readonly memory: readonly { readonly address: number; readonly value: number }[];
    readonly words: readonly (readonly object[])[];
    readonly lock: number | null;
    readonly frozen: boolean;
    readonly stored?: readonly (boolean | null)[];
  }[];
}

async function certified(names: readonly string[]): Promise<Written> {
  const properties = fenced.properties.filter(({ name }) => names.includes(name));
  const found = await certifyUnreached(fenced, { properties, assertions: false }, new Budget());
  return JSON.parse(JSON.stringify(found)) as Written;
}

function judge(draft: Omit<Written, 'digest'>, given: object = automataToJson(fenced)) {
  const { digest: _, ...open } = { digest: '', ...draft };
  return verifyCertificate({ ...open, digest: certificateDigest(open) }, given, {});
}

test('what buffers of any length keep apart has a certificate', async () => {
  const report = await judge(await certified(claimed));
  expect(report).toMatchObject({ kind: 'accepted', about: 'the program' });
});

test('a certificate is about its program and its properties', async () => {
  const honest = await certified(claimed);
  const isAccepted = ({ kind }: Report): boolean => kind === 'accepted';
  expect(isAccepted(await judge(honest, automataToJson(broken)))).toBe(false);
  const automata = JSON.parse(JSON.stringify(automataToJson(broken))) as object;
  expect(isAccepted(await judge({ ...honest, automata }, automata))).toBe(false);
  expect(isAccepted(await judge({ ...honest, properties: ['wrong'] }))).toBe(false);
  expect(isAccepted(await judge({ ...honest, properties: ['unheard'] }))).toBe(false);
  expect(isAccepted(await judge({ ...honest, properties: [] }))).toBe(false);
});

test('no cones, all configurations, and cones without form prove nothing', async () => {
  const honest = await certified(['mutex']);
  const all = { places: [null, null], memory: [], words: [[], []], lock: null, frozen: false };
  const own = { address: 1, value: 1, own: true };
  for (const cones of [
    [],
    [...honest.cones, all],
    [...honest.cones, { ...all, words: [[], [own, own]] }],
    [...honest.cones, { ...all, words: [[]] }],
    [...honest.cones, { ...all, places: [null] }],
    [...honest.cones, { ...all, lock: 2 }],
    [...honest.cones, { ...all, lock: 0, stored: [true, null] }],
  ])
    expect((await judge({ ...honest, cones })).kind).toBe('rejected');
});

test('nothing can be left out or made smaller unseen', async () => {
  const honest = await certified(['mutex', 'still']);
  const { cones } = honest;
  const read = cones.map((cone) => readCone(cone, ''));
  // The program has no lock, so cones with a lock holder are superfluous, and so are cones that
  // another cone contains.
  const needed = [...cones.keys()].filter(
    (i) => read[i]!.lock === null && !read.some((other, j) => j !== i && contains(other, read[i]!)),
  );
  expect(needed.length).toBeGreaterThan(cones.length / 2);
  const counts = { rejected: 0, accepted: 0 };
  const beat = { address: 999, value: 7, own: false };
  for (const i of needed) {
    const cone = cones[i]!;
    for (const changed of [
      [],
      [{ ...cone, words: cone.words.map((word, t) => (t === 0 ? [...word, beat] : word)) }],
      [{ ...cone, memory: [...cone.memory, { address: 999, value: 0 }] }],
      [{ ...cone, lock: 0 }],
    ]) {
      const report = await judge({ ...honest, cones: cones.toSpliced(i, 1, ...changed) });
      counts[report.kind === 'accepted' ? 'accepted' : 'rejected']++;
    }
  }
  // Each needed cone has violations or leads to them, and no other cone contains it.
  expect(counts.accepted).toBe(0);
  expect(counts.rejected).toBe(4 * needed.length);
});
