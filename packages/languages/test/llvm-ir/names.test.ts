import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { kindOfPart, partName } from '../../src/llvm-ir/debug-types.js';
import { demangled } from '../../src/llvm-ir/scoped-names.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import { sameAutomata } from '@fencewright/model/program/same-automata.js';
import { cellValueText } from '@fencewright/reports/words/pointer-values.js';
import { usualCases } from '../../../../tools/usual-cases.js';
import { cExamples, clangs, libraryOf, lowered, programOf } from './fixtures.js';

const fixtures = fileURLToPath(new URL('../fixtures/c/', import.meta.url));

/** Returns the IR without the variables and types that `-g` adds to line numbers. */
function withoutVariables(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/dbg[._](?:declare|label)\(|^declare void @llvm\.dbg/.test(line))
    .filter((line) => !/^![0-9]+ = .*!DI(?:Derived|Composite|Basic|Global|Local)/.test(line))
    .map((line) => (line.startsWith('@') ? line.replace(/, !dbg ![0-9]+$/, '') : line))
    .join('\n');
}

function textOf(name: string): string {
  return readFileSync(path.join(fixtures, `${name}.ll`), 'utf8');
}

function namesOf({ symbols }: Program): readonly string[] {
  return symbols.map(({ name }) => name);
}

const unnamed = (program: Program): Program => ({
  ...program,
  symbols: program.symbols.map((symbol) => ({ ...symbol, name: '' })),
});

const races = (name: string, text = textOf(`races/${name}`)): Program =>
  lowered([{ file: name, text }, libraryOf('clang-16')], {
    main: `packages/languages/test/fixtures/c/races/${name}`,
  });

describe('cells are called as in the source', () => {
  test('fields of bits that share a cell, and those of a union', () => {
    const field = (name: string, size: number, offset: number, storage: number): string =>
      `!DIDerivedType(tag: DW_TAG_member, name: "${name}", baseType: !9, size: ${size}, ` +
      `offset: ${offset}, flags: DIFlagBitField, extraData: i64 ${storage})`;
    const metadata = (tag: string): ReadonlyMap<string, string> =>
      new Map([
        ['!0', '!DIGlobalVariable(name: "v", type: !1)'],
        ['!1', `!DICompositeType(tag: DW_TAG_${tag}_type, size: 96, elements: !2)`],
        ['!2', '!{!3, !4, !5, !6}'],
        ['!3', '!DIDerivedType(tag: DW_TAG_member, name: "n", baseType: !9, size: 32, offset: 64)'],
        ['!4', field('low', 3, 0, 0)],
        ['!5', field('high', 5, 3, 0)],
        ['!6', field('alone', 9, 32, 32)],
        ['!9', '!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)'],
      ]);
    const structure = metadata('structure');
    expect(partName(structure, '!0', 0, { size: 1 })).toBe('.low:3+high:5');
    expect(partName(structure, '!0', 4, { size: 2 })).toBe('.alone:9');
    expect(partName(structure, '!0', 8, { size: 4 })).toBe('.n');
    // A bit field has no name together with the number beside it as one cell.
    expect(partName(structure, '!0', 0, { size: 12 })).not.toBe('.low:3+high:5');
    expect(kindOfPart(structure, '!0', 0, { size: 1 })).toBe('unsigned');
    expect(kindOfPart(structure, '!0', 8, { size: 4 })).toBe('other');
    expect(partName(metadata('union'), '!0', 0, { size: 1 })).toBe('.low:3');
  });

  test('a class without members in the debug information is called as a whole', () => {
    // As clang describes std::condition_variable, whose code is in the library.
    const metadata = new Map([
      ['!0', '!DIGlobalVariable(name: "v", type: !1)'],
      ['!1', '!DICompositeType(tag: DW_TAG_class_type, name: "E", size: 448, elements: !2)'],
      ['!2', '!{!3, !4}'],
      ['!3', '!DIDerivedType(tag: DW_TAG_member, name: "n", baseType: !9, size: 32, offset: 0)'],
      [
        '!4',
        '!DIDerivedType(tag: DW_TAG_member, name: "cv_", baseType: !5, size: 384, offset: 64)',
      ],
      ['!5', '!DICompositeType(tag: DW_TAG_class_type, size: 384, flags: DIFlagFwdDecl)'],
      ['!9', '!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)'],
    ]);
    expect(partName(metadata, '!0', 8, { size: 4 })).toBe('.cv_');
    expect(partName(metadata, '!0', 8, { isWhole: true })).toBe('.cv_');
    // Nothing tells the parts inside of the class.
    expect(partName(metadata, '!0', 12, { size: 4 })).toBeUndefined();
    expect(partName(metadata, '!0', 0, { size: 4 })).toBe('.n');
  });

  test.each(clangs)('fields of structures, %s', (clang) => {
    expect(namesOf(programOf('mcs-lock.c', clang))).toEqual(
      expect.arrayContaining(['nodes[0].next', 'nodes[1].waits', 'tail']),
    );
    expect(namesOf(programOf('ticket-lock.c', clang))).toEqual([
      'lock.next',
      'lock.serving',
      'in_use',
    ]);
  });

  test('namespaces, classes, templates, unions, arrays of arrays', () => {
    expect([...namesOf(races('names.cpp'))].sort()).toEqual(
      [
        'deep::box.rest[1]',
        'deep::locks[1].next',
        'deep::locks[1].owner',
        'counter',
        'C::flag',
        'grid[1][2]',
        'mixed.halves.high',
        'packed.tag',
        'hidden',
        'object.inherited',
        'object.unnamed',
        'twice',
      ].sort(),
    );
  });

  test('what headers that come along have inside is not shown', () => {
    expect(namesOf(programOf('event-flag.cpp', 'clang-16'))).toEqual([
      'ready',
      'waiting',
      'notified',
    ]);
    expect(namesOf(races('counter-mutex.c'))).toEqual(['mutex', 'counter']);
  });

  test('locals by their names, not by those of the IR', () => {
    const program = races('argument-changed.c');
    const [{ base } = { base: 0 }] = program.symbols.filter(({ name }) => name === 'i');
    expect(formatAddress(program, base)).toBe('i');
  });
});

describe('pointers are told by what they point to', () => {
  const valueIn = (program: Program, holder: string, target: string): string => {
    const { cells, names } = program.pointers!;
    const { base } = program.symbols.find(({ name }) => name === holder)!;
    expect(cells).toContain(base);
    const [value] = [...names].find(([, name]) => name === target)!;
    return cellValueText(program, base, value);
  };

  test.each(clangs)('an element and not its first field, %s', (clang) => {
    expect(valueIn(programOf('mcs-lock.c', clang), 'tail', 'nodes[1]')).toBe('&nodes[1]');
    expect(valueIn(programOf('hazard-pointer.c', clang), 'shared', 'objects[0]')).toBe(
      '&objects[0]',
    );
  });

  test('in C++, and functions, and parts', () => {
    const program = races('pointers.cpp');
    expect(valueIn(program, 'tail', 'nodes[1]')).toBe('&nodes[1]');
    expect(valueIn(program, 'nodes[1].next', 'nodes[0]')).toBe('&nodes[0]');
    expect(valueIn(program, 'hook', 'nothing')).toBe('&nothing');
    expect(valueIn(program, 'number', 'nodes[0].value')).toBe('&nodes[0].value');
  });

  test('and numbers that happen to be addresses stay numbers', () => {
    const program = races('pointers.cpp');
    const [value] = [...program.pointers!.names].find(([, name]) => name === 'nodes[1]')!;
    const { base } = program.symbols.find(({ name }) => name === 'count')!;
    expect(cellValueText(program, base, value)).toBe(String(value));
    const { base: tail } = program.symbols.find(({ name }) => name === 'tail')!;
    expect(cellValueText(program, tail, 0)).toBe('0');
    expect(cellValueText(program, tail, value + 1)).toBe(String(value + 1));
  });
});

describe('threads are called as what they run', () => {
  test.each([
    ['names.cpp', ['work[0]', 'work[1]']],
    ['member.cpp', ['lambda (line 9)', 'lambda (line 10)']],
    ['pointers.cpp', ['lambda (line 15)', 'lambda (line 22)']],
    ['counter-mutex.c', ['worker[0]', 'worker[1]']],
  ])('%s', (name, expected) => {
    expect(races(name).threads.map((thread) => thread.name)).toEqual(expected);
  });

  it('and places in member functions say of which class', () => {
    const [thread] = races('member.cpp').threads;
    const calls = thread!.transitions.flatMap(({ origin }) => origin.calls ?? []);
    expect(calls.map((call) => call.function)).toContain('counter::add');
  });
});

describe('without debug information about variables', () => {
  const examples = clangs.flatMap((clang) => cExamples.map(([name]) => [name, clang] as const));

  test.each(usualCases(examples, ([, clang]) => clang !== clangs[0]))(
    '%s of %s is the same',
    (name, clang) => {
      const whole = textOf(`${clang}/${name}`);
      const text = withoutVariables(whole);
      expect(text.length).toBeLessThan(0.95 * whole.length);
      const library = { file: 'library.c', text: withoutVariables(libraryOf(clang).text) };
      const program = lowered([{ file: name, text }, library], {});
      expect(sameAutomata(unnamed(program), unnamed(programOf(name, clang)))).toBe(true);
    },
  );

  it('names are those of the linker, taken to pieces', () => {
    const program = races('names.cpp', withoutVariables(textOf('races/names.cpp')));
    expect(namesOf(program)).toEqual(
      expect.arrayContaining(['deep::locks[1].1', 'C::flag', 'hidden', 'grid[1][2]']),
    );
  });
});

// Source: Itanium C++ ABI, and c++filt for the first eight.
test.each([
  ['_ZL5ready', 'ready'],
  ['_ZN4deep3boxE', 'deep::box'],
  ['_ZN1C4flagE', 'C::flag'],
  ['_ZN4deepL5locksE', 'deep::locks'],
  ['_Z4mainv', 'main'],
  ['_ZN1C3runEv', 'C::run'],
  ['_ZN12_GLOBAL__N_16hiddenE', 'hidden'],
  ['_ZSt9terminatev', 'std::terminate'],
  ['_ZNSt6thread4joinEv', 'std::thread::join'],
  ['_ZZN1C5localEvE7counter', '_ZZN1C5localEvE7counter'],
  ['_Z5twiceILi2EE', '_Z5twiceILi2EE'],
  ['_ZN4deep7pair_ofIlE5firstE', '_ZN4deep7pair_ofIlE5firstE'],
  ['_ZNKSt6vectorIiE4sizeEv', '_ZNKSt6vectorIiE4sizeEv'],
  ['_Z99short', '_Z99short'],
  ['main', 'main'],
  ['_Zebra', '_Zebra'],
])('%s is %s', (name, expected) => {
  expect(demangled(name)).toBe(expected);
});
