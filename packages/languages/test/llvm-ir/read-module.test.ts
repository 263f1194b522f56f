import { describe, expect, it } from 'vitest';
import { readModule } from '../../src/llvm-ir/read-module.js';
import { ErrorList } from '@fencewright/ground/source/error-list.js';

function read(text: string) {
  const errors = new ErrorList();
  return { module: readModule(text, errors), diagnostics: errors.toDiagnostics() };
}

function body(...lines: string[]): string {
  return `define i32 @f(i32 %a, ptr noundef %p) #0 !dbg !3 {\n${lines.map((l) => `  ${l}\n`).join('')}}\n`;
}

/** Returns the operations of a function whose body consists of the given lines. */
function operations(...lines: string[]) {
  const { module, diagnostics } = read(body(...lines));
  expect(diagnostics).toEqual([]);
  return module.functions
    .get('f')!
    .blocks.flatMap(({ instructions }) => instructions.map(({ operation }) => operation));
}

describe('the reader of LLVM IR', () => {
  it('takes types, globals, targets and metadata', () => {
    const { module, diagnostics } = read(`source_filename = "a.c"
target triple = "x86_64-unknown-linux-gnu"
%struct.node = type { i32, ptr, [2 x i8] }
%packed = type <{ i8, i64 }>
@n = internal global %struct.node { i32 -1, ptr @n, [2 x i8] c"a\\00" }, align 8, !dbg !0
@t = dso_local thread_local(localexec) global i32 0, align 4
@e = external global i32
!0 = !DILocation(line: 3, column: 5, scope: !1)
attributes #0 = { noinline "a b"="c{" }
`);
    expect(diagnostics).toEqual([]);
    expect(module.targets.get('triple')).toBe('x86_64-unknown-linux-gnu');
    expect(module.types.get('packed')).toMatchObject({ kind: 'struct', isPacked: true });
    expect(module.globals.get('n')).toMatchObject({
      isThreadLocal: false,
      alignment: 8,
      initial: {
        elements: [
          { value: { kind: 'integer', value: -1n } },
          { value: { kind: 'global', name: 'n' } },
          { value: { kind: 'bytes', bytes: [97, 0] } },
        ],
      },
    });
    expect(module.globals.get('t')?.isThreadLocal).toBe(true);
    expect(module.globals.get('e')).not.toHaveProperty('initial');
    expect(module.metadata.get('!0')).toBe('!DILocation(line: 3, column: 5, scope: !1)');
  });

  it.each([
    ['store atomic i32 1, ptr %p seq_cst, align 4', { kind: 'store', order: 'seq_cst' }],
    ['store atomic volatile i32 1, ptr %p release, align 4', { kind: 'store', order: 'release' }],
    ['%x = load atomic i32, ptr %p acquire, align 4', { kind: 'load', order: 'acquire' }],
    [
      '%x = load atomic i8, ptr %p syncscope("agent") monotonic, align 1',
      { kind: 'load', order: 'relaxed' },
    ],
    ['fence seq_cst', { kind: 'fence', order: 'seq_cst' }],
    ['fence release', { kind: 'fence', order: 'release' }],
    ['%x = add nuw nsw i32 %a, 1', { kind: 'binary', operation: 'add', isSignedOnly: true }],
    ['%x = add i8 %a, -1', { kind: 'binary', operation: 'add', isSignedOnly: false }],
    ['%x = icmp samesign ult i32 %a, 1', { kind: 'compare', relation: 'ult' }],
    ['%x = zext nneg i32 %a to i64', { kind: 'cast', operation: 'zext' }],
    [
      '%x = cmpxchg weak ptr %p, i32 0, i32 1 seq_cst acquire',
      { kind: 'exchange-if', order: 'seq_cst', failureOrder: 'acquire' },
    ],
    ['%x = atomicrmw add ptr %p, i32 1 monotonic', { kind: 'modify', order: 'relaxed' }],
    ['%x = alloca [2 x i32], align 4', { kind: 'alloca', type: { kind: 'array', length: 2 } }],
    [
      '%x = getelementptr inbounds nuw %s, ptr %p, i32 0, i32 1',
      { kind: 'element', source: { name: 's' } },
    ],
    [
      'call void asm sideeffect "mfence", "~{memory}"() #4, !srcloc !1',
      { kind: 'call', callee: { kind: 'assembly', text: 'mfence' }, operands: [] },
    ],
    [
      '%x = tail call zeroext i1 @g(ptr noundef captures(none) %p, i32 signext 2) #3',
      { kind: 'call', callee: { name: 'g' }, operands: [{}, { value: { value: 2n } }] },
    ],
    ['%x = fadd double 1.0e+00, 2.0e+00', { kind: 'float', operation: 'fadd', operands: [{}, {}] }],
    ['%x = frem double 1.0e+00, 2.0e+00', { kind: 'unknown', name: 'frem' }],
    ['indirectbr ptr %p, [label %a]', { kind: 'unknown', name: 'indirectbr' }],
  ])('reads %s', (line, expected) => {
    // Every block has to end with a terminator.
    expect(operations(line, 'unreachable')).toMatchObject([expected, { kind: 'unreachable' }]);
  });

  it.each(['store volatile i32 1, ptr %p, align 4', 'fence syncscope("singlethread") seq_cst'])(
    'finds no order in %s',
    (line) => {
      expect(operations(line, 'unreachable')[0]).not.toHaveProperty('order');
    },
  );

  it('gives the entry without a label its number, and instructions their positions', () => {
    const text = body('br label %3, !dbg !7', '', '3:', 'ret i32 0').replaceAll('  3:', '3:');
    const { module } = read(text.replace('%a', '%0').replace('%p', '%1'));
    expect(module.functions.get('f')?.blocks.map(({ label }) => label)).toEqual(['2', '3']);
  });

  it('reads a switch over several lines', () => {
    expect(
      operations('switch i32 %a, label %d [', '    i32 0, label %b', '    i32 1, label %c', '  ]'),
    ).toMatchObject([{ kind: 'switch', otherwise: 'd', cases: [{ to: 'b' }, { to: 'c' }] }]);
  });

  it.each([
    ['nonsense here', 0, 0, 'this line is not LLVM IR'],
    ['@x = global', 0, 11, 'a type is missing'],
    [body('%x = load i32 ptr %p'), 1, 16, "',' is missing"],
    ['define i32 @f() {\n', 0, 7, 'the function has no end'],
    ['define i32 @f() {\na:\n  fence seq_cst\n}\n', 2, 2, "the block 'a' has no terminator"],
    ['define i32 @f() {\na:\nb:\n  ret i32 0\n}\n', 0, 7, "the block 'a' has no terminator"],
    [`@x = global ${'['.repeat(5000)}`, 0, 13, 'a number is missing'],
    [`@x = global ${'[1 x '.repeat(5000)}`, 0, 0, 'nested too deeply'],
  ])('refuses %#', (text, line, column, message) => {
    const [first] = read(text).diagnostics;
    expect(first?.message).toContain(message);
    expect(first?.span?.start.line).toBe(line);
    if (column > 0) expect(first?.span?.start.column).toBe(column);
  });
});
