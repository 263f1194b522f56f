import type { Program, Property } from '../../program/program.js';
import { duplicateName, emptyInput, notSupported, syntaxError } from '../../source/diagnostic.js';
import type { Span } from '../../source/span.js';
import { declareShared } from './declare-shared.js';
import type { Declaration, Model } from './generated/ast.js';
import { lowerAutomaton } from './lower-automaton.js';
import { lowerProperty } from './lower-property.js';
import { lowerStructured } from './lower-structured.js';
import type { LoweredThread } from './lowered-thread.js';
import type { SyntaxTree } from './parse-syntax.js';
import type { ProblemList } from './problem-list.js';
import { toName } from './read-term.js';
import type { SharedScope } from './scope.js';
import { spanOf, spanOfProperty, startOf } from './spans.js';

/** A program and what its threads were lowered from. */
export interface LoweredProgram {
  readonly program: Program;
  /** Indexed by `ThreadId`. */
  readonly threads: readonly LoweredThread[];
}

/** Gives the syntax tree its meaning; the program is of use only if no problem was added. */
export function lowerProgram(
  model: Model,
  syntax: SyntaxTree,
  problems: ProblemList,
): LoweredProgram {
  const { declarations } = model;
  if (model.name === undefined && syntax.errors.length === 0)
    problems.add(
      declarations.length === 0
        ? emptyInput("a program starts with 'program NAME' and has threads: thread t { ... }")
        : syntaxError(
            startOf(spanOf(model), 1),
            "expected 'program' and the program's name first",
            'start with: program NAME',
          ),
    );
  refuseEvents(declarations, problems);
  const shared = declareShared(declarations, syntax, problems);
  const threads = lowerThreads(declarations, shared, syntax, problems);
  const properties = lowerProperties(declarations, shared, threads, syntax, problems);
  const program: Program = {
    name: toName(model.name ?? ''),
    symbols: shared.symbols,
    ...(shared.domain && { domain: shared.domain }),
    threads: threads.map(({ thread }) => thread),
    properties,
  };
  return { program, threads };
}

function refuseEvents(declarations: readonly Declaration[], problems: ProblemList): void {
  for (const declaration of declarations)
    switch (declaration.$type) {
      case 'EventDeclaration':
      case 'ProcedureDeclaration':
      case 'EventsDeclaration': {
        const keyword = declaration.$type.replace('Declaration', '').toLowerCase();
        problems.add(
          notSupported(
            startOf(spanOf(declaration), keyword.length),
            'events and procedures are not supported yet',
            'write the handlers as threads',
          ),
        );
        break;
      }
      default:
    }
}

/** Reports a name that occurs again. */
function checkUnique(
  what: string,
  name: string,
  span: Span,
  places: Map<string, Span>,
  problems: ProblemList,
): void {
  const first = places.get(name);
  if (first) problems.add(duplicateName(span, what, name, first));
  else places.set(name, span);
}

function lowerThreads(
  declarations: readonly Declaration[],
  shared: SharedScope,
  syntax: SyntaxTree,
  problems: ProblemList,
): readonly LoweredThread[] {
  const places = new Map<string, Span>();
  const threads: LoweredThread[] = [];
  for (const node of declarations) {
    if (node.$type !== 'ThreadDeclaration' || (node.name as string | undefined) === undefined)
      continue;
    const name = toName(node.name);
    checkUnique('thread', name, spanOfProperty(node, 'name'), places, problems);
    if (node.copies)
      problems.add(
        notSupported(
          spanOf(node.copies),
          'several copies of a thread are not supported yet',
          'write the thread once for each copy',
        ),
      );
    const hasCopies = node.copies !== undefined;
    if (node.automaton)
      threads.push(lowerAutomaton(name, node.automaton, shared, hasCopies, syntax, problems));
    else if (node.body)
      threads.push(lowerStructured(name, node.body, shared, hasCopies, syntax, problems));
  }
  return threads;
}

function lowerProperties(
  declarations: readonly Declaration[],
  shared: SharedScope,
  threads: readonly LoweredThread[],
  syntax: SyntaxTree,
  problems: ProblemList,
): readonly Property[] {
  const places = new Map<string, Span>();
  return declarations
    .filter((node) => node.$type === 'PropertyDeclaration')
    .filter((node) => !syntax.isBroken(node))
    .map((node) => {
      const span = spanOfProperty(node, 'name');
      checkUnique('property', toName(node.name), span, places, problems);
      return lowerProperty(node, { shared, threads, problems });
    })
    .filter((property) => property !== undefined);
}
