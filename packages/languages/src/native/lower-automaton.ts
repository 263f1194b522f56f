import { unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  AutomatonBuilder,
  type DraftLocation,
} from '@fencewright/model/program/automaton-builder.js';
import { constantValue } from '@fencewright/model/program/evaluate.js';
import { type Expression, forEachRegister } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { Instruction, RmwInstruction } from '@fencewright/model/program/instruction.js';
import { duplicateName, wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Automaton } from './syntax.js';
import type { ExpressionSyntax } from './syntax-expressions.js';
import type {
  ConditionInstruction,
  HavocInstruction,
  InstructionSyntax,
  AssignInstruction,
} from './syntax-instructions.js';
import type { Name } from './syntax-node.js';
import { readHavocRange } from './havoc-range.js';
import { brokenExpression, lowerCellAddress, lowerTerm, type TermPolicy } from './lower-term.js';
import type { ProblemList } from './problem-list.js';
import { readAnnotations } from './read-annotations.js';
import { type AccessCall, isAccessName, readAccess } from './read-access.js';
import { lowerFence } from './lower-fence.js';
import { plainInstructions } from './plain-instructions.js';
import { checkStoredValue, ordersOf, readRmw } from './read-rmw.js';
import { readCall, readTerm } from './read-term.js';
import { type DeclaredCopies, type SharedScope, type ThreadScope, checkDomain } from './scope.js';
import type { CallTerm, NameTerm } from './term.js';
import type { LoweredThread } from './lowered-thread.js';

/** The names and problems needed for lowering an automaton's instructions. */
interface LoweringContext {
  readonly scope: ThreadScope;
  readonly problems: ProblemList;
}

/** The meaning of an instruction of the text: one instruction, or several for a weak rmw. */
type LoweredInstruction = Instruction | { readonly kind: 'weak'; readonly rmw: RmwInstruction };

/** Returns the automaton of a thread in the form of [BDM13] Fig. 1. */
export function lowerAutomaton(
  name: string,
  automaton: Automaton,
  shared: SharedScope,
  copies: DeclaredCopies,
  problems: ProblemList,
): LoweredThread {
  const registers = declareRegisters(automaton, shared, problems);
  const context: LoweringContext = {
    scope: { shared, registers, copies },
    problems,
  };
  const builder = new AutomatonBuilder(name);
  for (const register of registers.keys()) builder.register(register);
  const locate = ({ text, span }: Name): DraftLocation => builder.labelled(text, span);
  const initial = automaton.initial ? locate(automaton.initial) : builder.location(automaton.span);
  for (const labelled of automaton.instructions) {
    if (labelled.isDamaged || !labelled.instruction) continue;
    const from = locate(labelled.label);
    const marks = readAnnotations(labelled.annotations, {}, shared, problems);
    const lowered = lowerInstruction(labelled.instruction, context);
    const to = locate(labelled.target);
    const { span } = labelled.instruction;
    if (!lowered) continue;
    const isWeak = lowered.kind === 'weak';
    builder.emit(from, to, isWeak ? lowered.rmw : lowered, span, marks);
    if (!isWeak) continue;
    const { label } = labelled;
    const middle = builder.hiddenLocation(label.span, (point) => `${label.text}'${point}`);
    builder.emitFailure(from, to, lowered.rmw, middle, span);
  }
  const thread = builder.build(initial);
  const labels = new Map(
    thread.locations.flatMap(({ name: label, hidden }, id) => (hidden ? [] : [[label, id]])),
  );
  return { thread, labels, registers, text: { kind: 'automaton', automaton } };
}

function declareRegisters(
  automaton: Automaton,
  shared: SharedScope,
  problems: ProblemList,
): ReadonlyMap<string, RegisterId> {
  const ids = new Map<string, RegisterId>();
  const places = new Map<string, Span>();
  for (const register of automaton.registers) {
    const name = register.text;
    const span = register.span;
    const first = places.get(name) ?? shared.places.get(name);
    if (first) {
      problems.add(duplicateName(span, 'name', name, first));
      continue;
    }
    places.set(name, span);
    ids.set(name, ids.size);
  }
  return ids;
}

/**
 * Returns the rules for terms in the automaton form: expressions read no memory, and a shared
 * variable's name is its address.
 */
function policyFor(context: LoweringContext, onBareName?: (term: NameTerm) => void): TermPolicy {
  const { scope, problems } = context;
  return {
    scope,
    problems,
    folds: false,
    allowsBareArrays: true,
    readCell: (address, term) => {
      if (term.kind === 'name') {
        onBareName?.(term);
        return address;
      }
      problems.add(
        wrongOperand(
          term.span,
          'expressions in the automaton form cannot read memory',
          'load the cell first: r <- mem[e]',
        ),
      );
      return brokenExpression;
    },
    readCall: (term) => {
      problems.add(
        wrongOperand(
          term.span,
          `${term.name}(...) cannot be part of an expression`,
          `store the result in a register first: r <- ${term.name}(...)`,
        ),
      );
      return brokenExpression;
    },
  };
}

function lowerExpression(expression: ExpressionSyntax, context: LoweringContext): Expression {
  const term = readTerm(expression, context.problems);
  return term ? lowerTerm(term, policyFor(context)) : brokenExpression;
}

function lowerInstruction(
  node: InstructionSyntax,
  context: LoweringContext,
): LoweredInstruction | undefined {
  const { problems } = context;
  switch (node.kind) {
    case 'AssignInstruction':
      return lowerAssignment(node, context);
    case 'CallInstruction': {
      const call = readCall(node.call, problems);
      return call && lowerCall(call, undefined, context);
    }
    case 'MemoryInstruction': {
      const address = lowerExpression(node.address, context);
      return lowerStore(address, node.value, context);
    }
    case 'PlainInstruction':
      return node.order ? lowerFence(node.order, problems) : plainInstructions[node.keyword];
    case 'ConditionInstruction':
      return lowerCondition(node, context);
    case 'HavocInstruction':
      return lowerHavoc(node, context);
    default:
      return unreachable(node);
  }
}

function lowerStore(
  address: Expression,
  value: ExpressionSyntax,
  context: LoweringContext,
): Instruction {
  const { shared } = context.scope;
  const lowered = lowerExpression(value, context);
  checkDomain(shared, constantValue(lowered, shared.symbols), value.span, context.problems);
  return { kind: 'store', address, value: lowered };
}

/**
 * Returns the instruction for `x <- e`, `a[i] <- e` or `r <- ...`; `undefined` after a reported
 * error.
 */
function lowerAssignment(
  node: AssignInstruction,
  context: LoweringContext,
): LoweredInstruction | undefined {
  const { scope, problems } = context;
  const { text: name, span } = node.name;
  const into = node.index ? undefined : scope.registers.get(name);
  if (into !== undefined) return lowerToRegister(into, node.value, context);
  if (!scope.shared.symbolIds.has(name) && !scope.shared.constants.has(name) && !node.index) {
    problems.addUnknown(span, 'register', name, () => [
      ...scope.registers.keys(),
      ...scope.shared.symbolIds.keys(),
    ]);
    // For the errors in the value; -1 is no register.
    lowerToRegister(-1, node.value, context);
    return undefined;
  }
  const index = node.index && readTerm(node.index, problems);
  if (node.index && !index) return undefined;
  const cell: NameTerm = { kind: 'name', name, span, ...(index && { index }) };
  return lowerStore(lowerCellAddress(cell, policyFor(context)), node.value, context);
}

function lowerToRegister(
  into: RegisterId,
  value: ExpressionSyntax,
  context: LoweringContext,
): LoweredInstruction | undefined {
  const { scope, problems } = context;
  const term = readTerm(value, problems);
  if (!term) return undefined;
  if (term.kind === 'memory')
    return { kind: 'load', into, address: lowerTerm(term.address, policyFor(context)) };
  if (term.kind === 'call') return lowerCall(term, into, context);
  if (term.kind === 'name' && scope.shared.symbolIds.has(term.name)) {
    const cell = term.index ? `${term.name}[...]` : term.name;
    problems.add(
      wrongOperand(
        term.span,
        `'${term.name}' is a shared variable: say whether its value or its address is meant`,
        `write mem[${cell}] for the value, &${cell} for the address`,
      ),
    );
    return undefined;
  }
  return { kind: 'assign', into, value: lowerTerm(term, policyFor(context)) };
}

function lowerCall(
  call: CallTerm,
  into: RegisterId | undefined,
  context: LoweringContext,
): LoweredInstruction | undefined {
  if (isAccessName(call.name)) return lowerAccess({ ...call, name: call.name }, into, context);
  const rmw = readRmw(call, context.scope.shared, context.problems);
  if (!rmw) return undefined;
  const policy = policyFor(context);
  const address = lowerCellAddress(rmw.cell, policy);
  const operands = rmw.operands.map((operand) => lowerTerm(operand, policy));
  const operation = { name: rmw.name, operands };
  checkStoredValue(rmw, operands, context.scope.shared, context.problems);
  const lowered: RmwInstruction = {
    kind: 'rmw',
    ...(into !== undefined && { into }),
    address,
    operation,
    ...ordersOf(rmw),
  };
  return rmw.isWeak ? { kind: 'weak', rmw: lowered } : lowered;
}

function lowerAccess(
  call: CallTerm & { readonly name: AccessCall['kind'] },
  into: RegisterId | undefined,
  context: LoweringContext,
): Instruction | undefined {
  const { shared } = context.scope;
  const access = readAccess(call, shared, context.problems);
  if (!access) return undefined;
  const policy = policyFor(context);
  const address = lowerCellAddress(access.cell, policy);
  const order = access.order && { order: access.order };
  if ((access.kind === 'load') === (into === undefined)) {
    const message = access.kind === 'load' ? 'a load needs a register' : 'a store gives no result';
    const hint = access.kind === 'load' ? 'write r <- load(x, acquire)' : 'write store(x, 1)';
    context.problems.add(wrongOperand(call.span, message, hint));
    return undefined;
  }
  if (access.kind === 'load') return { kind: 'load', into: into!, address, ...order };
  const value = lowerTerm(access.value, policy);
  checkDomain(shared, constantValue(value, shared.symbols), access.value.span, context.problems);
  return { kind: 'store', address, value, ...order };
}

function lowerCondition(node: ConditionInstruction, context: LoweringContext): Instruction {
  const condition = lowerConditionExpression(node.condition, context);
  return { kind: node.keyword === 'check' ? 'assert' : 'assume', condition };
}

/**
 * Returns the expression for a condition; reports conditions such as `x == 0`, which only compare
 * addresses where the value of `x` must be meant.
 */
function lowerConditionExpression(
  expression: ExpressionSyntax,
  context: LoweringContext,
): Expression {
  const { problems } = context;
  const term = readTerm(expression, problems);
  if (!term) return brokenExpression;
  const bare: NameTerm[] = [];
  const policy = policyFor(context, (name) => bare.push(name));
  const condition = lowerTerm(term, policy);
  let registers = 0;
  forEachRegister(condition, () => (registers += 1));
  const [first] = bare;
  if (first && registers === 0) {
    const cell = first.index ? `${first.name}[...]` : first.name;
    problems.add(
      wrongOperand(
        first.span,
        `'${first.name}' means its address here, and the condition reads no register`,
        `load the variable first: r <- mem[${cell}]; or write &${cell} if the address is meant`,
      ),
    );
  }
  return condition;
}

function lowerHavoc(node: HavocInstruction, context: LoweringContext): Instruction | undefined {
  const { scope, problems } = context;
  const name = node.register.text;
  const into = scope.registers.get(name);
  const range = readHavocRange(node, scope.shared, problems);
  const where = node.condition && lowerConditionExpression(node.condition, context);
  if (into === undefined) {
    problems.addUnknown(node.register.span, 'register', name, () => scope.registers.keys());
    return undefined;
  }
  return { kind: 'havoc', into, ...(range && { range }), ...(where && { where }) };
}
