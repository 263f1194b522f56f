import { automataToJson, fence, finiteProgram } from '@fencewright/core';
import { expect, test } from 'vitest';
import { verifyCertificate } from '../src/verify.js';
import { programsOfRepository } from './programs.js';

test('certificates for the programs of the repository hold', async () => {
  const kinds = new Map<string, string[]>();
  for (const [file, { model }] of programsOfRepository()) {
    const program = finiteProgram(model);
    if (!program || program.threads.length > 4) continue;
    const limits = { maxStates: 5_000, timeout: 5_000 };
    const { certificate } = await fence(program, { limits });
    if (!certificate) continue;
    const json = JSON.parse(JSON.stringify(certificate)) as object;
    const report = await verifyCertificate(json, automataToJson(program), { maxStates: 5_000 });
    expect(['accepted', 'partly'], `${file}: ${JSON.stringify(report)}`).toContain(report.kind);
    kinds.set(report.kind, [...(kinds.get(report.kind) ?? []), file]);
  }
  console.info([...kinds].map(([kind, files]) => `${kind}: ${files.length}`).join(', '));
  expect(kinds.get('accepted')?.length).toBeGreaterThan(50);
});
