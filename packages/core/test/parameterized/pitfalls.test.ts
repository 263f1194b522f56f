import { expect, test } from 'vitest';
import { checkParameterized } from '../../src/api/check-parameterized.js';
import { parseNative } from '../../src/frontends/native/parse-native.js';

// By counting alone: small instances and the control flow would tell as well.
const counting = { smallInstances: false, staticPath: false };

test.each([
  [
    'a helper in a lock block of several accesses',
    `thread a[*] { local r; x = 1; r = y; }
     thread b[*] { local p; lock; y = 1; p = x; unlock; }`,
  ],
  [
    'an attacker that comes to its last load a second time',
    `thread a[*] { local r, i; x = 1; while (i < 2) { r = f[i]; i = i + 1; } }
     thread b[*] { local p; f[1] = 1; p = x; fence; }`,
  ],
  [
    'a helper that joins the path only at its second access',
    `thread a[*] { local r; x = 1; r = y; }
     thread b[*] { local p; y = 1; fence; z = 1; }
     thread c[*] { local p; z = 2; fence; p = x; }`,
  ],
])('not robust: %s', async (_, threads) => {
  const { parameterized } = parseNative(`program P\nvar x, y, z, f[2]\n${threads}`);
  const { result } = await checkParameterized(parameterized!, counting);
  expect(result.verdict.kind).toBe('not-robust');
});
