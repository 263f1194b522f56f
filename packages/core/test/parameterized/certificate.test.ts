import { describe, expect, test } from 'vitest';
import { checkParameterized, verifyAllInstances } from '../../src/api/check-parameterized.js';
import {
  type ParameterizedCertificate,
  parameterizedCertificateDigest,
} from '../../src/parameterized/certificate.js';
import type { ParameterizedProgram } from '../../src/program/parameterized-program.js';
import { loadParameterized } from './load-parameterized.js';

const files = loadParameterized();
const robust = files.filter(({ expected }) => expected.verdict === 'robust');
const broken = files.filter(({ expected }) => expected.verdict === 'not-robust');

/** As it is read from a file. */
async function certify(
  program: ParameterizedProgram,
  options = {},
): Promise<ParameterizedCertificate> {
  const { certificate } = await checkParameterized(program, { ...options, certify: true });
  if (!certificate) throw new Error('there is no certificate');
  return JSON.parse(JSON.stringify(certificate)) as ParameterizedCertificate;
}

/** The certificate with a digest that fits it. */
async function resealed(certificate: ParameterizedCertificate): Promise<ParameterizedCertificate> {
  return { ...certificate, digest: await parameterizedCertificateDigest(certificate) };
}

type Path = readonly (string | number)[];

/** Where the numbers, texts and flags of a value stand. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, part]) => leavesOf(part, [...path, key]));
}

function changedLeaf(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return `${String(value)}?`;
}

function withChange(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return changedLeaf(value);
  const fields = value as Readonly<Record<string, unknown>>;
  const changed = withChange(fields[key], rest);
  return Array.isArray(value)
    ? value.map((part: unknown, i) => (i === Number(key) ? changed : part))
    : { ...fields, [key]: changed };
}

/** Some 60 of the items, evenly. */
function sample<T>(items: readonly T[]): readonly T[] {
  const step = Math.ceil(items.length / 60);
  return items.filter((_, i) => i % step === 0);
}

describe('certificates for all instances', () => {
  test.each(robust)('$path: holds, however it was decided', async ({ program }) => {
    for (const options of [
      {},
      { allAttacks: true },
      { staticPath: false, smallInstances: false },
      { maskDeadRegisters: false, ownedCells: false },
    ])
      expect(await verifyAllInstances(await certify(program, options), program)).toEqual([]);
  });

  test.each(robust)('$path: a changed leaf is noticed', async ({ program }) => {
    const certificate = await certify(program);
    for (const path of sample(leavesOf(certificate))) {
      const changed = withChange(certificate, path);
      expect(await verifyAllInstances(changed, program), path.join('.')).not.toEqual([]);
    }
  });

  test.each(robust)(
    '$path: what is left out or said falsely is noticed, whatever the digest',
    async ({ program }) => {
      const certificate = await certify(program);
      const { attacks, invariant } = certificate;
      const flawsOf = async (changed: Partial<ParameterizedCertificate>) =>
        verifyAllInstances(await resealed({ ...certificate, ...changed }), program);
      expect(await flawsOf({})).toEqual([]);
      for (const left of sample([...attacks.keys()]))
        expect(await flawsOf({ attacks: attacks.filter((_, i) => i !== left) })).not.toEqual([]);
      for (const left of sample([...invariant.keys()]))
        expect(await flawsOf({ invariant: invariant.filter((_, i) => i !== left) })).not.toEqual(
          [],
        );
      for (const [i, { by }] of sample([...attacks.entries()])) {
        if (by === 'control-flow') continue;
        const lies = attacks.map((attack, j) =>
          j === i ? { ...attack, by: 'control-flow' as const } : attack,
        );
        expect(await flawsOf({ attacks: lies })).not.toEqual([]);
      }
      // What a state is called is all that its meaning hangs on.
      for (const path of sample(leavesOf(invariant, ['invariant']))) {
        if (path.at(-1) === 'count') continue;
        const changed = withChange(certificate, path) as ParameterizedCertificate;
        expect(
          await verifyAllInstances(await resealed(changed), program),
          path.join('.'),
        ).not.toEqual([]);
      }
    },
  );

  test.each(robust)(
    '$path: holds, whatever the names of threads, registers and locations',
    async ({ program }) => {
      const { templates } = program;
      const namesake = {
        ...program,
        templates: {
          ...templates,
          threads: templates.threads.map((thread) => ({
            ...thread,
            name: 't',
            locations: thread.locations.map((location) => ({ ...location, name: 'l' })),
            registers: thread.registers.map((register) => ({ ...register, name: 'r' })),
          })),
        },
      };
      const certificate = await certify(namesake, { staticPath: false });
      expect(await verifyAllInstances(certificate, namesake)).toEqual([]);
    },
  );

  test('speak of searched attacks and of unsearched ones, somewhere', async () => {
    const kinds = new Set<string>();
    for (const { program } of robust)
      for (const { by } of (await certify(program)).attacks) kinds.add(by);
    expect([...kinds].sort()).toEqual(['control-flow', 'invariant', 'static-path']);
  });

  test.each(broken)('$path: there is none, and none can be made up', async ({ program }) => {
    const { certificate } = await checkParameterized(program, { certify: true });
    expect(certificate).toBeUndefined();
    const other = await certify(robust[0]!.program);
    expect(await verifyAllInstances(other, program)).toEqual([
      'the certificate is about another program',
    ]);
    const { parameterizedDigest } = await import('../../src/parameterized/certificate.js');
    const { attacksOfTemplates } = await import('../../src/parameterized/attack-jobs.js');
    const { createTemplateAutomata } = await import('../../src/parameterized/template-automata.js');
    const { all, open } = attacksOfTemplates(
      createTemplateAutomata(program, { ...other.states, notion: 'standard' }),
    );
    for (const by of ['invariant', 'static-path', 'control-flow'] as const) {
      const attacks = all.map((attack) => ({
        ...attack,
        by: open.includes(attack) ? by : ('control-flow' as const),
      }));
      const made = {
        ...other,
        attacks,
        invariant: [],
        program: await parameterizedDigest(program),
      };
      expect(await verifyAllInstances(await resealed(made), program)).not.toEqual([]);
    }
  });

  test('refuse other forms', async () => {
    const { program } = robust[0]!;
    for (const value of [undefined, 3, {}, [], { format: 'fencewright-certificate' }])
      expect(await verifyAllInstances(value, program)).toHaveLength(1);
  });
});
