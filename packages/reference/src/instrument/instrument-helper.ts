import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type {
  LocationId,
  RegisterId,
  ThreadId,
  TransitionId,
} from '@fencewright/model/program/ids.js';
import {
  isAccess,
  refuseHandOver,
  type Instruction,
} from '@fencewright/model/program/instruction.js';
import { rmwMeaning } from '@fencewright/model/program/rmw.js';
import {
  accessLevel,
  controlCell,
  type InstrumentedStep,
  type InstrumentedInstruction,
} from '@fencewright/model/instrumented/instrumented.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { clear, type ThreadDraft } from './instrumented-thread.js';

type MemoryInstruction = Extract<Instruction, { kind: 'store' | 'load' | 'rmw' }>;

/** Returns the locations at which the thread may hold the bus lock. */
function mayHoldLock(thread: Thread): ReadonlySet<LocationId> {
  const held = new Set<LocationId>();
  for (const { instruction, to } of thread.transitions)
    if (instruction.kind === 'lock') held.add(to);
  // Additions during the iteration are visited too.
  for (const location of held)
    for (const { from, to, instruction } of thread.transitions)
      if (from === location && instruction.kind !== 'unlock') held.add(to);
  return held;
}

/**
 * Access levels for accesses in a lock block that is not on the happens-before path yet. They
 * differ from the usual levels for the block's own thread only.
 */
interface OwnLevels {
  readonly load: number;
  readonly store: number;
}

function ownLevels(thread: ThreadId): OwnLevels {
  const { load, store } = accessLevel;
  return { load: load + 2 * (thread + 1), store: store + 2 * (thread + 1) };
}

/**
 * The scratch registers of a helper (a thread that does not attack), for addresses and access
 * levels.
 */
interface HelperScratch {
  readonly address: RegisterId;
  readonly level: RegisterId;
  readonly outcome: RegisterId;
}

function assumeThat(left: RegisterId, operator: '==' | '!=', right: number): InstrumentedStep {
  return { kind: 'assume', condition: binary(operator, registerValue(left), constant(right)) };
}

/** A possible outcome of an access (of a `cas`, say): its steps, and whether it only reads. */
interface AccessOutcome {
  readonly steps: readonly InstrumentedStep[];
  readonly readsOnly: boolean;
}

/**
 * Returns the possible outcomes of a store, a load or a `cas`. The instruction's address is in the
 * register `scratch.address`.
 */
function accessesOf(instruction: MemoryInstruction, scratch: HelperScratch): AccessOutcome[] {
  const address: Expression = registerValue(scratch.address);
  switch (instruction.kind) {
    case 'store':
      return [{ steps: [{ ...instruction, address }], readsOnly: false }];
    case 'load':
      return [{ steps: [{ ...instruction, address }], readsOnly: true }];
    case 'rmw': {
      refuseHandOver(instruction);
      if (!rmwMeaning(instruction.operation).condition)
        return [{ steps: [{ ...instruction, address }], readsOnly: false }];
      const { outcome } = scratch;
      const attempt: InstrumentedStep = { ...instruction, address, into: outcome };
      const copy: InstrumentedStep[] =
        instruction.into === undefined
          ? []
          : [{ kind: 'assign', into: instruction.into, value: registerValue(outcome) }];
      return [0, 1].map((result) => ({
        steps: [attempt, assumeThat(outcome, '==', result), ...copy, ...clear(outcome)],
        readsOnly: result === 0,
      }));
    }
  }
}

function block(
  instruction: MemoryInstruction,
  scratch: HelperScratch,
  steps: readonly InstrumentedStep[],
): InstrumentedInstruction {
  return {
    kind: 'block',
    steps: [
      { kind: 'assign', into: scratch.address, value: instruction.address },
      {
        kind: 'auxiliary-load',
        space: 'level',
        into: scratch.level,
        address: registerValue(scratch.address),
      },
      ...steps,
      ...clear(scratch.address, scratch.level),
    ],
  };
}

function raiseLevel(scratch: HelperScratch, level: Expression): InstrumentedStep {
  return {
    kind: 'auxiliary-store',
    space: 'level',
    address: registerValue(scratch.address),
    value: level,
  };
}

/**
 * Returns the blocks for an access with which a helper joins the happens-before path, by Eqs. (8)
 * and (9): the address has been stored to, or the access writes and the address has been accessed.
 * Accesses of the same lock block, with the levels `own`, do not count.
 */
function joinBlocks(
  instruction: MemoryInstruction,
  scratch: HelperScratch,
  own: OwnLevels,
): InstrumentedInstruction[] {
  const { level } = scratch;
  const byOthers = [
    assumeThat(level, '!=', accessLevel.none),
    assumeThat(level, '!=', own.load),
    assumeThat(level, '!=', own.store),
  ];
  const stored = binary('==', binary('%', registerValue(level), constant(2)), constant(0));
  return accessesOf(instruction, scratch).map(({ steps, readsOnly }) =>
    block(
      instruction,
      scratch,
      readsOnly
        ? [...byOthers, { kind: 'assume', condition: stored }, ...steps]
        : [...byOthers, ...steps, raiseLevel(scratch, constant(accessLevel.store))],
    ),
  );
}

/**
 * Returns the blocks for an access in a lock block that has not joined the happens-before path yet:
 * the access raises the level of its address to one of the levels `own`.
 */
function blockBlocks(
  instruction: MemoryInstruction,
  scratch: HelperScratch,
  own: OwnLevels,
): InstrumentedInstruction[] {
  const level = registerValue(scratch.level);
  const raised = (from: number, to: number): Expression =>
    binary('*', binary('==', level, constant(from)), constant(to - from));
  const load = binary('+', level, raised(accessLevel.none, own.load));
  const store = binary(
    '+',
    binary('+', level, raised(accessLevel.none, own.store)),
    raised(own.load, own.store),
  );
  return accessesOf(instruction, scratch).map(({ steps, readsOnly }) =>
    block(instruction, scratch, [...steps, raiseLevel(scratch, readsOnly ? load : store)]),
  );
}

/** Returns the instruction that begins a lock block after the attack's last load. */
function lockBlock(flag: RegisterId): InstrumentedInstruction {
  return {
    kind: 'block',
    steps: [
      { kind: 'lock' },
      {
        kind: 'auxiliary-load',
        space: 'control',
        into: flag,
        address: constant(controlCell.happensBefore),
      },
      assumeThat(flag, '!=', 0),
      ...clear(flag),
    ],
  };
}

/** Returns the blocks for an access on the path, by Eq. (11), (12): levels only rise. */
function onPathBlocks(
  instruction: MemoryInstruction,
  scratch: HelperScratch,
): InstrumentedInstruction[] {
  const { level } = scratch;
  const atLeastLoad = binary(
    '+',
    registerValue(level),
    binary('==', registerValue(level), constant(accessLevel.none)),
  );
  return accessesOf(instruction, scratch).map(({ steps, readsOnly }) =>
    block(instruction, scratch, [
      ...steps,
      raiseLevel(scratch, readsOnly ? atLeastLoad : constant(accessLevel.store)),
    ]),
  );
}

/**
 * Returns the instruction for an access by Eq. (7): the access is possible only before the attack's
 * load.
 */
function beforeLastLoad(instruction: MemoryInstruction, flag: RegisterId): InstrumentedInstruction {
  return {
    kind: 'block',
    steps: [
      {
        kind: 'auxiliary-load',
        space: 'control',
        into: flag,
        address: constant(controlCell.happensBefore),
      },
      assumeThat(flag, '==', 0),
      ...clear(flag),
      instruction,
    ],
  };
}

/**
 * Returns the block that checks for success by Eq. (13). It runs only while no thread holds the bus
 * lock, since the attacker's store cannot reach memory earlier.
 */
function goalBlock(scratch: HelperScratch): InstrumentedInstruction {
  const { address, level } = scratch;
  return {
    kind: 'block',
    steps: [
      { kind: 'lock' },
      {
        kind: 'auxiliary-load',
        space: 'control',
        into: address,
        address: constant(controlCell.attackedAddress),
      },
      { kind: 'auxiliary-load', space: 'level', into: level, address: registerValue(address) },
      assumeThat(level, '!=', accessLevel.none),
      ...clear(address, level),
    ],
  };
}

/**
 * Adds copies of the thread's lock blocks in which the thread must join the path: joining puts the
 * whole block on the path.
 */
function addLockBlocks(
  draft: ThreadDraft,
  scratch: HelperScratch,
  own: OwnLevels,
  onPath: (l: LocationId) => LocationId,
): void {
  const { original } = draft;
  const inBlock = new Map([...mayHoldLock(original)].map((l) => [l, draft.location(l, 'block')]));
  original.transitions.forEach(({ from, to, instruction }, id) => {
    const begin = inBlock.get(from);
    const end = inBlock.get(to);
    const origin = { role: 'plain', from: id } as const;
    if (instruction.kind === 'lock' && end !== undefined)
      draft.add(from, lockBlock(scratch.level), end, origin);
    else if (begin !== undefined && isAccess(instruction)) {
      for (const step of blockBlocks(instruction, scratch, own))
        draft.add(begin, step, end ?? to, origin);
      for (const join of joinBlocks(instruction, scratch, own))
        draft.add(begin, join, onPath(to), { role: 'join', from: id });
    } else if (begin !== undefined && instruction.kind !== 'unlock')
      draft.add(begin, instruction, end ?? to, origin);
  });
}

/**
 * Adds the code of a helper to the draft; its original locations are the code before joining the
 * happens-before path ([BDM13] Fig. 7). Returns the goal location.
 *
 * Beyond the figure: an rmw is one access, split by outcome; local steps off the path continue
 * after the attack's load; so does a lock block that joins: its accesses are atomic, and accesses
 * before the joining access are on the path, too. Without `freezeOffPath` all threads continue:
 * this gives more runs, but equal verdicts.
 */
export function addHelperCode(
  draft: ThreadDraft,
  thread: ThreadId,
  freezeOffPath = true,
): LocationId {
  const { original } = draft;
  const scratch: HelperScratch = {
    address: draft.register('fw_address'),
    level: draft.register('fw_level'),
    outcome: draft.register('fw_outcome'),
  };
  const own = ownLevels(thread);
  const onPath = original.locations.map((_, l) => draft.location(l, 'path'));
  const goal = draft.location(original.initial, 'goal');
  const copyOf = (l: LocationId): LocationId => onPath[l] ?? l;
  const entered = new Map<LocationId, TransitionId>();
  original.transitions.forEach(({ from, to, instruction }, id) => {
    if (!isAccess(instruction)) {
      draft.add(from, instruction, to, { role: 'plain', from: id });
      draft.add(copyOf(from), instruction, copyOf(to), { role: 'on-path', from: id });
      return;
    }
    const plain = freezeOffPath ? beforeLastLoad(instruction, scratch.level) : instruction;
    draft.add(from, plain, to, { role: 'plain', from: id });
    for (const join of joinBlocks(instruction, scratch, own))
      draft.add(from, join, copyOf(to), { role: 'join', from: id });
    for (const step of onPathBlocks(instruction, scratch))
      draft.add(copyOf(from), step, copyOf(to), { role: 'on-path', from: id });
    entered.set(to, id);
  });
  addLockBlocks(draft, scratch, own, copyOf);
  // After an access inside a lock block the check has to wait for the unlock.
  original.transitions.forEach(({ to, instruction }, id) => {
    if (instruction.kind === 'unlock' && !entered.has(to)) entered.set(to, id);
  });
  for (const [location, from] of entered)
    draft.add(copyOf(location), goalBlock(scratch), goal, { role: 'goal', from });
  return goal;
}
