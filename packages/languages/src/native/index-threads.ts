import { nestedStatements } from './collect-locals.js';
import { type NameCollector, primariesOf, soleOf, type ThreadNames } from './name-collector.js';
import { annotationNames } from './read-annotations.js';
import { isOrder } from './read-order.js';
import { operandCount } from './read-rmw.js';
import type { OccurrenceRole } from './name-symbols.js';
import type { Automaton } from './syntax.js';
import type { Annotation, CallSyntax, ExpressionSyntax, Primary } from './syntax-expressions.js';
import type { InstructionSyntax } from './syntax-instructions.js';
import type { Name } from './syntax-node.js';
import type { BlockSyntax, StatementSyntax } from './syntax-statements.js';

/**
 * Indexes the names in the body of a structured thread, an event or a procedure. Registers and
 * labels are known in the whole body.
 */
export function indexBlock(
  body: BlockSyntax,
  thread: ThreadNames,
  names: NameCollector,
  parameters: readonly Name[] = [],
): void {
  for (const name of parameters) declareRegister(name, thread, names, 'parameter');
  const declare = (statement: StatementSyntax): void => {
    if (statement.kind === 'LocalStatement')
      for (const { name } of statement.variables) declareRegister(name, thread, names);
    if (statement.kind === 'LabelledStatement')
      names.declareIn(thread.labels, 'label', statement.label, thread.symbol);
    nestedStatements(statement).forEach(declare);
  };
  declare(body);
  const expressions = new ThreadExpressions(thread, names, 'load');
  const visit = (statement: StatementSyntax): void => {
    if (!statement.isDamaged) indexStatement(statement, expressions, thread, names);
    nestedStatements(statement).forEach(visit);
  };
  visit(body);
}

/** Declares the name of a local variable or a parameter in a thread. */
function declareRegister(
  name: Name,
  thread: ThreadNames,
  names: NameCollector,
  kind: 'register' | 'parameter' = 'register',
): void {
  const shared = names.shared(name.text) ?? names.body(name.text);
  if (shared !== undefined) names.mark(name, shared, 'declaration');
  else if (name.text === 'self') names.builtin(name);
  else names.declareIn(thread.registers, kind, name, thread.symbol);
}

/** Notes the names in the statement itself, without nested statements. */
function indexStatement(
  statement: StatementSyntax,
  expressions: ThreadExpressions,
  thread: ThreadNames,
  names: NameCollector,
): void {
  switch (statement.kind) {
    case 'AnnotatedStatement':
      indexAnnotations(statement.annotations, names);
      break;
    case 'AssignStatement':
      expressions.name(statement.name, 'store');
      expressions.visit(statement.index);
      expressions.visit(statement.value);
      break;
    case 'CallStatement':
      expressions.call(statement.call);
      break;
    case 'AsyncStatement':
      names.builtin(statement.target, (word) => word === 'main' || word === 'any');
      expressions.invocation(statement.call);
      break;
    case 'ProcedureCallStatement':
      expressions.invocation(statement.call);
      break;
    case 'MemoryStatement':
      expressions.memory(statement.address, 'store');
      expressions.visit(statement.value);
      break;
    case 'LocalStatement':
      for (const { initial } of statement.variables) expressions.visit(initial);
      break;
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoStatement':
      expressions.visit(statement.condition.expression);
      break;
    case 'GotoStatement':
      names.mark(statement.target, thread.labels.get(statement.target.text), 'jump');
      break;
    case 'KeywordStatement':
      if (statement.order) names.builtin(statement.order, isOrder);
      break;
    case 'ConditionStatement':
      expressions.visit(statement.condition);
      break;
    case 'HavocStatement': {
      const { register, low, high, condition } = statement;
      const symbol = thread.registers.get(register.text);
      names.mark(register, symbol, 'store');
      names.constant(low);
      names.constant(high);
      if (symbol !== undefined) expressions.visit(condition);
      break;
    }
    default:
  }
}

function indexAnnotations(annotations: readonly Annotation[], names: NameCollector): void {
  for (const { name, value } of annotations) {
    names.builtin(name, (word) => annotationNames.includes(word));
    if (name.text === 'cost' && value?.kind !== 'DecimalLiteral') names.constant(value);
  }
}

/**
 * Notes the names in a thread in the automaton form. A label is declared as soon as an instruction
 * names the label.
 */
export function indexAutomaton(
  { registers, initial, instructions }: Automaton,
  thread: ThreadNames,
  names: NameCollector,
): void {
  for (const register of registers) {
    const shared = names.shared(register.text) ?? names.body(register.text);
    if (shared !== undefined) names.mark(register, shared, 'declaration');
    else names.declareIn(thread.registers, 'register', register, thread.symbol);
  }
  const sound = instructions.filter(({ isDamaged }) => !isDamaged);
  for (const { label } of sound) names.declareIn(thread.labels, 'label', label, thread.symbol);
  const jump = (label: Name): void => {
    const known = thread.labels.get(label.text);
    if (known === undefined) names.declareIn(thread.labels, 'label', label, thread.symbol);
    else names.mark(label, known, 'jump');
  };
  if (initial) jump(initial);
  const expressions = new ThreadExpressions(thread, names, 'address');
  for (const { annotations, instruction, target } of sound) {
    indexAnnotations(annotations, names);
    if (instruction) indexInstruction(instruction, expressions, thread, names);
    jump(target);
  }
}

function indexInstruction(
  instruction: InstructionSyntax,
  expressions: ThreadExpressions,
  thread: ThreadNames,
  names: NameCollector,
): void {
  switch (instruction.kind) {
    case 'AssignInstruction': {
      const { name, index, value } = instruction;
      const register = index ? undefined : thread.registers.get(name.text);
      if (register !== undefined) names.mark(name, register, 'store');
      else if (index) expressions.name(name, 'store');
      else names.mark(name, names.shared(name.text), 'store');
      expressions.visit(index);
      expressions.visit(value);
      break;
    }
    case 'CallInstruction':
      expressions.call(instruction.call);
      break;
    case 'MemoryInstruction':
      expressions.memory(instruction.address, 'store');
      expressions.visit(instruction.value);
      break;
    case 'ConditionInstruction':
      expressions.visit(instruction.condition);
      break;
    case 'HavocInstruction':
      names.mark(instruction.register, thread.registers.get(instruction.register.text), 'store');
      names.constant(instruction.low);
      names.constant(instruction.high);
      expressions.visit(instruction.condition);
      break;
    case 'PlainInstruction':
      if (instruction.order) names.builtin(instruction.order, isOrder);
  }
}

/** Notes the names in the expressions of a thread. */
class ThreadExpressions {
  readonly #thread: ThreadNames;
  readonly #names: NameCollector;
  readonly #reading: OccurrenceRole;

  /**
   * `reading` is the role noted for a shared variable's bare name: a load, or the variable's
   * address.
   */
  constructor(thread: ThreadNames, names: NameCollector, reading: 'load' | 'address') {
    this.#thread = thread;
    this.#names = names;
    this.#reading = reading;
  }

  /**
   * Notes an occurrence of a name: with `role` for a shared variable, otherwise as read or written
   * register.
   */
  name(name: Name, role: OccurrenceRole): void {
    if (name.text === 'self') {
      this.#names.builtin(name);
      return;
    }
    const register = this.#thread.registers.get(name.text);
    if (register === undefined) this.#names.mark(name, this.#names.shared(name.text), role);
    else this.#names.mark(name, register, role === 'store' ? 'store' : 'load');
  }

  visit(expression: ExpressionSyntax | undefined): void {
    for (const primary of primariesOf(expression)) this.#primary(primary, this.#reading);
  }

  /**
   * Notes the names in `mem[address]`; in the automaton form a bare name as address denotes the
   * variable's cell.
   */
  memory(address: ExpressionSyntax, role: OccurrenceRole): void {
    const sole = soleOf(address);
    if (this.#reading === 'address' && sole?.kind === 'Reference') this.#primary(sole, role);
    else this.visit(address);
  }

  /**
   * Notes the names in a load, a store or a read-modify-write: the first operand is accessed, and
   * memory orders are words of the language.
   */
  call(call: CallSyntax): void {
    if (!this.#names.builtin(call.name, (word) => operandCount(word) !== undefined)) return;
    const { text } = call.name;
    const role = text === 'load' ? 'load' : 'store';
    const [cell, ...operands] = call.arguments;
    const sole = cell && text !== 'await' ? soleOf(cell) : undefined;
    if (sole?.kind === 'Reference') this.#primary(sole, role);
    else if (sole?.kind === 'MemoryAccess') this.memory(sole.address, role);
    else this.visit(cell);
    for (const [i, operand] of operands.entries()) {
      const order = i + 1 < operandCount(text)! ? undefined : soleOf(operand);
      if (order?.kind === 'Reference' && isOrder(order.name.text)) this.#names.builtin(order.name);
      else this.visit(operand);
    }
  }

  /** Notes the names in the call of a procedure. */
  invocation({ name, arguments: values }: CallSyntax): void {
    this.#names.mark(name, this.#names.body(name.text), 'use');
    for (const value of values) this.visit(value);
  }

  #primary(primary: Primary, role: OccurrenceRole): void {
    switch (primary.kind) {
      case 'Parentheses':
        this.visit(primary.expression);
        break;
      case 'MemoryAccess':
        this.memory(primary.address, 'load');
        break;
      case 'AddressOf':
        this.name(primary.name, 'address');
        this.visit(primary.index);
        break;
      case 'Call':
        this.call(primary);
        break;
      case 'Reference':
        if (primary.label || primary.register) break;
        this.name(primary.name, role);
        this.visit(primary.index);
        break;
      case 'NumberLiteral':
      case 'EveryIndex':
      case 'BooleanLiteral':
    }
  }
}
