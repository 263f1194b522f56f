import { describe, expect, it } from 'vitest';
import { whyNotCompared, whyProperty, whyUnproved } from '../src/words/why-unproved.js';
import { openProgram } from '../../proofs/test/proving.js';

describe('what is missing for a proof', () => {
  const templates = openProgram('program P var x thread t { x = 1; }');

  it('is told with the thread that it is about', () => {
    const why = { kind: 'loop-in-block', thread: 0 } as const;
    expect(whyUnproved(templates, why)).toBe("'t' has a loop inside a lock block");
  });

  it('counts stores', () => {
    expect(whyUnproved(templates, { kind: 'stores', open: 1 })).toBe('1 store has no argument');
    expect(whyUnproved(templates, { kind: 'stores', open: 2 })).toBe('2 stores have no argument');
  });

  it('depends on whether TSO has been shown to add nothing', () => {
    const why = { kind: 'under-sc', of: 'abstraction' } as const;
    expect(whyProperty('unknown', why)).toBe(
      'the abstraction has it under SC, but TSO may reach more states',
    );
    expect(whyProperty('holds', why)).toContain('and so has every state');
  });

  it('names the limit', () => {
    expect(whyNotCompared({ kind: 'many-states', maxStates: 7 })).toContain('more than 7 states');
  });
});
