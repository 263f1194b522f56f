import { describe, expect, test } from 'vitest';
import {
  enumerateEventTraces,
  eventVerdicts,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { stories } from './stories.js';

describe('enumerated by the definitions', () => {
  test.each(stories)('$name', ({ program, concurrency, tso, tsoSerial, finals }) => {
    const sc = enumerateEventTraces(program, 'SC');
    const buffered = enumerateEventTraces(program, 'TSO');
    expect(eventVerdicts(sc, buffered)).toEqual({ concurrency, tso, tsoSerial });
    const single = enumerateEventTraces(program, 'single');
    expect([single, sc, buffered].map(({ finalStates }) => finalStates)).toEqual(finals);
  });
});
