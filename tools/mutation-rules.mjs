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
 * What a mutation says of the tests, and whether it fails the run. `noticedBy` is the first test
 * that fails with it, `undefined` if none does, and `notApplied` where its text no longer occurs. A
 * mutation that no test notices stays in the list with a `gap`, the reason; whoever writes the test
 * that notices it takes the `gap` out, and nothing else.
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

/** Instead of a test: the text that the mutation changes no longer occurs. */
export const notApplied = Symbol('not applied');
