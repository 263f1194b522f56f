import { afterEach, expect, test, vi } from 'vitest';
import { ShapeTable } from '../../src/llvm-ir/shape-table.js';
import { lowered } from './fixtures.js';

/** Two threads that run `body`, the blocks of a function from `h0` on. */
const programWith = (body: string): string => `
@flag = global i32 0
declare i64 @__fencewright_thread_create(ptr, ptr)
define ptr @t(ptr %p) {
entry:
  br label %h0
${body}
  ret ptr null
}
define i32 @main() {
  %a = call i64 @__fencewright_thread_create(ptr @t, ptr null)
  %b = call i64 @__fencewright_thread_create(ptr @t, ptr null)
  store atomic i32 1, ptr @flag seq_cst, align 4
  ret i32 0
}
`;

const isSet = (i: string): string => `
  %l${i} = load atomic i32, ptr @flag monotonic, align 4
  %c${i} = icmp eq i32 %l${i}, 0`;

/**
 * Returns loops one after another. The lowering finds that a loop's variable is no constant only
 * when it lowers the loop again, and only if it has found the same for the loop before.
 */
function loopsInARow(count: number): string {
  const loops = Array.from({ length: count }, (_, i) => {
    const before = i === 0 ? '%l0' : `%x${i - 1}`;
    return `h${i}:
  %x${i} = phi i32 [ 0, %${i === 0 ? 'entry' : `h${i - 1}`} ], [ ${before}, %b${i} ]${isSet(`${i}`)}
  br i1 %c${i}, label %b${i}, label %h${i + 1}
b${i}:
  br label %h${i}`;
  });
  return `${loops.join('\n')}
h${count}:
  store atomic i32 %x${count - 1}, ptr @flag monotonic, align 4`;
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns how often paths arrive at points where paths meet, while the program is read. */
function meetingsIn(body: string): number {
  const meetings = vi.spyOn(ShapeTable.prototype, 'keyOf');
  const { threads } = lowered([{ file: 'loops.ll', text: programWith(body) }]);
  expect(threads.length).toBeGreaterThanOrEqual(2);
  const { length } = meetings.mock.calls;
  meetings.mockRestore();
  return length;
}

test('loops in a row cost as much as their number, whatever one learns from another', () => {
  const [few, more, many] = [10, 20, 40].map((count) => meetingsIn(loopsInARow(count)));
  expect(more! - few!).toBeGreaterThan(0);
  expect(many! - more!).toBe(2 * (more! - few!));
});
