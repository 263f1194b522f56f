import { expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { answeredCheck } from '../../src/api/answered-check.js';
import { checkReport } from '@fencewright/reports/text/check.js';
import { plainPalette } from '@fencewright/reports/text/palette.js';
import { adviceInWords } from '../../../cli/src/advice-in-words.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

// The last two threads are not robust, but reach the same final states.
const program = programOf(`var x, y, k, a, b
  thread sleeper { local z; y = 1; if (x == 0) { atomic { z = k; assume (z > 0); } } }
  thread waker { x = 1; if (y == 1) { xchg(k, 1); } }
  thread t { local r; a = 1; r = b; r = 0; }
  thread u { b = 1; fence; if (a == 0) { skip; } }`);

test('the hint to progress says what it costs, and what robustness costs', async () => {
  const result = await check(program);
  const model = { kind: 'finite', program } as const;
  const answered = await answeredCheck(model, { answers: 'full' }, result, {});
  expect(answered.progressPrice).toEqual({ progress: 2, robust: 3 });
  const subject = { file: 'a.fw', source: '', program, advise: adviceInWords };
  const text = checkReport(subject, { ...result, ...answered }, { palette: plainPalette });
  expect(text).toContain(
    'fence --for progress a.fw finds the cheapest fences against it: 2 fences; robustness takes 3',
  );
  const few = await answeredCheck(model, { answers: 'full' }, result, { maxStates: 300 });
  expect(few.progressPrice).toBeUndefined();
});
