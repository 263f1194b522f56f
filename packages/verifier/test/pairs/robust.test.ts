import {
  attacksByDefinition,
  FeatureCount,
  programFeatures,
  randomAutomata,
  randomProgram,
} from '@fencewright/core/testing';
import { automataToJson, decide, finiteProgram, type Program } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inCampaign, isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { openAttacks } from '../../src/control-flow.js';
import { readAutomata } from '../../src/read-automata.js';
import type { Report } from '../../src/report.js';
import { StaticPaths } from '../../src/static-path.js';
import { verifyCertificate } from '../../src/verify.js';
import { sealed } from '../copies/certify.js';

const runs = randomRuns(150, 3000);
const seed = randomSeed(20261124);
const mostConfigurations = inCampaign(3_000, 20_000);

interface Body {
  readonly happensBefore: 'standard' | 'value';
  readonly kept?: readonly (readonly number[])[];
}

/** Returns the certificate written by `check` for a robust program; otherwise the verdict. */
async function proofOf(
  program: Program,
  happensBefore: 'standard' | 'value' = 'standard',
): Promise<Body | string> {
  const question = { kind: 'check', certify: true, happensBefore } as const;
  const answer = await decide({ kind: 'finite', program }, question, { maxStates: 100_000 });
  if (answer.kind !== 'check') return answer.kind;
  if (!answer.certificate) return answer.result?.verdict.kind ?? 'none';
  const { kept } = JSON.parse(JSON.stringify(answer.certificate)) as Body;
  return { happensBefore, ...(kept && { kept }) };
}

function verify(program: Program, body: object, maxStates = 300_000): Promise<Report> {
  const automata = automataToJson(program);
  return verifyCertificate(sealed('robust', automata, body), automata, { maxStates });
}

function parse(text: string): Program {
  const { model, diagnostics } = parseNative(`program P\n${text}`);
  return finiteProgram(model) ?? expect.fail(JSON.stringify(diagnostics));
}

const handOver = parse(`var turn = 0, data
  thread a { local r; turn = 1; r = turn; data = 1; fence; r = data; }
  thread b { local s; s = data; turn = s; }`);
const storeBuffering = parse(`var x, y
  thread a { local r; x = 1; r = y; }
  thread b { local s; y = 1; s = x; }`);
/**
 * A program whose load happens after the store only if the second thread has written a value that
 * no thread writes.
 */
const neverWritten = parse(`var x, y, z
  thread a { local r, p; p = z; assume (p == 7); x = 1; r = y; }
  thread b { local s; y = 1; fence; s = x; }`);

describe('a certificate that a program is robust', () => {
  test.each([
    ['one of which addresses tell all', handOver],
    ['one in which a store is out of reach', neverWritten],
  ])('holds: %s', async (_, program) => {
    const body = await proofOf(program);
    expect(body).toMatchObject({ happensBefore: 'standard' });
    expect(await verify(program, body as Body, 0 + 10_000)).toMatchObject({ kind: 'accepted' });
  });

  test('is not written for a program that is not', async () => {
    expect(await proofOf(storeBuffering)).toBe('not-robust');
  });

  test('without kept cells is a search', async () => {
    const nothing = { happensBefore: 'standard' };
    expect(await verify(neverWritten, nothing)).toMatchObject({ kind: 'accepted' });
    expect(await verify(storeBuffering, nothing)).toMatchObject({ kind: 'rejected' });
    // A search limited to one state decides nothing.
    expect(await verify(storeBuffering, nothing, 1)).toMatchObject({ kind: 'partly' });
  });

  test('of another program does not hold', async () => {
    const body = (await proofOf(neverWritten)) as Body;
    const report = await verifyCertificate(
      sealed('robust', automataToJson(neverWritten), body),
      automataToJson(handOver),
      {},
    );
    expect(report).toMatchObject({ kind: 'rejected' });
  });

  test('with the kept cells of a robust program does not make another robust', async () => {
    // The same threads, but here thread b writes the value that no thread of the robust program
    // writes.
    const other = parse(`var x, y, z
      thread a { local r, p; p = z; assume (p == 7); x = 1; r = y; }
      thread b { local s; z = 7; y = 1; fence; s = x; }`);
    const body = (await proofOf(neverWritten)) as Body;
    expect(body.kept).toBeDefined();
    expect(await verify(other, body)).toMatchObject({ kind: 'rejected' });
  });
});

const programs = fc.oneof(
  randomProgram({ maxThreads: 2 }),
  randomProgram({ fewValues: true }),
  randomProgram(),
  randomAutomata({ faults: true, maxThreads: 2, maxSpine: 5 }),
);

test(`what is written for ${runs} random programs holds, and for programs that are not robust nothing does`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(
      programs,
      fc.constantFrom('standard', 'value'),
      async (program, happensBefore) => {
        const body = await proofOf(program, happensBefore);
        const automata = readAutomata(automataToJson(program), 'automata');
        const byDefinition = attacksByDefinition(program, mostConfigurations, happensBefore);
        const paths = new StaticPaths(automata);
        for (const { thread, store, load } of byDefinition.feasible) {
          expect(openAttacks(automata.threads[thread]!).get(store)).toContain(load);
          expect(paths.refutes(thread, store, load)).toBe(false);
        }
        if (typeof body === 'string') {
          count.add([body]);
          return;
        }
        const report = await verify(program, body);
        expect('findings' in report ? report.findings : []).toEqual([]);
        expect(['accepted', 'partly', 'unknown']).toContain(report.kind);
        const proves = report.kind === 'accepted' ? (report.proves[1] ?? '') : '';
        count.add([
          ...programFeatures(program),
          report.kind,
          ...(/pairs of components [1-9]/.test(proves) ? ['by pairs'] : []),
          ...(proves.includes('search of all states') ? ['by a search'] : []),
        ]);
      },
    ),
    { numRuns: runs, seed },
  );
  if (isCampaign) console.log(count.toString());
  if (runs < 400) return;
  for (const feature of ['accepted', 'by pairs', 'not-robust'])
    expect(count.get(feature), feature).toBeGreaterThan(20);
});
