import { bodiesIn } from './declare-shared.js';
import { NameCollector } from './name-collector.js';
import { indexInvariant, indexProperty } from './index-questions.js';
import { indexAutomaton, indexBlock } from './index-threads.js';
import type { NameIndex } from './name-symbols.js';
import type {
  DeclarationSyntax,
  EventsDeclaration,
  ModelSyntax,
  ThreadDeclaration,
  VariableSyntax,
} from './syntax.js';

/**
 * Returns the meaning of each name in a text, as the lowering finds it. Names in unreadable text
 * and names of parts of unknown threads have no meaning.
 */
export function indexNames(model: ModelSyntax): NameIndex {
  const names = new NameCollector();
  if (model.name) names.declare('program', model.name);
  const { declarations } = model;
  declareConstants(declarations, names);
  declareVariables(declarations, names);
  for (const { kind, name } of bodiesIn(declarations))
    names.declareBody(kind === 'EventDeclaration' ? 'event' : 'procedure', name);
  for (const declaration of declarations)
    if (declaration.kind === 'DomainDeclaration' && !declaration.isDamaged) {
      names.constant(declaration.low);
      names.constant(declaration.high);
    }
  for (const declaration of declarations)
    if (declaration.kind === 'ThreadDeclaration') indexThread(declaration, names);
  const labels = new Map<string, ReadonlyMap<string, number>>();
  for (const { name, parameters, body } of bodiesIn(declarations)) {
    const symbol = names.body(name.text) ?? -1;
    const own = { symbol, registers: new Map(), labels: new Map<string, number>() };
    indexBlock(body, own, names, parameters);
    labels.set(name.text, own.labels);
  }
  for (const declaration of declarations)
    if (declaration.kind === 'EventsDeclaration') indexInstances(declaration, names, labels);
  for (const declaration of declarations) {
    if (declaration.isDamaged) continue;
    if (declaration.kind === 'PropertyDeclaration') indexProperty(declaration, names);
    if (declaration.kind === 'InvariantDeclaration') indexInvariant(declaration, names);
  }
  return names.toIndex();
}

/**
 * Declares the constants: a constant is known only after its declaration, and before all
 * variables.
 */
function declareConstants(declarations: readonly DeclarationSyntax[], names: NameCollector): void {
  for (const declaration of declarations)
    if (declaration.kind === 'ConstDeclaration')
      for (const definition of declaration.constants) {
        if (definition.isDamaged) continue;
        names.constant(definition.value);
        names.declareShared('constant', definition.name);
      }
}

/**
 * Declares the variables: the size of a variable may refer to earlier variables, the initial value
 * to all variables.
 */
function declareVariables(declarations: readonly DeclarationSyntax[], names: NameCollector): void {
  const variables: readonly VariableSyntax[] = declarations
    .flatMap((one) => (one.kind === 'VarDeclaration' ? one.variables : []))
    .filter(({ isDamaged }) => !isDamaged);
  for (const { name, length } of variables) {
    names.constant(length);
    names.declareShared('shared variable', name);
  }
  for (const { initial, cells } of variables) {
    names.constant(initial);
    cells?.values.forEach((value) => names.constant(value));
  }
}

/**
 * Indexes the names in the instances of events; `labels` has the labels of each event and
 * procedure, by name.
 */
function indexInstances(
  { instances }: EventsDeclaration,
  names: NameCollector,
  labels: ReadonlyMap<string, ReadonlyMap<string, number>>,
): void {
  for (const { name, arguments: values, count, after, isDamaged } of instances) {
    if (isDamaged) continue;
    names.mark(name, names.body(name.text), 'use');
    values.forEach((value) => names.constant(value));
    if (count?.value?.kind === 'Name')
      names.mark(count.value, names.shared(count.value.text), 'use');
    for (const { body, label } of after) {
      names.mark(body, names.body(body.text), 'use');
      if (label) names.mark(label, labels.get(body.text)?.get(label.text), 'use');
    }
  }
}

function indexThread({ name, copies, body }: ThreadDeclaration, names: NameCollector): void {
  names.constant(copies?.count);
  const thread = names.openThread(name);
  if (body.kind === 'Automaton') indexAutomaton(body, thread, names);
  else indexBlock(body, thread, names);
}
