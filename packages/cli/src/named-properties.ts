import {
  allAssertions,
  type Diagnostic,
  type Program,
  unknownName,
  wrongOperand,
} from '@fencewright/core';

function hasAssertions({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'assert'),
  );
}

/** What is wrong with the names of the properties that `--for` asks for; `assertions` stands for all assertions. */
export function findPropertyProblems(program: Program, names: readonly string[]): Diagnostic[] {
  // The names come from the command line: there is no place in the file to point at.
  const nowhere = { start: { line: 0, column: 0 }, end: { line: 0, column: 0 } };
  const withoutPlace = ({ span: _, ...diagnostic }: Diagnostic): Diagnostic => diagnostic;
  const { properties } = program;
  return names.flatMap((name) => {
    const property = properties.find((candidate) => candidate.name === name);
    if (name === allAssertions) {
      if (property)
        return wrongOperand(
          property.span ?? nowhere,
          `with --for '${allAssertions}' is both this property and all assertions`,
          'give the property another name',
        );
      if (hasAssertions(program)) return [];
      return withoutPlace(
        wrongOperand(nowhere, 'the program has no assertions', 'write assert(e); in a thread'),
      );
    }
    if (!property) {
      const candidates = [...properties.map((candidate) => candidate.name), allAssertions];
      return withoutPlace(unknownName(nowhere, 'property', name, candidates));
    }
    if (property.kind === 'never' || property.kind === 'finally') return [];
    const hint = 'give --for a property that says never or finally';
    return wrongOperand(
      property.span ?? nowhere,
      `no fence can enforce an '${property.kind}' property`,
      hint,
    );
  });
}
