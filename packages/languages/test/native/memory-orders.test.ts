import { describe, expect, it } from 'vitest';
import { formatNative } from '../../src/native/format-native.js';
import { parseNative } from '../../src/native/parse-native.js';
import { printNative } from '../../src/native/print-native.js';
import { formatInstruction } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';

function read(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  expect(diagnostics).toEqual([]);
  if (model?.kind !== 'finite') throw new Error('no program');
  return model.program;
}

function listing(program: Program): readonly string[] {
  return program.threads.flatMap((thread) =>
    thread.transitions.map(({ instruction }) => formatInstruction(program, thread, instruction)),
  );
}

function messages(body: string): readonly string[] {
  const text = `program P\nvar x, y, a[2], plain d\nthread t { local r; ${body} }`;
  return parseNative(text).diagnostics.map(({ message }) => message);
}

describe('memory orders of the native language', () => {
  it('name the assumption that a seq_cst store is a plain store on x86', () => {
    const of = (body: string) =>
      read(`program P\nvar x\nthread t { local r; ${body} }`).assumptions;
    expect(of('store(x, 1, seq_cst);')?.map(({ name }) => name)).toEqual(['seq_cst stores']);
    expect(of('store(x, 1, release); r = load(x, seq_cst); fence;')).toBeUndefined();
  });

  const text = `program P
var x, a[2], plain d = 1, plain
thread t {
  local r;
  store(x, 1, release);
  store(a[r], r + 1, relaxed);
  store(x, 2);
  r = load(x, acquire);
  r = load(a[1], seq_cst) + load(mem[r]);
  xchg(x, 1, acquire);
  r = cas(x, 0, 1, acq_rel, relaxed);
  r = cas(x, 0, 1, release);
  fetch_add(plain, 1, relaxed);
  fence(acquire);
  fence(release);
  fence(acq_rel);
  fence(seq_cst);
  fence;
  d = 2;
}`;

  it('are read at loads, stores, rmws and fences', () => {
    expect(listing(read(text))).toEqual([
      'store(x, 1, release)',
      'store(a[r], r + 1, relaxed)',
      'x = 2',
      'r = load(x, acquire)',
      'h1 = load(a[1], seq_cst)',
      'h2 = mem[r]',
      'r = h1 + h2',
      'xchg(x, 1, acquire)',
      'r = cas(x, 0, 1, acq_rel, relaxed)',
      'r = cas(x, 0, 1, release)',
      'fetch_add(plain, 1, relaxed)',
      'fence(acquire)',
      'fence(release)',
      'fence(acq_rel)',
      'fence',
      'fence',
      'd = 2',
    ]);
  });

  it('are printed, and read again', () => {
    const program = read(text);
    expect(program.symbols.map(({ isPlain }) => isPlain === true)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    const printed = printNative(program);
    expect(printed).toContain('store(mem[x], 1, release)');
    expect(printed).toContain('var plain d = 1');
    expect(printNative(read(printed))).toBe(printed);
  });

  it('are laid out like calls', () => {
    const written = 'program P\nvar x\nthread t { fence ( acquire ) ; store (x , 1,release); }';
    expect(formatNative(written)).toContain('{ fence(acquire); store(x, 1, release); }');
  });

  it('make `await` a loop with a load', () => {
    const wait = read('program P\nvar x\nthread t { await (load(x, acquire) == 1); x = 2; }');
    const loop = read('program P\nvar x\nthread t { while (load(x, acquire) != 1) { } x = 2; }');
    expect(wait.threads[0]!.transitions.map(({ from, to }) => [from, to])).toHaveLength(4);
    expect([...listing(wait)].sort()).toEqual([...listing(loop)].sort());
  });

  it('are words at their places only', () => {
    read(
      'program P\nvar acquire, load, plain\nthread t { local await; acquire = 1; await = load; }',
    );
  });

  it('are checked for their place', () => {
    expect(messages('store(x, 1, acquire);')).toEqual([
      'a store cannot have the memory order acquire',
    ]);
    expect(messages('r = load(x, release);')).toEqual([
      'a load cannot have the memory order release',
    ]);
    expect(messages('cas(x, 0, 1, acquire, release);')).toEqual([
      'a read-modify-write that fails cannot have the memory order release',
    ]);
    expect(messages('fence(relaxed);')).toEqual(['a fence cannot have the memory order relaxed']);
    expect(messages('store(x, 1, strong);')).toEqual(["'strong' is not a memory order"]);
    expect(messages('store(x, 1, 2);')).toEqual(['a memory order is expected here']);
    expect(messages('load(x, acquire);')).toEqual(['the result of the load is dropped']);
    expect(messages('r = store(x, 1, release);')).not.toEqual([]);
    expect(messages('r = load(r);')).not.toEqual([]);
    expect(messages('store(x);')).toEqual(['store takes 2 operands and an order, not 1']);
    expect(messages('await (x == 1, 2);')).toEqual(['await takes one condition']);
    expect(messages('r = await(x == 1);')).not.toEqual([]);
  });

  it('are refused at plain variables, and so are rmws', () => {
    expect(messages('store(d, 1, release);')).toEqual([
      "'d' is plain, and a memory order needs an atomic variable",
    ]);
    expect(messages('fetch_add(d, 1);')).toEqual([
      "'d' is plain, and fetch_add needs an atomic variable",
    ]);
    expect(messages('store(d, 1); r = load(d);')).toEqual([]);
  });

  it('stand in the automaton form', () => {
    const program = read(`program P
var x
thread t regs r init a begin
  a: store(mem[x], 1, release); goto b;
  b: r <- load(mem[x], acquire); goto c;
  c: fence(release); goto d;
end`);
    expect(listing(program)).toEqual([
      'store(x, 1, release)',
      'r = load(x, acquire)',
      'fence(release)',
    ]);
  });
});
