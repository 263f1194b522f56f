import type { SymbolId } from '@fencewright/model/program/ids.js';
import { instanceCells } from '@fencewright/model/program/open-parts.js';
import type { Domain, SharedSymbol } from '@fencewright/model/program/program.js';
import {
  duplicateName,
  indexOutOfBounds,
  misplaced,
  numberTooLarge,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { type ConstantScope, evaluateConstant, evaluateNumber } from './evaluate-constant.js';
import type {
  DeclarationSyntax,
  DomainDeclaration,
  EventDeclaration,
  ProcedureDeclaration,
  VariableSyntax,
} from './syntax.js';
import type { ExpressionSyntax } from './syntax-expressions.js';
import type { ProblemList } from './problem-list.js';
import { readNumber, readTerm } from './read-term.js';
import { type BodySignature, type SharedScope, checkDomain, lookUpShared } from './scope.js';

/** The maximum length of an array, in cells. */
const longestArray = 65_536;

/** The tables of declared names and variables, while they are filled. */
interface Tables {
  readonly constants: Map<string, number>;
  readonly symbolIds: Map<string, SymbolId>;
  readonly symbols: SharedSymbol[];
  readonly bodies: Map<string, BodySignature>;
  readonly isEventDriven: boolean;
  readonly places: Map<string, Span>;
  /** The first address after all variables. */
  end: number;
}

/**
 * Reads the constants, then the shared variables, then the names of events and procedures, then the
 * initial values of the variables; reports the errors and returns the names.
 */
export function declareShared(
  declarations: readonly DeclarationSyntax[],
  problems: ProblemList,
): SharedScope {
  const tables: Tables = {
    constants: new Map(),
    symbolIds: new Map(),
    symbols: [],
    bodies: new Map(),
    isEventDriven: hasEvents(declarations),
    places: new Map(),
    end: 1,
  };
  for (const declaration of declarations)
    if (declaration.kind === 'ConstDeclaration')
      for (const definition of declaration.constants) {
        if (definition.isDamaged) continue;
        const name = definition.name.text;
        const value = evaluate(definition.value, tables, problems, evaluateNumber);
        if (claimName(tables, name, definition.name.span, problems))
          tables.constants.set(name, value ?? 1);
      }
  const variables = declarations
    .flatMap((declaration) => (declaration.kind === 'VarDeclaration' ? declaration.variables : []))
    .filter((variable) => !variable.isDamaged)
    .filter((variable) => allocate(variable, tables, problems));
  declareBodies(declarations, tables, problems);
  const domain = readDomain(declarations, tables, problems);
  const scope: SharedScope = { ...tables, ...(domain && { domain }) };
  const symbols = variables.map((variable, symbol) => ({
    ...tables.symbols[symbol]!,
    initial: readInitial(variable, tables.symbols[symbol]!, scope, problems),
  }));
  return { ...scope, symbols };
}

/** Whether the declarations belong to a program of events. */
function hasEvents(declarations: readonly DeclarationSyntax[]): boolean {
  return declarations.some(
    ({ kind }) => kind === 'EventDeclaration' || kind === 'EventsDeclaration',
  );
}

/** Declares the names of events and procedures, numbered in the order of the text. */
function declareBodies(
  declarations: readonly DeclarationSyntax[],
  tables: Tables,
  problems: ProblemList,
): void {
  bodiesIn(declarations).forEach(({ kind, name, isDamaged, ...head }, id) => {
    if (name.text === '' || !claimName(tables, name.text, name.span, problems)) return;
    const role = kind === 'EventDeclaration' ? 'event' : 'procedure';
    const parameters = isDamaged ? undefined : head.parameters.length;
    tables.bodies.set(name.text, { id, role, parameters });
  });
}

/** Returns the events and procedures, in the order of their numbers. */
export function bodiesIn(
  declarations: readonly DeclarationSyntax[],
): readonly (EventDeclaration | ProcedureDeclaration)[] {
  return declarations.filter(
    (one) => one.kind === 'EventDeclaration' || one.kind === 'ProcedureDeclaration',
  );
}

/**
 * Claims `name` for a declaration of the whole program; returns false after reporting that the name
 * is taken.
 */
function claimName(tables: Tables, name: string, span: Span, problems: ProblemList): boolean {
  if (name === 'self') {
    problems.add(misplaced(span, "'self' is the number of a thread's copy", 'take another name'));
    return false;
  }
  const first = tables.places.get(name);
  if (first) {
    problems.add(duplicateName(span, 'name', name, first));
    return false;
  }
  tables.places.set(name, span);
  return true;
}

function constantScope(tables: SharedScope): ConstantScope {
  return {
    lookUp: (name) => lookUpShared(tables, name),
    candidates: () => tables.constants.keys(),
  };
}

function evaluate(
  expression: ExpressionSyntax,
  tables: SharedScope,
  problems: ProblemList,
  evaluateTerm = evaluateConstant,
): number | undefined {
  const term = readTerm(expression, problems);
  return term && evaluateTerm(term, constantScope(tables), problems);
}

/** Allocates the variable's cells: the next free cells, or the cells from the address after `@`. */
function allocate(variable: VariableSyntax, tables: Tables, problems: ProblemList): boolean {
  const name = variable.name.text;
  const span = variable.name.span;
  let length = 1;
  if (variable.isBoundless) {
    length = instanceCells;
  } else if (variable.length) {
    const given = evaluate(variable.length, tables, problems);
    if (given !== undefined && (given < 1 || given > longestArray))
      problems.add(
        wrongOperand(
          variable.length.span,
          `'${name}' has ${given} cells`,
          `an array has 1 to ${longestArray} cells`,
        ),
      );
    else length = given ?? longestArray;
  }
  const last = tables.symbols.at(-1);
  const base = variable.base
    ? (readNumber(variable.base.number, variable.base.isNegative, problems) ?? 1)
    : last
      ? last.base + last.length
      : 1;
  if (!claimName(tables, name, span, problems)) return false;
  if (base + length - 1 > 0x7fffffff)
    problems.add(numberTooLarge(span, `the address of '${name}'`));
  const overlapped =
    base < tables.end
      ? tables.symbols.find(
          (other) => base < other.base + other.length && other.base < base + length,
        )
      : undefined;
  tables.end = Math.max(tables.end, base + length);
  if (overlapped)
    problems.add(
      wrongOperand(
        span,
        `'${name}' and '${overlapped.name}' overlap in memory`,
        'give another address',
      ),
    );
  tables.symbolIds.set(name, tables.symbols.length);
  tables.symbols.push({
    name,
    base,
    length,
    isArray: variable.isBoundless || variable.length !== undefined,
    ...(variable.isBoundless && { isBoundless: true }),
    ...(variable.isPlain && { isPlain: true }),
    initial: [],
  });
  return true;
}

function readDomain(
  declarations: readonly DeclarationSyntax[],
  tables: Tables,
  problems: ProblemList,
): Domain | undefined {
  const [first, ...others] = declarations
    .filter(
      (declaration): declaration is DomainDeclaration => declaration.kind === 'DomainDeclaration',
    )
    .filter((declaration) => !declaration.isDamaged);
  for (const other of others)
    problems.add(
      misplaced(other.span, 'the domain is declared twice', 'remove one of the declarations'),
    );
  if (!first) return undefined;
  const low = evaluate(first.low, tables, problems);
  const high = evaluate(first.high, tables, problems);
  if (low === undefined || high === undefined) return undefined;
  if (low <= high) return { low, high };
  problems.add(
    wrongOperand(
      first.span,
      `the range ${low}..${high} is empty`,
      'write the smaller number first',
    ),
  );
  return undefined;
}

/** Reads and returns the initial values of the variable's cells; values not given are 0. */
function readInitial(
  variable: VariableSyntax,
  symbol: SharedSymbol,
  scope: SharedScope,
  problems: ProblemList,
): readonly number[] {
  const { cells, initial } = variable;
  if (cells && !symbol.isArray)
    problems.add(
      wrongOperand(
        cells.span,
        `'${symbol.name}' is not an array`,
        `write ${symbol.name}[${cells.values.length}] = {...}, or a single value`,
      ),
    );
  if (initial && symbol.isArray)
    problems.add(
      wrongOperand(
        initial.span,
        `'${symbol.name}' is an array`,
        'give the values of its cells in braces: {1, 2}',
      ),
    );
  const given = cells?.values ?? (initial ? [initial] : []);
  const excess = given[symbol.length];
  if (excess && cells && symbol.isArray)
    problems.add(indexOutOfBounds(excess.span, symbol.name, symbol.length, symbol.length));
  const values = Array.from({ length: symbol.length }, () => 0);
  given.slice(0, symbol.length).forEach((expression, i) => {
    const value = evaluate(expression, scope, problems, evaluateNumber);
    checkDomain(scope, value, expression.span, problems);
    values[i] = value ?? 0;
  });
  if (given.length < symbol.length) checkDomain(scope, 0, variable.name.span, problems);
  return values;
}
