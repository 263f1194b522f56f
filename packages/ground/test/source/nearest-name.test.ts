import { describe, expect, test } from 'vitest';
import { nearestName } from '../../src/source/nearest-name.js';

describe('the nearest name', () => {
  test.each([
    ['flg', ['flag', 'turn'], 'flag'],
    ['tunr', ['flag', 'turn'], 'turn'],
    ['FLAG', ['flag', 'fla'], 'flag'],
    ['x1', ['x', 'y'], 'x'],
    ['critical', ['criticl', 'political'], 'criticl'],
  ])('%s among %j', (name, candidates, nearest) => {
    expect(nearestName(name, candidates)).toBe(nearest);
  });

  test.each([
    ['turn', ['flag', 'x']],
    ['abcdef', ['uvwxyz']],
    ['flag', ['flag']],
    ['flag', []],
    // A single replaced letter gives no hint.
    ['r', ['x', 'y']],
  ])('%s: none among %j', (name, candidates) => {
    expect(nearestName(name, candidates)).toBeUndefined();
  });
});
