import { expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { sealCertificate } from '@fencewright/model/program/seal-certificate.js';
import { openProgram } from '../../../proofs/test/proving.js';
import { describeWith } from '../../../../tools/external-program.js';
import { certificateDigest, verifyCertificate } from '@fencewright/verifier';
import { type Draft, forgeries } from './forgeries.js';
import { refute } from './judge.js';
import { randomProofText } from './random-proof-text.js';
import { unprovedClaims } from './unproved-claims.js';

/* eslint-disable @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-argument -- what a forger writes has any form */

const runs = randomRuns(130, 4000, 60);
const seed = randomSeed(20_180_714);

/** Returns a certificate with unproved claims. Forgeries then change the certificate. */
async function draftOf(random: SeededRandom): Promise<{ text: string; draft: Draft }> {
  for (;;) {
    const text = randomProofText(random);
    const open = openProgram(text);
    const claims = unprovedClaims(open, []);
    if (!claims) continue;
    const sealed = await sealCertificate('proof', open, claims);
    return { text, draft: JSON.parse(JSON.stringify(sealed)) };
  }
}

describeWith('z3', ['--version'], 'forged proofs', () => {
  it('are not accepted where small instances refute them', async () => {
    const random = new SeededRandom(seed);
    const seen = { accepted: 0, rejected: 0, other: 0, refutable: 0, judged: 0 };
    const kinds = new Map(forgeries.map(({ name }) => [name, { tried: 0, accepted: 0 }]));
    let before = (await draftOf(random)).draft;
    for (let i = 0; i < runs; i++) {
      const forgery = forgeries[i % forgeries.length]!;
      let { text, draft } = await draftOf(random);
      const other = before;
      before = structuredClone<Draft>(draft);
      for (let tries = 0; forgery.forge(draft, random, other) === false && tries < 50; tries++)
        ({ text, draft } = await draftOf(random));
      draft.digest = certificateDigest(draft as object);
      const report = await verifyCertificate(draft, undefined, {
        solvers: ['z3'],
        timeout: 60_000,
      });
      const count = kinds.get(forgery.name)!;
      count.tried++;
      const where = `${forgery.name}, ${JSON.stringify(report)}:\n${text}`;
      if (report.kind === 'accepted') {
        seen.accepted++;
        count.accepted++;
        expect(forgery.isAlwaysFalse, where).toBeUndefined();
        expect(await refute(draft), where).toBeUndefined();
      } else if (report.kind === 'rejected') {
        seen.rejected++;
        // Checks that the judge can refute, for some of the rejected certificates.
        if (forgery.isAlwaysFalse || i % 4 > 0) continue;
        seen.judged++;
        if ((await refute(draft).catch(() => undefined)) !== undefined) seen.refutable++;
      } else seen.other++;
    }
    console.log(
      'forged proofs',
      seen,
      Object.fromEntries([...kinds].map(([k, v]) => [k, `${v.accepted}/${v.tried}`])),
    );
    expect(seen.accepted).toBeGreaterThan(runs / 20);
    expect(seen.rejected).toBeGreaterThan(runs / 4);
    expect(seen.refutable).toBeGreaterThan(0);
    expect(seen.other).toBe(0);
  });
});
