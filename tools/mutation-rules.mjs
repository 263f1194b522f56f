/** The text with the mutation's edits, or `undefined` if it does not apply. */
export function mutated(text, { from, to, edits = [[from, to]] }) {
  let result = text;
  for (const [before, after] of edits) {
    if (!result.includes(before)) return undefined;
    result = result.replace(before, () => after);
  }
  return result;
}

/**
 * The report on a mutation, and whether the mutation fails the run. `noticedBy` is the first test
 * that fails with the mutation, `undefined` if no test fails, and `notApplied` if the mutation's
 * text no longer occurs. A mutation noticed by no test stays in the list with a `gap`, the reason.
 * The author of a test that notices the mutation removes the `gap`, and nothing else.
 */
export function judgeMutation({ name, gap }, noticedBy) {
  if (noticedBy === notApplied) return { fails: true, text: `does not apply  ${name}` };
  if (noticedBy === undefined)
    return gap === undefined
      ? { fails: true, text: `NOT NOTICED  ${name}` }
      : { fails: false, text: `known gap  ${name}\n           ${gap}` };
  return gap === undefined
    ? { fails: false, text: `noticed  ${name}\n         ${noticedBy}` }
    : {
        fails: true,
        text: `GAP CLOSED  ${name}\n         by ${noticedBy}\n         take its 'gap' out of the list`,
      };
}

/** The value in place of a test if the text that a mutation changes no longer occurs. */
export const notApplied = Symbol('not applied');
