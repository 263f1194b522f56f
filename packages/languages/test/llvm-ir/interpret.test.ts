import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { type HostCall, IrInterpreter } from '../../src/llvm-ir/interpret.js';
import { layOut } from '../../src/llvm-ir/image.js';
import { readModule } from '../../src/llvm-ir/read-module.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { installedClang } from './installed-clang.js';
import { randomC } from './random-c.js';

/**
 * Runs a function of a module. `llvm.memcpy` and `llvm.memset` are executed; all other library
 * functions are unknown.
 */
function run(text: string, start: string, steps = 100_000, host: HostCall = () => undefined) {
  const errors = new ErrorList();
  const module = readModule(text, errors);
  expect(errors.toDiagnostics()).toEqual([]);
  const image = layOut(module);
  const interpreter = new IrInterpreter(image, (name, operands) => {
    const [to, from, size] = operands.map(Number);
    if (name.startsWith('llvm.memcpy')) image.memory.copy(to!, from!, size!);
    else if (name.startsWith('llvm.memset')) image.memory.fill(to!, size!, from! & 255);
    else return host(name, operands);
    return { kind: 'value' };
  });
  return { image, outcome: interpreter.run(module.functions.get(start)!, [], steps) };
}

const runs = randomRuns(25, 2000, 12);
const first = randomSeed(0);

const clang = installedClang();

describe('the interpreter of LLVM IR', () => {
  it.skipIf(!clang)('computes what compiled programs compute', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fencewright-c-'));
    try {
      const file = (name: string) => join(folder, name);
      const flags = ['-O0', '-w', '-fwrapv', '-ffreestanding', '-std=gnu11'];
      let distinct = 0;
      for (let seed = first; seed < first + runs; seed++) {
        writeFileSync(file('a.c'), randomC(seed));
        const ir = ['-S', '-emit-llvm', '-target', 'x86_64-linux-gnu', '-fno-discard-value-names'];
        execFileSync(clang!, [...flags, ...ir, file('a.c'), '-o', file('a.ll')]);
        execFileSync(clang!, [...flags, '-DMAIN', file('a.c'), '-o', file('a')]);
        const printed = execFileSync(file('a'), { encoding: 'utf8' }).trim().split('\n');
        const { image, outcome } = run(readFileSync(file('a.ll'), 'utf8'), 'run');
        expect({ seed, outcome }).toEqual({ seed, outcome: { kind: 'returned' } });
        const out = image.addressOf('out');
        const computed = printed.map((_, i) => String(image.memory.load(out + 8 * i, 8)));
        expect({ seed, computed }).toEqual({ seed, computed: printed });
        distinct += new Set(printed).size;
      }
      // Some programs have few distinct results, most have many.
      expect(distinct / runs).toBeGreaterThan(8);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const summed = `@a = global [3 x i16] [i16 -1, i16 7, i16 300]
define i64 @f() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds [3 x i16], ptr @a, i64 0, i64 %i
  %x = load i16, ptr %p, align 2
  %wide = zext i16 %x to i64
  %more = add i64 %sum, %wide
  %next = add i64 %i, 1
  %go = icmp ult i64 %next, 3
  br i1 %go, label %loop, label %end
end:
  ret i64 %more
}
`;

  it('runs loops, and reads narrow numbers without their sign', () => {
    expect(run(summed, 'f').outcome).toEqual({ kind: 'returned', value: 65535n + 7n + 300n });
  });

  it('ends after the steps that it has', () => {
    expect(run(summed, 'f', 20).outcome).toMatchObject({ kind: 'limit' });
  });

  it('stops where the host says so, at the call', () => {
    const text = 'declare void @g(i32)\ndefine void @f() {\n  call void @g(i32 5)\n  ret void\n}\n';
    const { outcome } = run(text, 'f', 10, () => ({ kind: 'stop' }));
    expect(outcome).toMatchObject({ kind: 'stopped', at: { span: { start: { line: 2 } } } });
  });

  it('runs more calls with locals than there are addresses for', () => {
    const text = `define i64 @g(i64 %n) {
  %a = alloca i64
  %b = alloca [100 x i64]
  store i64 %n, ptr %a
  %x = load i64, ptr %a
  ret i64 %x
}
define i64 @f() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %x = call i64 @g(i64 %i)
  %bit = and i64 %x, 1
  %more = add i64 %sum, %bit
  %next = add i64 %i, 1
  %go = icmp ult i64 %next, 20000
  br i1 %go, label %loop, label %end
end:
  ret i64 %more
}
`;
    expect(run(text, 'f', 1e6).outcome).toEqual({ kind: 'returned', value: 10_000n });
  });

  it('gives nested calls locals of their own', () => {
    const text = `define i64 @g(i64 %n) {
  %a = alloca i64
  store i64 %n, ptr %a
  %go = icmp ugt i64 %n, 0
  br i1 %go, label %again, label %end
again:
  %less = sub i64 %n, 1
  %x = call i64 @g(i64 %less)
  %y = call i64 @g(i64 0)
  %own = load i64, ptr %a
  %sum = add i64 %x, %own
  ret i64 %sum
end:
  ret i64 0
}
define i64 @f() {
  %x = call i64 @g(i64 9)
  ret i64 %x
}
`;
    expect(run(text, 'f').outcome).toEqual({ kind: 'returned', value: 45n });
  });

  it('keeps a local for as long as a pointer to the local may exist', () => {
    const text = `define ptr @g(i64 %n) {
  %a = alloca i64
  store i64 %n, ptr %a
  ret ptr %a
}
define i64 @f() {
  %p = call ptr @g(i64 5)
  %q = call ptr @g(i64 7)
  %x = load i64, ptr %p
  ret i64 %x
}
`;
    expect(run(text, 'f').outcome).toEqual({ kind: 'returned', value: 5n });
  });

  it('does not see what an ended call left in a local', () => {
    const text = `define i64 @g(i1 %sets) {
  %a = alloca i64
  br i1 %sets, label %set, label %end
set:
  store i64 5, ptr %a
  br label %end
end:
  %x = load i64, ptr %a
  ret i64 %x
}
define i64 @f() {
  %x = call i64 @g(i1 1)
  %y = call i64 @g(i1 0)
  ret i64 %y
}
`;
    expect(run(text, 'f').outcome).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('before its initialisation') as string,
    });
  });

  it.each([
    ['%x = sdiv i32 1, 0', 'division by zero'],
    ['%x = sdiv i32 -2147483648, -1', 'overflows'],
    ['%x = srem i64 -9223372036854775808, -1', 'overflows'],
    ['%x = shl i32 1, 32', 'shift by 32'],
    ['%x = add nsw i32 2147483647, 1', 'overflows'],
    ['%x = load i32, ptr null', 'null pointer'],
    ['%x = load i32, ptr inttoptr (i64 5000 to ptr)', 'outside of all objects'],
    ['%a = alloca i32\n  %x = load i32, ptr %a', 'before its initialisation'],
    ['%x = load x86_fp80, ptr @d', "'x86_fp80' are not supported"],
    ['%x = load i96, ptr @d', "'i96' are not supported"],
    ['store ptr blockaddress(@f, %0), ptr @d', 'computed goto'],
    ['indirectbr ptr @d, [label %1]', 'computed goto'],
    ['call void @g()', "'g' has no body"],
    ['call void asm sideeffect "xbegin", ""()', '"xbegin" is not known'],
    ['call void @f()', 'nested too deeply'],
    ['store i32 undef, ptr @d\n  %x = load i32, ptr @d', 'before its initialisation'],
    ['unreachable', 'must never run'],
    ['store i32 1, ptr @e', "'e' is declared, but not defined"],
  ])('refuses %s', (line, message) => {
    const text = `@d = global i64 0\n@e = external global i32\ndeclare void @g()\ndefine void @f() {\n  ${line}\n  ret void\n}\n`;
    const { outcome } = run(text, 'f');
    expect(outcome.kind).toBe('refused');
    expect(outcome.kind === 'refused' && outcome.message).toContain(message);
  });
});
