import type { Program, Property } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { allAssertions, isRestGoal, restGoals } from '@fencewright/model/verdict/fence-result.js';

/** The problem with the name of a goal. */
export type PropertyProblem =
  /** The name means all assertions, but a property has the name. */
  | { readonly kind: 'ambiguous'; readonly property: Property }
  | { readonly kind: 'no-assertions' }
  | {
      readonly kind: 'unknown';
      readonly what: 'property' | 'invariant or property';
      readonly name: string;
      /** The existing names. */
      readonly known: readonly string[];
    }
  /** The property asks for a state without further steps; fences do not change the answer. */
  | { readonly kind: 'existence'; readonly property: Property };

function hasAssertions({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'assert'),
  );
}

/**
 * Returns the problems with names of properties that fences are to enforce; `allAssertions` and
 * `restGoals` are names of further goals.
 */
export function propertyProblems(program: Program, names: readonly string[]): PropertyProblem[] {
  const { properties } = program;
  return names.flatMap((name): PropertyProblem[] => {
    const property = properties.find((candidate) => candidate.name === name);
    if (name === allAssertions) {
      if (property) return [{ kind: 'ambiguous', property }];
      return hasAssertions(program) ? [] : [{ kind: 'no-assertions' }];
    }
    if (!property && isRestGoal(name)) return [];
    if (!property) {
      const all = hasAssertions(program) ? [allAssertions] : [];
      const known = [...properties.map((candidate) => candidate.name), ...all, ...restGoals];
      return [{ kind: 'unknown', what: 'property', name, known }];
    }
    return property.kind === 'stuck' ? [{ kind: 'existence', property }] : [];
  });
}

/** Returns the problems with names of invariants and properties to prove. */
export function provedProblems(
  { templates: { invariants = [], properties } }: Templates,
  names: readonly string[],
): PropertyProblem[] {
  const known = [...invariants, ...properties].map(({ name }) => name);
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({ kind: 'unknown', what: 'invariant or property', name, known }));
}
