import { hasKind } from '@fencewright/model/program/has-kind.js';
import type { Program, Property } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { allAssertions, isRestGoal, restGoals } from '@fencewright/model/verdict/fence-result.js';

/** The reason why a name is no valid goal of repairs or proofs. */
export type PropertyProblem =
  /** The name is ambiguous: all assertions of the program, or a property with the same name. */
  | { readonly kind: 'ambiguous'; readonly property: Property }
  | { readonly kind: 'no-assertions' }
  | {
      readonly kind: 'unknown';
      readonly what: 'property' | 'invariant or property';
      readonly name: string;
      /** The names of the goals that exist, for the message about an unknown name. */
      readonly known: readonly string[];
    }
  /** The property asks whether a state exists; fences do not change the answer. */
  | { readonly kind: 'existence'; readonly property: Property };

/**
 * Returns the problems with the names of goals for fences; besides properties, `allAssertions` and
 * `progressGoal` are valid names.
 */
export function propertyProblems(program: Program, names: readonly string[]): PropertyProblem[] {
  const { properties } = program;
  return names.flatMap((name): PropertyProblem[] => {
    const property = properties.find((candidate) => candidate.name === name);
    if (name === allAssertions) {
      if (property) return [{ kind: 'ambiguous', property }];
      return hasKind(program.threads, 'assert') ? [] : [{ kind: 'no-assertions' }];
    }
    if (!property && isRestGoal(name)) return [];
    if (!property) {
      const all = hasKind(program.threads, 'assert') ? [allAssertions] : [];
      const known = [...properties.map((candidate) => candidate.name), ...all, ...restGoals];
      return [{ kind: 'unknown', what: 'property', name, known }];
    }
    return property.kind === 'stuck' ? [{ kind: 'existence', property }] : [];
  });
}

/** Returns the problems with the names of invariants and properties to prove. */
export function provedProblems(
  { templates: { invariants = [], properties } }: Templates,
  names: readonly string[],
): PropertyProblem[] {
  const known = [...invariants, ...properties].map(({ name }) => name);
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({ kind: 'unknown', what: 'invariant or property', name, known }));
}
