import { describe, expect, it } from 'vitest';
import { listBody, listing, parseBody, parseGood } from './listing.js';

describe('stores, loads and register statements', () => {
  it('makes one instruction of each plain statement', () => {
    expect(
      listBody(
        'local r;',
        'x = 1;',
        'r = x;',
        'r = r + 1;',
        'x = r;',
        'fence;',
        'mfence;',
        'skip;',
      ),
    ).toEqual([
      'L5: x = 1 -> L6',
      'L6: r = x -> L7',
      'L7: r = r + 1 -> L8',
      'L8: x = r -> L9',
      'L9: fence -> L10',
      'L10: fence -> L11',
      'L11: skip -> L12',
    ]);
  });

  it('makes a load and a store of x = x + 1', () => {
    expect(listBody('x = x + 1;')).toEqual(['L4: h1 = x -> L4b', 'L4b: x = h1 + 1 -> L5']);
  });

  it('loads the index of a cell before the value, and reuses hidden registers in the next statement', () => {
    expect(listBody('a[x] = y;', 'x = y;')).toEqual([
      'L4: h1 = x -> L4b',
      'L4b: h2 = y -> L4c',
      'L4c: a[h1] = h2 -> L5',
      'L5: h1 = y -> L5b',
      'L5b: x = h1 -> L6',
    ]);
  });

  it('loads a cell with a register as index directly', () => {
    const program = parseBody('local r;', 'r = a[r];', 'r = mem[r];');
    expect(listing(program)).toEqual(['L5: r = a[r] -> L6', 'L6: r = mem[r] -> L7']);
    expect(program.threads[0]!.registers).toEqual([{ name: 'r', hidden: false }]);
  });

  it('takes addresses without reading memory', () => {
    const { threads, symbols } = parseBody('p = &x;', 'p = &a[1];', 'mem[p] = 2;', 'mem[5] = 3;');
    const p = { kind: 'address', symbol: symbols.findIndex(({ name }) => name === 'p') };
    const a = symbols.findIndex(({ name }) => name === 'a');
    expect(threads[0]!.transitions.map(({ instruction }) => instruction)).toEqual([
      { kind: 'store', address: p, value: { kind: 'address', symbol: 0 } },
      {
        kind: 'store',
        address: p,
        value: { kind: 'element', symbol: a, index: { kind: 'constant', value: 1 } },
      },
      { kind: 'load', into: 0, address: p },
      {
        kind: 'store',
        address: { kind: 'register', register: 0 },
        value: { kind: 'constant', value: 2 },
      },
      {
        kind: 'store',
        address: { kind: 'constant', value: 5 },
        value: { kind: 'constant', value: 3 },
      },
    ]);
  });

  it('declares registers for the whole thread; initial values are instructions', () => {
    const program = parseBody('r = s;', 'local r, s = 3, u = x;');
    expect(listing(program)).toEqual(['L4: r = s -> L5', 'L5: s = 3 -> L5b', 'L5b: u = x -> L6']);
    expect(program.threads[0]!.registers.map(({ name }) => name)).toEqual(['r', 's', 'u']);
  });
});

describe('read-modify-write', () => {
  it('keeps or drops the result', () => {
    expect(
      listBody(
        'local r;',
        'r = xchg(x, 2);',
        'r = cas(a[1], 0, r);',
        'fetch_add(x, 1);',
        'r = fetch_sub(mem[r], 1);',
        'fetch_and(x, 1); fetch_or(x, 2); fetch_xor(x, 3);',
      ),
    ).toEqual([
      'L5: r = xchg(x, 2) -> L6',
      'L6: r = cas(a[1], 0, r) -> L7',
      'L7: fetch_add(x, 1) -> L8',
      'L8: r = fetch_sub(mem[r], 1) -> L9',
      'L9: fetch_and(x, 1) -> L9b',
      'L9b: fetch_or(x, 2) -> L9c',
      'L9c: fetch_xor(x, 3) -> L10',
    ]);
  });

  it('loads shared operands first, the cell before the others', () => {
    expect(listBody('x = cas(a[y], z, 1);')).toEqual([
      'L4: h1 = y -> L4b',
      'L4b: h2 = z -> L4c',
      'L4c: h3 = cas(a[h1], h2, 1) -> L4d',
      'L4d: x = h3 -> L5',
    ]);
  });

  it('may stand in conditions', () => {
    expect(listBody('while (xchg(x, 1) != 0) { }')).toEqual([
      'L4: h1 = xchg(x, 1) -> L4b',
      'L4b: assume(h1 != 0) -> L4',
      'L4b: assume(h1 == 0) -> L5',
    ]);
  });
});

describe('branches', () => {
  it('tests a register condition by a pair of assume', () => {
    expect(listBody('local r;', 'if (r < 2) x = 1; else x = 2;', 'y = 1;')).toEqual([
      'L5: assume(r < 2) -> L5b',
      'L5: assume(r >= 2) -> L5c',
      'L5b: x = 1 -> L6',
      'L5c: x = 2 -> L6',
      'L6: y = 1 -> L7',
    ]);
  });

  it('flips each comparison', () => {
    const flipped = (condition: string) =>
      listBody('local r;', `if (${condition}) { skip; }`).slice(0, 2);
    expect(flipped('r == 1')).toEqual(['L5: assume(r == 1) -> L5b', 'L5: assume(r != 1) -> L6']);
    expect(flipped('r != 1')).toEqual(['L5: assume(r != 1) -> L5b', 'L5: assume(r == 1) -> L6']);
    expect(flipped('r > 1')).toEqual(['L5: assume(r > 1) -> L5b', 'L5: assume(r <= 1) -> L6']);
    expect(flipped('r >= 1')).toEqual(['L5: assume(r >= 1) -> L5b', 'L5: assume(r < 1) -> L6']);
    expect(flipped('r <= 1')).toEqual(['L5: assume(r <= 1) -> L5b', 'L5: assume(r > 1) -> L6']);
    expect(flipped('r')).toEqual(['L5: assume(r) -> L5b', 'L5: assume(!r) -> L6']);
    expect(flipped('!r')).toEqual(['L5: assume(!r) -> L5b', 'L5: assume(r) -> L6']);
    expect(flipped('!(r == 1)')).toEqual(['L5: assume(r != 1) -> L5b', 'L5: assume(r == 1) -> L6']);
    expect(flipped('r & 1')).toEqual(['L5: assume(r & 1) -> L5b', 'L5: assume(!(r & 1)) -> L6']);
  });

  it('needs no instruction for empty branches and else-if', () => {
    expect(listBody('local r;', 'if (r == 1) { } else if (r == 2) { } else y = 1;')).toEqual([
      'L5: assume(r == 1) -> L6',
      'L5: assume(r != 1) -> L5b',
      'L5b: assume(r == 2) -> L6',
      'L5b: assume(r != 2) -> L5c',
      'L5c: y = 1 -> L6',
    ]);
  });

  it('decides constant conditions at once and drops what cannot be reached', () => {
    expect(listBody('if (true) x = 1; else x = 2;', 'while (0) { x = 3; }', 'y = 1;')).toEqual([
      'L4: x = 1 -> L6',
      'L6: y = 1 -> L7',
    ]);
  });

  it('gives a dangling else to the inner if', () => {
    expect(listBody('local r;', 'if (r == 1) if (r == 2) x = 1; else x = 2;')).toEqual([
      'L5: assume(r == 1) -> L5b',
      'L5: assume(r != 1) -> L6',
      'L5b: assume(r == 2) -> L5c',
      'L5b: assume(r != 2) -> L5d',
      'L5c: x = 1 -> L6',
      'L5d: x = 2 -> L6',
    ]);
  });
});

describe('loops', () => {
  it('spends nothing on while (true), break, continue and goto', () => {
    expect(
      listBody(
        'local r;',
        'while (true) {',
        'x = 1;',
        'if (r == 1) break;',
        'if (r == 2) continue;',
        'if (r == 3) goto out;',
        '}',
        'y = 1;',
        'out: skip;',
      ),
    ).toEqual([
      'L6: x = 1 -> L7',
      'L7: assume(r == 1) -> L11',
      'L7: assume(r != 1) -> L8',
      'L8: assume(r == 2) -> L6',
      'L8: assume(r != 2) -> L9',
      'L9: assume(r == 3) -> out',
      'L9: assume(r != 3) -> L6',
      'L11: y = 1 -> out',
      'out: skip -> L13',
    ]);
  });

  it('loads turn only if the first conjunct held', () => {
    expect(listBody('while (a[1] == 1 && y == 1) { }')).toEqual([
      'L4: h1 = a[1] -> L4b',
      'L4b: assume(h1 == 1) -> L4c',
      'L4b: assume(h1 != 1) -> L5',
      'L4c: h1 = y -> L4d',
      'L4d: assume(h1 == 1) -> L4',
      'L4d: assume(h1 != 1) -> L5',
    ]);
  });

  it('runs the body of do-while first; continue goes to the test', () => {
    expect(
      listBody('local r;', 'do {', 'if (r == 1) continue;', 'r = x;', '} while (r < 3);'),
    ).toEqual([
      'L6: assume(r == 1) -> L8',
      'L6: assume(r != 1) -> L7',
      'L7: r = x -> L8',
      'L8: assume(r < 3) -> L6',
      'L8: assume(r >= 3) -> L9',
    ]);
  });

  it('loops forever with loop', () => {
    expect(listBody('loop {', 'x = 1;', '}', 'y = 2;')).toEqual(['L5: x = 1 -> L5']);
  });

  it('tells an endless loop without instructions from an end', () => {
    const endless = ['L4: skip -> L4'];
    expect(listBody('while (true) { }')).toEqual(endless);
    expect(listBody('loop { ; }')).toEqual(endless);
    expect(listBody('do { } while (1);')).toEqual(endless);
    expect(listBody('here: goto here;')).toEqual(['here: skip -> here']);
  });

  it('keeps loops apart from the loop around them', () => {
    expect(listBody('while (x == 1) {', 'while (y == 1) { }', '}')).toEqual([
      'L4: h1 = x -> L4b',
      'L4b: assume(h1 == 1) -> L5',
      'L4b: assume(h1 != 1) -> L7',
      'L5: h1 = y -> L5b',
      'L5b: assume(h1 == 1) -> L5',
      'L5b: assume(h1 != 1) -> L4',
    ]);
  });
});

describe('free choice', () => {
  it('lets both branches of if (*) leave the same location', () => {
    expect(listBody('if (*) x = 1; else x = 2;', 'y = 1;')).toEqual([
      'L4: x = 1 -> L5',
      'L4: x = 2 -> L5',
      'L5: y = 1 -> L6',
    ]);
  });

  it('skips where a branch has no first instruction of its own', () => {
    expect(listBody('if (*) x = 1;', 'y = 1;')).toEqual([
      'L4: x = 1 -> L5',
      'L4: skip -> L5',
      'L5: y = 1 -> L6',
    ]);
    expect(listBody('while (*) { x = 1; }', 'y = 1;')).toEqual([
      'L4: x = 1 -> L4',
      'L4: skip -> L5',
      'L5: y = 1 -> L6',
    ]);
    expect(listBody('do x = 1; while (*);')).toEqual([
      'L4: x = 1 -> L4b',
      'L4b: skip -> L4',
      'L4b: skip -> L5',
    ]);
  });

  it('lets the branches of choose leave the same location', () => {
    expect(listBody('choose { x = 1; y = 1; } or { local r; r = x; } or { fence; }')).toEqual([
      'L4: x = 1 -> L4b',
      'L4b: y = 1 -> L5',
      'L4: r = x -> L5',
      'L4: fence -> L5',
    ]);
  });

  it('separates the choice from loops, labels and jumps at the start of a branch', () => {
    expect(
      listBody(
        'choose { while (x == 1) { } }',
        'or { here: y = 1; }',
        'or { }',
        'or { goto here; }',
        'skip;',
      ),
    ).toEqual([
      'L4b: h1 = x -> L4c',
      'L4c: assume(h1 == 1) -> L4b',
      'L4c: assume(h1 != 1) -> L8',
      'L4: skip -> L4b',
      'here: y = 1 -> L8',
      'L4: skip -> here',
      'L4: skip -> L8',
      'L4: skip -> here',
      'L8: skip -> L9',
    ]);
  });

  it('flattens nested choices', () => {
    expect(listBody('choose { choose { x = 1; } or { x = 2; } } or { x = 3; }')).toEqual([
      'L4: x = 1 -> L5',
      'L4: x = 2 -> L5',
      'L4: x = 3 -> L5',
    ]);
  });
});

describe('atomic blocks, locks, conditions and havoc', () => {
  it('puts lock and unlock around an atomic block', () => {
    expect(listBody('atomic {', 'x = 1;', 'while (y == 1) break;', '}')).toEqual([
      'L4: lock -> L5',
      'L5: x = 1 -> L6',
      'L6: h1 = y -> L6b',
      'L6b: assume(h1 == 1) -> L7',
      'L6b: assume(h1 != 1) -> L7',
      'L7: unlock -> L8',
    ]);
  });

  it('takes lock and unlock alone, also as names', () => {
    expect(listBody('lock;', 'unlock;')).toEqual(['L4: lock -> L5', 'L5: unlock -> L6']);
    expect(listing(parseGood('program P\nvar lock, end\nthread t { lock = end; lock; }'))).toEqual([
      'L3: h1 = end -> L3b',
      'L3b: lock = h1 -> L3c',
      'L3c: lock -> L3d',
    ]);
  });

  it('blocks with assume, checks with assert', () => {
    expect(
      listBody('local r;', 'assume(r == 1 && r < 3);', 'assert(x == 1);', 'assert(r);'),
    ).toEqual([
      'L5: assume(r == 1 && r < 3) -> L6',
      'L6: h1 = x -> L6b',
      'L6b: assert(h1 == 1) -> L7',
      'L7: assert(r) -> L8',
    ]);
  });

  it('reads the shared variable of a havoc condition once, before', () => {
    expect(
      listBody(
        'local r, s;',
        'havoc r in 0..3;',
        'havoc r with r <= s;',
        'havoc r with r == x || r == x + 1;',
        'havoc r in -1..1 with a[s] != r;',
        'havoc r;',
      ),
    ).toEqual([
      'L5: havoc r in 0..3 -> L6',
      'L6: havoc r with r <= s -> L7',
      'L7: h1 = x -> L7b',
      'L7b: havoc r with r == h1 || r == h1 + 1 -> L8',
      'L8: h1 = a[s] -> L8b',
      'L8b: havoc r in -1..1 with h1 != r -> L9',
      'L9: havoc r -> L10',
    ]);
  });

  it('hands annotations to all instructions of a statement, and inner ones win', () => {
    const { threads } = parseBody(
      '@cost(5) x = x + 1;',
      '@nofence { x = 1; @cost(2) y = 1; }',
      '@cost(3) @nofence fence;',
      'x = 2;',
    );
    expect(threads[0]!.transitions.map(({ cost, nofence }) => [cost, nofence])).toEqual([
      [5, undefined],
      [5, undefined],
      [undefined, true],
      [2, true],
      [3, true],
      [undefined, undefined],
    ]);
  });
});

describe('locations', () => {
  it('names a location after its first label and resolves the others', () => {
    const program = parseGood(
      'program P\nvar x\nthread t {\na: while (true) {\nb: c: x = 1;\n}\ndone:\n}\n' +
        'property p: never (t @ a || t @ b || t @ c || t @ done)',
    );
    expect(listing(program)).toEqual(['a: x = 1 -> a']);
    expect(JSON.stringify(program.properties[0]!.condition).match(/"location":\d/g)).toEqual([
      '"location":0',
      '"location":0',
      '"location":0',
      '"location":1',
    ]);
    expect(program.threads[0]!.locations.map(({ name, hidden }) => [name, hidden])).toEqual([
      ['a', false],
      ['done', false],
    ]);
  });

  it('names hidden locations after their line, and never as a label is named', () => {
    const program = parseBody('L4b: x = 1; x = 2; x = 3; x = 4;');
    expect(listing(program)).toEqual([
      'L4b: x = 1 -> L4',
      'L4: x = 2 -> L4c',
      'L4c: x = 3 -> L4d',
      'L4d: x = 4 -> L5',
    ]);
    expect(program.threads[0]!.locations.map(({ hidden }) => hidden)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it('goes on numbering when the letters are used up', () => {
    const names = parseBody('x = 1; '.repeat(30)).threads[0]!.locations.map(({ name }) => name);
    expect(names.slice(24, 28)).toEqual(['L4y', 'L4z', 'L4_27', 'L4_28']);
    expect(new Set(names).size).toBe(31);
  });

  it('drops what follows a jump, unless a label leads there', () => {
    expect(listBody('goto end_;', 'x = 1;', 'other: x = 2;', 'end_: y = 1;')).toEqual([
      'other: x = 2 -> end_',
      'end_: y = 1 -> L8',
    ]);
  });

  it('starts and ends at the same location in an empty thread', () => {
    const { threads } = parseGood('program P thread t { }');
    expect(threads[0]).toMatchObject({ initial: 0, transitions: [] });
    expect(threads[0]!.locations).toHaveLength(1);
  });

  it('gives hidden registers names that are not taken', () => {
    const program = parseGood(
      'program P\nconst h3 = 1\nvar x, h2\nthread t { local h1; h2 = x + x; }',
    );
    expect(program.threads[0]!.registers).toEqual([
      { name: 'h1', hidden: false },
      { name: 'h4', hidden: true },
      { name: 'h5', hidden: true },
    ]);
  });

  it('gives each instruction the place of what it comes from', () => {
    const { threads } = parseBody('x = y + 1;', 'if (x == 1 && a[1] == 2) { fence; }');
    const places = threads[0]!.transitions.map(({ origin: { span } }) => [
      span!.start.line,
      span!.start.column,
      span!.end.column,
    ]);
    expect(places).toEqual([
      [3, 4, 5], // y
      [3, 0, 9], // x = y + 1
      [4, 4, 5], // x
      [4, 4, 10], // x == 1
      [4, 4, 10],
      [4, 14, 18], // a[1]
      [4, 14, 23], // a[1] == 2
      [4, 14, 23],
      [4, 27, 32], // fence
    ]);
  });
});
