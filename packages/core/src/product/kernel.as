// The search kernel in AssemblyScript: what interpreter.ts does for one state after the other, for states of two words. It stops
// at everything unusual (a table entry that is missing, a goal, no room) and leaves that state to the interpreter.
//
// Compiled by tools/build-kernel.mjs into kernel-binary.ts. Linear memory is laid out by linear-storage.ts and kernel.ts:
//
//   components  `componentSize` bytes each, from `componentsAt`
//   cells       `cellSize` bytes each, from `cellsAt`
//   pending     successors of the state being expanded that are not yet in the table, from `pendingAt`
//   tables      a copy of ProductTables.memory, from `tablesAt`
//   slots       as in state-table.ts
//   records     12 bytes for each state: its two words and its parent

const componentsAt: u32 = 64;
const componentSize: u32 = 32;
const cellsAt: u32 = 2560;
const cellSize: u32 = 8;
const pendingAt: u32 = 3072;
const pendingSize: u32 = 16;
const tablesAt: u32 = 4096;

// A component: where its field is in a state, the address of its automaton's node table, the addresses of its neighbours in its
// symmetric group or 0, and the address of the record of its node in the state being expanded.
const SHIFT: u32 = 0;
const MASK: u32 = 4;
const NODES: u32 = 8;
const LEFT: u32 = 12;
const RIGHT: u32 = 16;
const RECORD: u32 = 20;

const recordSize: u32 = 12;
const indexMask: u32 = (1 << 26) - 1;
const tagMask: u32 = 0x7fffffff & ~indexMask;
/** Lock blocks with longer runs of transient nodes are left to the interpreter. */
const maxDepth: i32 = 500;

/** The next state to expand. */
export let cursor: u32 = 0;
/** Number of stored states. */
export let count: u32 = 0;

let slots: u32 = 0;
let slotMask: u32 = 0;
let records: u32 = 0;
let capacity: u32 = 0;
let componentsEnd: u32 = 0;
let cells: i32 = 0;
let pendingEnd: u32 = pendingAt;

// @ts-ignore: decorator
@inline
function get(state: u64, field: u32): u32 {
  return <u32>(state >> <u64>load<u32>(field, SHIFT)) & load<u32>(field, MASK);
}

// @ts-ignore: decorator
@inline
function without(state: u64, field: u32): u64 {
  return state & ~((<u64>load<u32>(field, MASK)) << <u64>load<u32>(field, SHIFT));
}

// @ts-ignore: decorator
@inline
function bits(id: u32, field: u32): u64 {
  return (<u64>id) << <u64>load<u32>(field, SHIFT);
}

// @ts-ignore: decorator
@inline
function hashOf(state: u64): u32 {
  let hash: u32 = <u32>state * 0x2c1b3c6d;
  hash ^= hash >> 15;
  hash = (hash ^ (<u32>(state >> 32))) * 0x2c1b3c6d;
  hash ^= hash >> 15;
  hash *= 0x297a2d39;
  return hash ^ (hash >> 15);
}

/** Moves the node of one component to its place in its sorted group. */
function settle(state: u64, component: u32): u64 {
  const node = get(state, component);
  let left = load<u32>(component, LEFT);
  while (left != 0) {
    const other = get(state, left);
    if (other <= node) break;
    state = without(without(state, left), component) | bits(node, left) | bits(other, component);
    component = left;
    left = load<u32>(component, LEFT);
  }
  let right = load<u32>(component, RIGHT);
  while (right != 0) {
    const other = get(state, right);
    if (other >= node) break;
    state = without(without(state, right), component) | bits(node, right) | bits(other, component);
    component = right;
    right = load<u32>(component, RIGHT);
  }
  return state;
}

/** False if there is no room. */
function insert(state: u64, hash: u32, parent: u32): bool {
  const tag = hash & tagMask;
  let slot = hash & slotMask;
  let at = slots + (slot << 2);
  let entry = load<i32>(at);
  while (entry >= 0) {
    if (
      (<u32>entry & ~indexMask) == tag &&
      load<u64>(records + (<u32>entry & indexMask) * recordSize) == state
    )
      return true;
    slot = (slot + 1) & slotMask;
    at = slots + (slot << 2);
    entry = load<i32>(at);
  }
  if (count >= capacity) return false;
  store<u32>(at, tag | count);
  const record = records + count * recordSize;
  store<u64>(record, state);
  store<u32>(record, parent, 8);
  count++;
  return true;
}

/** False if there is no room. */
function insertPending(parent: u32): bool {
  const end = pendingEnd;
  pendingEnd = pendingAt;
  for (let at = pendingAt; at < end; at += pendingSize)
    if (!insert(load<u64>(at), load<u32>(at, 8), parent)) return false;
  return true;
}

/**
 * Adds a successor soon. Its slot is read at once, so that it is in the cache when it is needed: in large tables most of the time
 * goes into waiting for memory, and so the waits overlap. False if there is no room.
 */
function push(state: u64, parent: u32): bool {
  const hash = hashOf(state);
  const at = pendingEnd;
  store<u64>(at, state);
  store<u32>(at, hash, 8);
  store<u32>(at, load<u32>(slots + ((hash & slotMask) << 2)), 12);
  pendingEnd = at + pendingSize;
  return pendingEnd < tablesAt || insertPending(parent);
}

/** All moves of one component whose node has the record at `record`; false if something is unusual. */
function step(state: u64, component: u32, record: u32, parent: u32, depth: i32): bool {
  const end = record + 8 + load<u32>(record, 4) * 12;
  const rest = without(state, component);
  for (let action = record + 8; action < end; action += 12) {
    const cell = load<i32>(action);
    let value: u32 = 0;
    let field: u32 = 0;
    let base = rest;
    if (cell >= 0) {
      if (cell >= cells) return false;
      field = cellsAt + cell * cellSize;
      value = get(state, field);
      base = without(rest, field);
    }
    const capacity = load<u32>(action, 8);
    // A blind row has one entry for all values.
    const index: u32 = capacity == 0xffffffff ? 0 : value;
    if (index >= capacity) return false;
    const list = load<u32>(tablesAt + ((load<u32>(action, 4) + index) << 2));
    if (list == 0) return false;
    let outcome = tablesAt + (list << 2);
    const last = outcome + load<u32>(outcome) * 12;
    for (; outcome < last; outcome += 12) {
      const node = load<i32>(outcome, 8);
      if (node < 0) return false;
      let next = base | bits(node, component);
      if (cell >= 0) next |= bits(load<u32>(outcome, 4), field);
      if (load<u32>(outcome, 12) != 0) {
        const inner = load<u32>(load<u32>(component, NODES) + (node << 2));
        if (inner == 0 || depth >= maxDepth) return false;
        if (!step(next, component, tablesAt + (inner << 2), parent, depth + 1))
          return false;
      } else {
        if ((load<u32>(component, LEFT) | load<u32>(component, RIGHT)) != 0)
          next = settle(next, component);
        if (!push(next, parent)) return false;
      }
    }
  }
  return true;
}

/** False if the state has to be expanded by the interpreter. */
function expand(index: u32): bool {
  const state = load<u64>(records + index * recordSize);
  pendingEnd = pendingAt;
  for (let component = componentsAt; component < componentsEnd; component += componentSize) {
    const record = load<u32>(load<u32>(component, NODES) + (get(state, component) << 2));
    if (record == 0) return false;
    const at = tablesAt + (record << 2);
    // An exclusive node: no other component may act.
    if (load<u32>(at) != 0) return step(state, component, at, index, 0) && insertPending(index);
    store<u32>(component, <u32>at, RECORD);
  }
  for (let component = componentsAt; component < componentsEnd; component += componentSize)
    if (!step(state, component, load<u32>(component, RECORD), index, 0)) return false;
  return insertPending(index);
}

/** Fixes where everything is; addresses in bytes. */
export function configure(
  componentCount: u32,
  cellCount: u32,
  slotsAt: u32,
  slotCount: u32,
  recordsAt: u32,
  roomFor: u32,
): void {
  componentsEnd = componentsAt + componentCount * componentSize;
  cells = cellCount;
  slots = slotsAt;
  slotMask = slotCount - 1;
  records = recordsAt;
  capacity = roomFor;
}

/** Expands states from `from` on while there are some and fewer than `limit` are stored; false if it stopped at one before that. */
export function run(from: u32, stored: u32, limit: u32): bool {
  cursor = from;
  count = stored;
  while (cursor < count && count < limit) {
    if (!expand(cursor)) return false;
    cursor++;
  }
  return true;
}
