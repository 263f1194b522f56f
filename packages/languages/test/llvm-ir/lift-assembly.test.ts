import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { clangForX86 } from './installed-clang.js';
import { layOut } from '../../src/llvm-ir/image.js';
import { IrInterpreter } from '../../src/llvm-ir/interpret.js';
import { liftAssembly } from '../../src/llvm-ir/lift-assembly.js';
import { readModule } from '../../src/llvm-ir/read-module.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';
import { instructionNames, randomAssembly } from './random-assembly.js';

const runs = randomRuns(3, 500);
const first = randomSeed(0);
const perProgram = 200;

const clang = clangForX86();

function moduleOf(text: string) {
  const errors = new ErrorList();
  const module = liftAssembly(readModule(text, errors));
  expect(errors.toDiagnostics()).toEqual([]);
  return module;
}

describe('inline assembly', () => {
  const timeout = 120_000 + 30_000 * runs;
  it.skipIf(!clang)('comes to what the processor comes to', { timeout }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'fencewright-assembly-'));
    const counts = new Map<string, number>();
    try {
      const file = (name: string) => join(folder, name);
      const flags = ['-w', '-target', 'x86_64-linux-gnu', '-mcx16', file('a.c')];
      let compared = 0;
      for (let seed = first; compared < runs; seed++) {
        expect(seed).toBeLessThan(first + 2 * runs);
        const { text, count, names } = randomAssembly(seed, perProgram);
        writeFileSync(file('a.c'), text);
        const ir = ['-S', '-emit-llvm', '-O0', '-ffreestanding', '-fno-discard-value-names'];
        execFileSync(clang!, [...flags, ...ir, '-o', file('a.ll')]);
        execFileSync(clang!, [...flags, '-O2', '-DMAIN', '-o', file('a')]);
        const printed = execFileSync(file('a'), { encoding: 'utf8' }).trim().split('\n');
        const module = moduleOf(readFileSync(file('a.ll'), 'utf8'));
        const image = layOut(module);
        const interpreter = new IrInterpreter(image, () => undefined);
        const outcome = interpreter.run(module.functions.get('run')!, [], 1_000_000);
        // A random number may lie where objects do, and is then taken for an address.
        if (outcome.kind === 'refused' && outcome.message.includes('addresses of objects'))
          continue;
        expect({ seed, outcome }).toEqual({ seed, outcome: { kind: 'returned' } });
        compared++;
        const out = image.addressOf('out');
        const computed = Array.from({ length: count }, (_, i) =>
          String(BigInt.asUintN(64, image.memory.load(out + 8 * i, 8))),
        );
        expect({ seed, computed }).toEqual({ seed, computed: printed });
        for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(instructionNames.filter((name) => !counts.has(name))).toEqual([]);
  });

  /** Returns the reason why the assembly in a function is refused; `undefined` if accepted. */
  function refusalOf(call: string): string | undefined {
    const module = moduleOf(`define void @f(ptr %p, i32 %a, i64 %w) {
entry:
  ${call}
  ret void
}`);
    for (const { operation } of module.functions.get('f')!.blocks[0]!.instructions)
      if (operation.kind === 'call' && operation.callee.kind === 'assembly')
        return operation.callee.why;
    return undefined;
  }

  it.each([
    ['call void asm "xbegin 1f", ""()', /'1f' is unknown/],
    ['call void asm "1: pause; jmp 1b", ""()', /'1: pause' is unknown/],
    ['call void asm "rdtsc", "~{ax},~{dx}"()', /'rdtsc' is unknown/],
    ['call void asm inteldialect "mfence", ""()', /Intel's notation/],
    ['call void asm "movl %eax, %ebx", "~{bx}"()', /an uninitialised register/],
    ['call void asm "movl $0, %ebx", "r"(i32 %a)', /neither an output nor clobbered/],
    ['call i32 asm "movq $1, $0", "=r,r"(i32 %a)', /sizes of the operands differ/],
    ['call i64 asm "movq ${1:q}, $0", "=r,r"(i32 %a)', /uninitialised bits of a register/],
    [
      'call void asm "lock movl $1, $0", "=*m,r"(ptr elementtype(i32) %p, i32 %a)',
      /no instruction/,
    ],
    ['call void asm "PushQ %rax", ""()', /'pushq' is unknown/],
    ['call void asm "inc $0", "=*m"(ptr elementtype(i32) %p)', /the size of 'inc'/],
    ['call void asm "movl %fs:0, $0", "=*m"(ptr elementtype(i32) %p)', /'%fs:0' is unknown/],
    ['call void asm "lock negl $0", "=*m"(ptr elementtype(i32) %p)', /'lock neg'/],
    ['call i32 asm "pushq $1; popq $0", "=r,r"(i64 %w)', /'pushq' is unknown/],
    ['call i8 asm "movl $$1, $1; setc $0", "=q,r"(i32 %a)', /neither an output/],
    [
      'call { i8, i32 } asm "shll %cl, ${1:k}; setz $0", "=q,=&r,{cx},1"(i32 %a, i32 %a)',
      /a flag without a value/,
    ],
    ['call i8 asm "nop", "=q,=r"()', /more outputs than results/],
    // An output that may share its register with an input that is read later.
    ['call i32 asm "movl $$0, $0; addl $1, $0", "=r,r"(i32 %a)', /without '&'/],
    ['call i32 asm "movl $$0, $0; addl $1, $0", "=r,*m"(ptr elementtype(i32) %p)', /without '&'/],
  ])('%s is refused by name', (call, why) => {
    expect(refusalOf(call)).toMatch(why);
  });

  it.each([
    'call i32 asm "movl $$0, $0; addl $1, $0", "=&r,r"(i32 %a)',
    'call void asm "", "r"(i32 %a)',
    'call void asm "lock; addl $$0,0(%rsp)", ""()',
    'call void asm "lock orl $$0, -4(%rsp) # a fence", "~{memory}"()',
    'call void asm "rep; nop", ""()',
    'call void asm "NOP", ""()',
    'call void asm "LOCK; Addl $$0,0(%rsp)", ""()',
    'call void asm "$(lock incl $0$|lock inc $0$)", "=*m"(ptr elementtype(i32) %p)',
    'call i32 asm "xaddl $0, ($1)", "=r,r,0"(ptr %p, i32 %a)',
    'call i64 asm "", "=r,0"(i64 %w)',
  ])('%s is known', (call) => {
    expect(refusalOf(call)).toBeUndefined();
  });
});
