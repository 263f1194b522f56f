import {
  claimsExistence,
  type Diagnostic,
  type Program,
  unknownName,
  wrongOperand,
} from '@fencewright/core';

/** What is wrong with the names of the properties that `--for` asks for. */
export function findPropertyProblems(
  { properties }: Program,
  names: readonly string[],
): Diagnostic[] {
  // The names come from the command line: there is no place in the file to point at.
  const nowhere = { start: { line: 0, column: 0 }, end: { line: 0, column: 0 } };
  const withoutPlace = ({ span: _, ...diagnostic }: Diagnostic): Diagnostic => diagnostic;
  return names.flatMap((name) => {
    const property = properties.find((candidate) => candidate.name === name);
    if (!property) {
      const candidates = properties.map((candidate) => candidate.name);
      return withoutPlace(unknownName(nowhere, 'property', name, candidates));
    }
    if (!claimsExistence(property)) return [];
    const hint = 'give --for a property that says never or finally';
    return wrongOperand(
      property.span ?? nowhere,
      `no fence can enforce ${property.kind === 'stuck' ? 'a' : 'an'} '${property.kind}' property`,
      hint,
    );
  });
}
