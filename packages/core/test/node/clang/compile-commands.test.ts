import { expect, test } from 'vitest';
import { readCompileCommands } from '../../../src/node/compile-commands.js';

function unitsOf(value: unknown) {
  const read = readCompileCommands(JSON.stringify(value), '/base');
  return read.kind === 'units' ? [...read.units.values()] : read.why;
}

test('definitions, headers and the language of a command are taken, by absolute names', () => {
  const command = `cc -std=c11 -DA=1 -D B -UC -I inc -isystem /sys -include pre.h -O2 -c -o a.o 'a b.c'`;
  expect(unitsOf([{ directory: 'build', file: '../a b.c', command }])).toEqual([
    {
      file: '/base/a b.c',
      define: ['A=1', 'B'],
      include: ['/base/build/inc'],
      ccArgs: ['-UC', '-isystem/sys', '-include', '/base/build/pre.h'],
      std: 'c11',
    },
  ]);
});

test('quotes and backslashes are those of a shell, and nothing is run', () => {
  const command = String.raw`cc -DT="\"x y\"" '-DQ=$(touch z)' -DW=\  a.c`;
  expect(unitsOf([{ directory: '/p', file: 'a.c', command }])).toMatchObject([
    { define: ['T="x y"', 'Q=$(touch z)', 'W= '] },
  ]);
});

test('nothing that loads code or writes files comes through', () => {
  const words = ['cc', '-fplugin=evil.so', '-Xclang', '-load', '-o', '/etc/passwd', '@x', 'a.c'];
  expect(unitsOf([{ directory: '/p', file: 'a.c', arguments: words }])).toEqual([
    {
      ...{ file: '/p/a.c', define: [], include: [], ccArgs: [] },
      refused: {
        argument: '-fplugin=evil.so',
        why: 'clang must not run other programs or plugins',
      },
    },
  ]);
});

const refusedIn = (...flags: string[]): unknown => {
  const [unit] = unitsOf([{ directory: '/p', file: 'a.c', arguments: ['cc', ...flags, 'a.c'] }]);
  return typeof unit === 'object' ? unit.refused?.argument : undefined;
};

test('what changes the meaning is taken, as users may give it', () => {
  const flags = ['-funsigned-char', '-fno-common', '-Wp,-DA=1', '-fshort-enums', '-mcx16'];
  expect(unitsOf([{ directory: '/p', file: 'a.c', arguments: ['cc', ...flags] }])).toMatchObject([
    { define: ['A=1'], ccArgs: ['-funsigned-char', '-fno-common', '-fshort-enums', '-mcx16'] },
  ]);
});

test.each([
  [['-finstrument-functions'], '-finstrument-functions'],
  [['-O2', '-pg'], '-pg'],
  [['-fsanitize=thread'], '-fsanitize=thread'],
  [['-m32'], '-m32'],
  [['-Wp,-include,x'], '-Wp,-include,x'],
  [['-fsomething-new'], '-fsomething-new'],
  // Arguments about outputs, their places, and passes.
  [['-O2', '-g3', '-fPIC', '-MMD', '-MF', 'x', '-o', 'a.o', '-c', '-Wall', '-Wp,-MD,x'], undefined],
  [['-fno-ipa-cp', '-falign-jumps=1', '-mcmodel=kernel', '-fdiagnostics-color=always'], undefined],
])('%j: what is refused in a command is %s', (flags, refused) => {
  expect(refusedIn(...flags)).toBe(refused);
});

test('the first entry of a file counts', () => {
  const entry = (name: string) => ({
    directory: '/p',
    file: 'a.c',
    arguments: ['cc', `-D${name}`],
  });
  expect(unitsOf([entry('ONE'), entry('TWO')])).toMatchObject([{ define: ['ONE'] }]);
});

test.each([
  [{}, 'it is no list of commands'],
  [[{ file: 'a.c' }], 'entry 1 lacks'],
  [[{ directory: '/', file: 'a.c', arguments: [1] }], 'entry 1 lacks'],
])('what is malformed is said: %j', (value, why) => {
  expect(unitsOf(value)).toContain(why);
});

test('what is no JSON is malformed', () => {
  expect(readCompileCommands('[', '/').kind).toBe('malformed');
});
