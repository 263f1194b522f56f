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
    'an attacker that goes on behind a load that nobody follows',
    `thread a[*] { local r, s; x = 1; s = z; r = y; }
     thread b[*] { local p; y = 1; p = x; fence; }
     thread c { z = 1; }`,
  ],
  [
    'a helper that joins the path only at its second access',
    `thread a[*] { local r; x = 1; r = y; }
     thread b[*] { local p; y = 1; fence; z = 1; }
     thread c[*] { local p; z = 2; fence; p = x; }`,
  ],
])('not robust: %s', async (_, threads) => {
  const { parameterized } = parseNative(`program P\nvar x, y, z\n${threads}`);
  const { result } = await checkParameterized(parameterized!, counting);
  expect(result.verdict.kind).toBe('not-robust');
});
