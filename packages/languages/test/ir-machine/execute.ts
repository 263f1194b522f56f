import type { Edge, Op, Operand } from './code.js';
import { casted } from './constant.js';
import type { Outcome } from './library-call.js';
import { landed, resume } from './exceptions.js';
import { callLibrary } from './library.js';
import { runAssembly } from './run-assembly.js';
import type { Frame } from './state.js';
import { Fault, NotKnown } from './stop.js';
import {
  binary,
  compared,
  fromBytes,
  modified,
  toBytes,
  toNumber,
  toSigned,
  type Value,
} from './value.js';
import type { World } from './world.js';

/** The maximum number of ops that a thread executes before a visible step. */
const longest = 200_000;

/**
 * Executes one visible step of a thread, then all invisible steps that follow. Returns whether the
 * visible step was possible.
 */
export function step(world: World, id: number): boolean {
  if (attempt(world, id, true) === 'waits') return false;
  runOn(world, id);
  return true;
}

/** Executes the steps of a thread up to its next visible step. */
export function runOn(world: World, id: number): void {
  for (let count = 0; world.end === undefined; count++) {
    if (count > longest) throw new NotKnown('a thread that does not end by itself');
    if (attempt(world, id, false) === 'waits') return;
  }
}

function attempt(world: World, id: number, isSeen: boolean): Outcome {
  try {
    return execute(world, id, isSeen);
  } catch (failure) {
    if (!(failure instanceof Fault)) throw failure;
    if (!isSeen) return 'waits';
    world.finish({ kind: 'fault', why: failure.message });
    return 'done';
  }
}

function execute(world: World, id: number, isSeen: boolean): Outcome {
  const thread = world.thread(id);
  const frame = thread.frames.at(-1);
  if (thread.status !== 'running') return 'waits';
  if (!frame) return id === 0 ? leaveProcess(world, isSeen) : endThread(world, id);
  const op = frame.code.ops[frame.pc]!;
  const get = (operand: Operand): Value =>
    operand >= 0 ? frame.registers[operand] : frame.code.constants[-1 - operand];
  const known = (operand: Operand): Value => {
    const value = get(operand);
    if (value === undefined) throw new Fault('use of a value that is not there');
    return value;
  };
  const put = (out: number, value: Value): Outcome => {
    if (out >= 0) frame.registers[out] = value;
    frame.pc += 1;
    return 'done';
  };
  const go = (edge: Edge): Outcome => {
    const values = edge.moves.map(({ from }) => get(from));
    edge.moves.forEach(({ out }, i) => (frame.registers[out] = values[i]));
    frame.pc = edge.to;
    return 'done';
  };
  switch (op.kind) {
    case 'jump':
      return go(op.edge);
    case 'branch':
      return go(known(op.condition) === 1 ? op.then : op.otherwise);
    case 'switch': {
      const on = known(op.on);
      return go(op.cases.find(({ value }) => value === on)?.edge ?? op.otherwise);
    }
    case 'call': {
      const callee = world.image.functionAt.get(toNumber(known(op.callee)));
      if (callee === undefined) throw new Fault('call of what is no function');
      const operands = op.operands.map(get);
      if (typeof callee === 'string')
        return callLibrary(
          world,
          { id, name: callee, operands, isSeen, shape: op.returns },
          (value) => put(op.out, value),
        );
      if (callee.parameters.some(({ copied }) => copied > 0)) throw new NotKnown('byval');
      if (thread.frames.length > 100) throw new NotKnown('recursion');
      thread.frames.push(world.frameOf(callee, operands));
      return 'done';
    }
    case 'landing':
      return put(op.out, landed(world, id));
    case 'resume':
      return resume(world, id, known(op.exception));
    case 'thread':
      return startStatement(world, id, op, isSeen);
    case 'return':
      return comeBack(world, id, op.value === undefined ? undefined : get(op.value));
    case 'unreachable':
      throw new Fault('unreachable');
    case 'not-known':
      throw new NotKnown(op.what);
    case 'load':
    case 'store':
    case 'modify':
    case 'exchange-if':
    case 'fence':
      return access(world, id, op, get, put, isSeen);
    case 'asm-enter':
    case 'asm-load':
    case 'asm-do':
    case 'asm-leave':
      return runAssembly(world, id, op, get, put, isSeen);
    default:
      return compute(world, id, op, get, put);
  }
}

/** Starts a thread that runs one statement, with copies of the locals [CBMC]. */
function startStatement(
  world: World,
  id: number,
  { statement, first, behind }: Extract<Op, { readonly kind: 'thread' }>,
  isSeen: boolean,
): Outcome {
  if ((!isSeen && !world.isAlone(id)) || world.look(id).buffer.length > 0) return 'waits';
  const frame = world.thread(id).frames.at(-1)!;
  const registers = [...frame.registers];
  for (const register of statement.live[first]!) {
    const value = registers[register];
    if (typeof value === 'number') world.share(value);
  }
  const own = { code: statement, pc: first, registers, rooms: 0, isCallback: false };
  const { id: started } = world.addThread([own]);
  world.sync(id, started);
  frame.pc = behind;
  return 'done';
}

type Get = (operand: Operand) => Value;
type Put = (out: number, value: Value) => Outcome;

function compute(world: World, id: number, op: Op, get: Get, put: Put): Outcome {
  switch (op.kind) {
    case 'copy':
      return put(op.out, get(op.from));
    case 'binary':
      return put(op.out, binary(op.name, op.bits, op.noOverflow, get(op.left), get(op.right)));
    case 'compare':
      return put(op.out, compared(op.relation, op.bits, get(op.left), get(op.right)));
    case 'cast':
      return put(op.out, casted(op.name, get(op.from), op.fromBits, op.toBits));
    case 'room':
      return put(op.out, world.room(id, op.size * toNumber(get(op.count)), op.align));
    case 'element': {
      let at = toNumber(get(op.base)) + op.offset;
      for (const { index, bits, scale } of op.scaled)
        at += Number(toSigned(bits, get(index))) * scale;
      return put(op.out, at);
    }
    case 'extract':
      return put(op.out, (get(op.from) as readonly Value[])[op.index]);
    case 'insert': {
      const into = get(op.into) as readonly Value[] | undefined;
      const parts = into ? [...into] : Array.from({ length: op.length }, (): Value => undefined);
      parts[op.index] = get(op.element);
      return put(op.out, parts);
    }
    case 'select': {
      const condition = get(op.condition);
      if (condition === undefined) throw new Fault('use of a value that is not there');
      return put(op.out, get(condition === 1 ? op.then : op.otherwise));
    }
    default:
      throw new NotKnown(op.kind);
  }
}

type Access = Extract<Op, { readonly kind: 'load' | 'store' | 'modify' | 'exchange-if' | 'fence' }>;

function access(
  world: World,
  id: number,
  op: Access,
  get: Get,
  put: Put,
  isSeen: boolean,
): Outcome {
  const isDrained = world.look(id).buffer.length === 0;
  if (op.kind === 'fence') return isDrained ? put(-1, undefined) : 'waits';
  const pointer = get(op.pointer);
  if (pointer === undefined) throw new Fault('use of a pointer that is not there');
  const address = toNumber(pointer);
  const { shape } = op;
  const isShown = world.isSeen(id, address, shape.size);
  if (op.kind === 'load') {
    if (isShown && !isSeen) return 'waits';
    return put(op.out, fromBytes(shape, world.load(id, address, shape.size)));
  }
  if (op.kind === 'store') {
    const bytes = toBytes(shape, get(op.value));
    // A store into a buffer is invisible to other threads until its commit.
    if (isShown && !isSeen && (op.isLocked || world.model === 'SC')) return 'waits';
    if (!op.isLocked) world.store(id, address, bytes);
    else if (!isDrained) return 'waits';
    else world.modify(id, address, bytes);
    return put(-1, undefined);
  }
  if ((isShown && !isSeen) || !isDrained) return 'waits';
  const old = fromBytes(shape, world.load(id, address, shape.size));
  if (old === undefined) throw new Fault('use of a value that is not there');
  if (op.kind === 'modify') {
    const value = modified(op.name, op.bits, old, get(op.operand));
    world.modify(id, address, toBytes(shape, value));
    return put(op.out, old);
  }
  const isEqual = old === get(op.expected);
  if (isEqual) world.modify(id, address, toBytes(shape, get(op.desired)));
  return put(op.out, [old, isEqual ? 1 : 0]);
}

function comeBack(world: World, id: number, value: Value): Outcome {
  const left = world.leave(id);
  const thread = world.thread(id);
  const caller: Frame | undefined = thread.frames.at(-1);
  if (left.isCallback) return 'done';
  if (!caller) {
    thread.result = value ?? 0;
    return 'done';
  }
  const op = caller.code.ops[caller.pc]!;
  if (op.kind === 'call' && op.out >= 0) caller.registers[op.out] = value;
  caller.pc += 1;
  return 'done';
}

function endThread(world: World, id: number): Outcome {
  const thread = world.thread(id);
  if (typeof thread.result === 'number') world.share(thread.result);
  thread.status = 'ended';
  return 'done';
}

/**
 * Ends the process after the return of `main`. As in glibc, a lock is taken before each function
 * registered by `atexit`, and before the first destructor, but not between destructors. After the
 * last function, no more can be registered.
 */
function leaveProcess(world: World, isSeen: boolean): Outcome {
  const thread = world.thread(0);
  const { leaving } = world;
  const { destructors } = world.image;
  const destroy = (): Outcome => {
    thread.frames.push(world.frameOf(world.codeAt(destructors[leaving]!), [], true));
    world.setLeaving(leaving + 1);
    return 'done';
  };
  if (leaving > 0 && leaving < destructors.length) return destroy();
  if (thread.buffer.length > 0 || (!isSeen && !world.isAlone(0))) return 'waits';
  if (leaving <= destructors.length) {
    world.touchExitList(0);
    const next = world.takeAtExit();
    if (next) {
      const code = world.codeAt(next.fn);
      thread.frames.push(world.frameOf(code, [next.argument], true));
      return 'done';
    }
    if (leaving < destructors.length) return destroy();
    world.setLeaving(leaving + 1);
    return 'done';
  }
  world.finish({
    kind: 'exit',
    status: Number(BigInt.asUintN(8, BigInt(toNumber(thread.result)))),
  });
  return 'done';
}
