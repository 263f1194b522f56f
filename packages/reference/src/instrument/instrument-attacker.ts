import { refuseHeavyFence } from '@fencewright/model/program/heavy-fences.js';
import { computeReachableAvoiding } from '@fencewright/model/analysis/control-flow.js';
import { binary, constant, registerValue } from '@fencewright/model/program/expression.js';
import type {
  LocationId,
  RegisterId,
  ThreadId,
  TransitionId,
} from '@fencewright/model/program/ids.js';
import { drainsBuffer, isLocal, type Instruction } from '@fencewright/model/program/instruction.js';
import {
  accessLevel,
  controlCell,
  type InstrumentedStep,
  type InstrumentedInstruction,
} from '@fencewright/model/instrumented/instrumented.js';
import { clear, type ThreadDraft } from './instrumented-thread.js';

type Store = Extract<Instruction, { kind: 'store' }>;
type Load = Extract<Instruction, { kind: 'load' }>;

interface AttackerScratch {
  readonly address: RegisterId;
  readonly pending: RegisterId;
}

function setControl(cell: number, value: number): InstrumentedStep {
  return {
    kind: 'auxiliary-store',
    space: 'control',
    address: constant(cell),
    value: constant(value),
  };
}

/**
 * Returns the block for a delayed store by Eq. (3), and with `first` by Eq. (1), which also records
 * the address.
 */
function delayBlock(
  store: Store,
  scratch: AttackerScratch,
  before: readonly InstrumentedStep[],
  first: boolean,
): InstrumentedInstruction {
  const address = registerValue(scratch.address);
  const keep: InstrumentedStep = {
    kind: 'auxiliary-store',
    space: 'control',
    address: constant(controlCell.attackedAddress),
    value: address,
  };
  return {
    kind: 'block',
    steps: [
      ...before,
      { kind: 'assign', into: scratch.address, value: store.address },
      { kind: 'auxiliary-store', space: 'pending', address, value: constant(1) },
      { kind: 'auxiliary-store', space: 'buffer', address, value: store.value },
      ...(first ? [keep] : []),
      ...clear(scratch.address),
    ],
  };
}

function loadBlock(
  load: Load,
  scratch: AttackerScratch,
  isPending: boolean,
  access: readonly InstrumentedStep[],
): InstrumentedInstruction {
  const address = registerValue(scratch.address);
  return {
    kind: 'block',
    steps: [
      { kind: 'assign', into: scratch.address, value: load.address },
      { kind: 'auxiliary-load', space: 'pending', into: scratch.pending, address },
      {
        kind: 'assume',
        condition: binary(isPending ? '!=' : '==', registerValue(scratch.pending), constant(0)),
      },
      ...access,
      ...clear(scratch.address, scratch.pending),
    ],
  };
}

/**
 * Returns the two instructions for a buffered load of the attacker ([BDM13] Eq. (4)): from its
 * auxiliary buffer, and from memory.
 */
function bufferedLoadBlocks(
  load: Load,
  scratch: AttackerScratch,
): { early: InstrumentedInstruction; memory: InstrumentedInstruction } {
  const address = registerValue(scratch.address);
  return {
    early: loadBlock(load, scratch, true, [
      { kind: 'auxiliary-load', space: 'buffer', into: load.into, address },
    ]),
    memory: loadBlock(load, scratch, false, [{ ...load, address }]),
  };
}

/**
 * Returns the block for the attack's load by Eq. (2): the block reads from memory, never from the
 * buffer, sets the flag for the load, raises the access level of the address, and halts the
 * attacker.
 */
function lastLoadBlock(
  load: Load,
  scratch: AttackerScratch,
  before: readonly InstrumentedStep[],
): InstrumentedInstruction {
  const address = registerValue(scratch.address);
  return loadBlock(load, scratch, false, [
    ...before,
    { ...load, into: scratch.pending, address },
    setControl(controlCell.happensBefore, 1),
    {
      kind: 'auxiliary-store',
      space: 'level',
      address,
      value: constant(accessLevel.load),
    },
  ]);
}

/** The attacks that a thread may carry out as the attacker. */
interface AttackerChoice {
  readonly thread: ThreadId;
  readonly stores: ReadonlySet<TransitionId>;
  readonly loads: ReadonlySet<TransitionId>;
  /**
   * Whether the instrumented program writes the thread, the store and the load of the attack to
   * `control`, and blocks every thread that would attack after another thread (single query,
   * [BDM13] Sect. 8.3).
   */
  readonly recorded: boolean;
}

function recordStore(thread: ThreadId, store: TransitionId): InstrumentedStep[] {
  return [
    setControl(controlCell.attackerChosen, 1),
    setControl(controlCell.attackThread, thread),
    setControl(controlCell.attackStore, store),
  ];
}

/** Returns steps that block if another thread already is the attacker. */
function requireNoAttacker(flag: RegisterId): InstrumentedStep[] {
  return [
    {
      kind: 'auxiliary-load',
      space: 'control',
      into: flag,
      address: constant(controlCell.attackerChosen),
    },
    { kind: 'assume', condition: binary('==', registerValue(flag), constant(0)) },
    ...clear(flag),
  ];
}

/**
 * Returns whether each location is useful in the attacker's copy of the code: after a chosen store
 * and before a chosen load, with no instruction in between that drains the buffer.
 */
function usefulLocations(draft: ThreadDraft, choice: AttackerChoice): readonly boolean[] {
  const { original } = draft;
  const useful = original.locations.map(() => false);
  const drains = ({ instruction }: { readonly instruction: Instruction }) =>
    drainsBuffer(instruction);
  for (const store of choice.stores) {
    const after = original.transitions[store]?.to;
    if (after === undefined) continue;
    const reached = computeReachableAvoiding(original, after, drains);
    reached.forEach((isReached, l) => {
      if (isReached) useful[l] = true;
    });
  }
  return useful.map(
    (isReached, l) =>
      isReached &&
      [...choice.loads].some((load) => {
        const before = original.transitions[load]?.from;
        return (
          before !== undefined && computeReachableAvoiding(original, l, drains)[before] === true
        );
      }),
  );
}

/**
 * Adds the attacker's copy of the code to the draft, with stores going to the auxiliary buffer
 * ([BDM13] Fig. 5). The original code is unchanged. Instructions that drain the buffer have no copy
 * (Eq. (6)), nor have locations from which no load of the attack is reachable.
 */
export function addAttackerCode(draft: ThreadDraft, choice: AttackerChoice): void {
  const { original } = draft;
  const useful = usefulLocations(draft, choice);
  const scratch: AttackerScratch = {
    address: draft.register('fw_target'),
    pending: draft.register('fw_pending'),
  };
  const copies = original.locations.map((_, l) =>
    useful[l] ? draft.location(l, 'delayed') : undefined,
  );
  const halt = draft.location(original.initial, 'halt');
  const addCopy = (
    from: LocationId | undefined,
    to: LocationId | undefined,
    instruction: InstrumentedInstruction,
    role: 'delay' | 'delayed',
    id: TransitionId,
  ): void => {
    if (from !== undefined && to !== undefined)
      draft.add(from, instruction, to, { role, from: id });
  };
  original.transitions.forEach(({ from, to, instruction }, id) => {
    const copyFrom = copies[from];
    const copyTo = copies[to];
    if (isLocal(instruction)) {
      addCopy(copyFrom, copyTo, instruction, 'delayed', id);
      return;
    }
    switch (instruction.kind) {
      case 'store': {
        if (choice.stores.has(id)) {
          const before = choice.recorded
            ? [...requireNoAttacker(scratch.pending), ...recordStore(choice.thread, id)]
            : [];
          addCopy(from, copyTo, delayBlock(instruction, scratch, before, true), 'delay', id);
        }
        addCopy(copyFrom, copyTo, delayBlock(instruction, scratch, [], false), 'delay', id);
        return;
      }
      case 'load': {
        const { early, memory } = bufferedLoadBlocks(instruction, scratch);
        addCopy(copyFrom, copyTo, early, 'delayed', id);
        addCopy(copyFrom, copyTo, memory, 'delayed', id);
        if (copyFrom === undefined || !choice.loads.has(id)) return;
        const before = choice.recorded ? [setControl(controlCell.attackLoad, id)] : [];
        const last = lastLoadBlock(instruction, scratch, before);
        draft.add(copyFrom, last, halt, { role: 'last-load', from: id });
        return;
      }
      case 'heavy-fence':
        return refuseHeavyFence();
      case 'fence':
      case 'rmw':
      case 'lock':
      case 'unlock':
    }
  });
}
