// The search kernel in AssemblyScript: what interpreter.ts does for one state after the other, for states of two words. It stops
// at everything unusual (a table entry that is missing, a goal, no room) and leaves that state to the interpreter.
//
// Compiled by tools/build-kernel.mjs into kernel-binary.ts. Linear memory is laid out by linear-storage.ts and kernel.ts:
//
//   components  `componentSize` bytes each, from `componentsAt`
//   cells       `cellSize` bytes each, from `cellsAt`
//   pending     successors of the states being expanded that are not yet in the table, from `pendingAt`
//   tables      a copy of ProductTables.memory, from `tablesAt`
//   slots       as in state-table.ts
//   records     12 bytes for each state: its two words and its parent

const componentsAt: u32 = 64;
const componentSize: u32 = 32;
const cellsAt: u32 = 2560;
const cellSize: u32 = 8;
const pendingAt: u32 = 3072;
const pendingSize: u32 = 24;
const tablesAt: u32 = 8192;
/** No further state is expanded when the pending ones reach this address. */
const pendingEnough: u32 = tablesAt - 1024;

// A pending state: its words, hash and parent, and what was in its slot.
const HASH: u32 = 8;
const PARENT: u32 = 12;
const ENTRY: u32 = 16;

// A component: where its field is in a state, the address of its automaton's node table, the addresses of its neighbours in its
// symmetric group or 0, and the address of the record of its node in the state being expanded.
const SHIFT: u32 = 0;
const MASK: u32 = 4;
const NODES: u32 = 8;
const LEFT: u32 = 12;
const RIGHT: u32 = 16;
const RECORD: u32 = 20;

/** States that `enter` takes at a time; there is room for so many pending ones. */
const block: u32 = 192;

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
/** The state being expanded, and where its pending successors begin. */
let expanding: u32 = 0;
let origin: u64 = 0;
let pendingFrom: u32 = pendingAt;
/** Whether there was no room for them behind those of other states. */
let hasOverflown: bool = false;

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

/**
 * Drops pending states that are in the table at their first slot. In large tables most of the time goes into waiting for memory;
 * here the waits overlap, since no step depends on the one before it, nor on a branch.
 */
function dropKnown(): void {
  for (let at = pendingAt; at < pendingEnd; at += pendingSize)
    store<u32>(at, load<u32>(slots + ((load<u32>(at, HASH) & slotMask) << 2)), ENTRY);
  let to = pendingAt;
  for (let at = pendingAt; at < pendingEnd; at += pendingSize) {
    const state = load<u64>(at);
    const hash = load<u32>(at, HASH);
    const entry = load<u32>(at, ENTRY);
    const isTagged = (entry & ~indexMask) == (hash & tagMask);
    const index = select<u32>(entry & indexMask, 0, isTagged);
    const isKnown = <u32>isTagged & <u32>(load<u64>(records + index * recordSize) == state);
    store<u64>(to, state);
    store<u32>(to, hash, HASH);
    store<u32>(to, load<u32>(at, PARENT), PARENT);
    to += select<u32>(0, pendingSize, isKnown);
  }
  pendingEnd = to;
}

/** Adds the pending states, up to those of the state with which the limit is reached; false if there is no room. */
function insertPending(limit: u32): bool {
  dropKnown();
  const end = pendingEnd;
  pendingEnd = pendingAt;
  let parent = cursor;
  for (let at = pendingAt; at < end; at += pendingSize) {
    const from = load<u32>(at, PARENT);
    if (from != parent && count >= limit) {
      cursor = parent + 1;
      return true;
    }
    parent = from;
    if (!insert(load<u64>(at), load<u32>(at, HASH), from)) {
      cursor = from;
      return false;
    }
  }
  cursor = expanding;
  return true;
}

/** Adds a successor of the state being expanded soon. False if there is no room. */
function push(state: u64): bool {
  const at = pendingEnd;
  if (at + pendingSize > tablesAt) {
    hasOverflown = pendingFrom > pendingAt;
    if (hasOverflown || !insertPending(0xffffffff)) return false;
    return push(state);
  }
  store<u64>(at, state);
  store<u32>(at, hashOf(state), HASH);
  store<u32>(at, expanding, PARENT);
  pendingEnd = at + pendingSize;
  return true;
}

/** All moves of one component whose node has the record at `record`; false if something is unusual. */
function step(state: u64, component: u32, record: u32, depth: i32): bool {
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
        if (!step(next, component, tablesAt + (inner << 2), depth + 1)) return false;
      } else {
        if ((load<u32>(component, LEFT) | load<u32>(component, RIGHT)) != 0)
          next = settle(next, component);
        if (next != origin && !push(next)) return false;
      }
    }
  }
  return true;
}

/** Makes the successors of a state pending; false if it has to be expanded by the interpreter, or again. */
function expand(index: u32): bool {
  const state = load<u64>(records + index * recordSize);
  expanding = index;
  origin = state;
  pendingFrom = pendingEnd;
  for (let component = componentsAt; component < componentsEnd; component += componentSize) {
    const record = load<u32>(load<u32>(component, NODES) + (get(state, component) << 2));
    if (record == 0) return false;
    const at = tablesAt + (record << 2);
    // An exclusive node: no other component may act.
    if (load<u32>(at) != 0) return step(state, component, at, 0);
    store<u32>(component, <u32>at, RECORD);
  }
  for (let component = componentsAt; component < componentsEnd; component += componentSize)
    if (!step(state, component, load<u32>(component, RECORD), 0)) return false;
  return true;
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
    hasOverflown = false;
    let isUsual = true;
    let next = cursor;
    while (next < count && pendingEnd < pendingEnough) {
      isUsual = expand(next);
      if (!isUsual) {
        pendingEnd = pendingFrom;
        break;
      }
      next++;
    }
    expanding = next;
    if (!insertPending(limit)) return false;
    if (!isUsual && !hasOverflown && cursor == next && count < limit) return false;
  }
  return true;
}

/** Enters the first `stored` states into the slots, which are empty. */
export function enter(stored: u32): void {
  for (let first: u32 = 0; first < stored; first += block) {
    const end = min(first + block, stored);
    // Two loops, so that the waits for the slots overlap.
    let at = pendingAt;
    for (let index = first; index < end; index++) {
      const hash = hashOf(load<u64>(records + index * recordSize));
      store<u32>(at, hash, HASH);
      store<u32>(at, load<u32>(slots + ((hash & slotMask) << 2)), ENTRY);
      at += pendingSize;
    }
    at = pendingAt;
    for (let index = first; index < end; index++) {
      const hash = load<u32>(at, HASH);
      let slot = hash & slotMask;
      while (load<i32>(slots + (slot << 2)) >= 0) slot = (slot + 1) & slotMask;
      store<u32>(slots + (slot << 2), (hash & tagMask) | index);
      at += pendingSize;
    }
  }
}

/** Moves the fields of the first `stored` states as `moves` moves say that are in place of pending states: shift, mask, new shift. */
export function repack(stored: u32, moves: u32): void {
  const end = pendingAt + moves * 12;
  const last = records + stored * recordSize;
  for (let record = records; record < last; record += recordSize) {
    const state = load<u64>(record);
    let moved: u64 = 0;
    for (let move = pendingAt; move < end; move += 12)
      moved |=
        ((state >> <u64>load<u32>(move)) & <u64>load<u32>(move, 4)) << <u64>load<u32>(move, 8);
    store<u64>(record, moved);
  }
}
