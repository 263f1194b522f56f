import { expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

const passing = (order: string): string => `program MessagePassing
var data, ready
thread sender {
  store(data, 1, relaxed);
  store(ready, 1, ${order});
}
thread receiver {
  local r;
  await(load(ready, acquire) == 1);
  r = load(data, relaxed);
}
`;

test('a certificate against C11 is about the memory orders of the text', async () => {
  const files = { 'release.fw': passing('release'), 'relaxed.fw': passing('relaxed') };
  const cwd = await folderWith(files);
  const certify = (file: string) =>
    fencewright(['check', '--model', 'c11', file, '--certificate', `${file}.json`], { cwd });
  const verify = (file: string) =>
    fencewright(['verify-certificate', 'release.fw.json', file], { cwd });
  expect((await certify('release.fw')).code).toBe(0);
  const held = await verify('release.fw');
  expect([held.code, held.stderr]).toEqual([0, '']);
  expect(held.stdout).toContain('every execution graph that C11 allows is one of an interleaving');
  const other = await verify('relaxed.fw');
  expect(other.code).toBe(10);
  expect(other.stdout + other.stderr).toContain('the certificate is about another program');
  const refused = await certify('relaxed.fw');
  expect(refused.code).toBe(10);
  expect(refused.stderr).toContain('relaxed.fw.json is not written: only robustness has a proof');
});
