import type { Edge, Op } from './code.js';
import { readsOf } from './assembly-op.js';

/** Returns the registers that an op reads, and the register that it writes (-1 if none). */
function usesOf(op: Op): { readonly reads: readonly number[]; readonly writes: number } {
  const out = 'out' in op ? op.out : -1;
  switch (op.kind) {
    case 'copy':
    case 'cast':
    case 'extract':
      return { reads: [op.from], writes: out };
    case 'binary':
    case 'compare':
      return { reads: [op.left, op.right], writes: out };
    case 'room':
      return { reads: [op.count], writes: out };
    case 'load':
      return { reads: [op.pointer], writes: out };
    case 'store':
      return { reads: [op.value, op.pointer], writes: -1 };
    case 'modify':
      return { reads: [op.pointer, op.operand], writes: out };
    case 'exchange-if':
      return { reads: [op.pointer, op.expected, op.desired], writes: out };
    case 'element':
      return { reads: [op.base, ...op.scaled.map(({ index }) => index)], writes: out };
    case 'call':
      return { reads: [op.callee, ...op.operands], writes: out };
    case 'insert':
      return { reads: [op.into, op.element], writes: out };
    case 'select':
      return { reads: [op.condition, op.then, op.otherwise], writes: out };
    case 'branch':
      return { reads: [op.condition], writes: -1 };
    case 'switch':
      return { reads: [op.on], writes: -1 };
    case 'asm-enter':
    case 'asm-load':
    case 'asm-do':
    case 'asm-leave':
      return { reads: readsOf(op), writes: out };
    case 'resume':
      return { reads: [op.exception], writes: -1 };
    case 'thread':
      return { reads: op.statement.live[op.first]!, writes: -1 };
    case 'return':
      return { reads: op.value === undefined ? [] : [op.value], writes: -1 };
    default:
      return { reads: [], writes: -1 };
  }
}

function edgesOf(op: Op): readonly Edge[] | undefined {
  switch (op.kind) {
    case 'jump':
      return [op.edge];
    case 'branch':
      return [op.then, op.otherwise];
    case 'switch':
      return [...op.cases.map(({ edge }) => edge), op.otherwise];
    case 'thread':
      return [{ to: op.behind, moves: [] }];
    case 'return':
    case 'resume':
    case 'unreachable':
    case 'not-known':
      return [];
    default:
      return undefined;
  }
}

const bit = (register: number): bigint => 1n << BigInt(register);

function throughEdge(live: readonly bigint[], { to, moves }: Edge): bigint {
  let set = live[to] ?? 0n;
  for (const { out } of moves) set &= ~bit(out);
  for (const { from } of moves) if (from >= 0) set |= bit(from);
  return set;
}

/** Returns for each op the registers that are live before it. */
export function liveRegisters(ops: readonly Op[]): readonly (readonly number[])[] {
  const live = ops.map(() => 0n);
  for (let changed = true; changed;) {
    changed = false;
    for (let i = ops.length - 1; i >= 0; i--) {
      const op = ops[i]!;
      const edges = edgesOf(op);
      let set = edges
        ? edges.reduce((sum, edge) => sum | throughEdge(live, edge), 0n)
        : (live[i + 1] ?? 0n);
      const { reads, writes } = usesOf(op);
      if (writes >= 0) set &= ~bit(writes);
      if (op.kind === 'call' && op.unwind) set |= throughEdge(live, op.unwind);
      for (const read of reads) if (read >= 0) set |= bit(read);
      if (set !== live[i]) [live[i], changed] = [set, true];
    }
  }
  return live.map((set) => {
    const registers: number[] = [];
    for (let r = 0; set > 0n; r++, set >>= 1n) if (set & 1n) registers.push(r);
    return registers;
  });
}
