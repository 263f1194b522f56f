import type { Program, Property } from '../program/program.js';
import { allAssertions } from '../verdict/fence-result.js';

/** What is wrong with the name of a property that fences are to enforce. */
export type PropertyProblem =
  /** The name stands for all assertions, and a property bears it. */
  | { readonly kind: 'ambiguous'; readonly property: Property }
  | { readonly kind: 'no-assertions' }
  | { readonly kind: 'unknown'; readonly name: string; readonly known: readonly string[] }
  /** It asks whether nothing can happen any more, which a fence does not change. */
  | { readonly kind: 'existence'; readonly property: Property };

function hasAssertions({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'assert'),
  );
}

/**
 * What is wrong with names of properties that are to hold; `allAssertions` stands for all
 * assertions.
 */
export function propertyProblems(program: Program, names: readonly string[]): PropertyProblem[] {
  const { properties } = program;
  return names.flatMap((name): PropertyProblem[] => {
    const property = properties.find((candidate) => candidate.name === name);
    if (name === allAssertions) {
      if (property) return [{ kind: 'ambiguous', property }];
      return hasAssertions(program) ? [] : [{ kind: 'no-assertions' }];
    }
    if (!property) {
      const known = [...properties.map((candidate) => candidate.name), allAssertions];
      return [{ kind: 'unknown', name, known }];
    }
    return property.kind === 'stuck' ? [{ kind: 'existence', property }] : [];
  });
}
