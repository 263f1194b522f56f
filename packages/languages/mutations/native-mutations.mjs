// Edits that break the reading of labels in the native language; see tools/mutation-check.mjs. The
// first four would make answers about claims wrong, the last would refuse every bare label.

const find = 'packages/languages/src/native/find-label.ts';
const tests = ['packages/languages/test/native/bare-labels.test.ts'];

/** Mutations of labels before statements without instructions. */
export const nativeMutations = [
  {
    name: 'bare labels: a claim names a label that control can avoid',
    file: find,
    from: 'return [end, ...exits].some((exit) => behind.has(exit) && around.has(exit));',
    to: 'return false;',
  },
  {
    name: 'bare labels: at the end of the thread, control avoids no label',
    file: find,
    from: 'return [end, ...exits].some(',
    to: 'return [...exits].some(',
  },
  {
    name: 'bare labels: an instruction behind a jump counts as one at the label',
    file: find,
    from: 'labelled.starts.some((start) => behind.has(start))',
    to: 'labelled.starts.length > 0',
  },
  {
    name: 'bare labels: an invariant names any label',
    file: 'packages/languages/src/native/lower-invariants.ts',
    from: 'const location = findLabel(lowered, term, problems);',
    to: 'const location = lowered.labels.get(term.part);',
  },
  {
    name: 'bare labels: no claim names a bare label',
    file: find,
    from: 'const around = reachedBy(moves, entries, labelled.point);',
    to: 'const around = reachedBy(moves, entries);',
  },
].map((mutation) => ({ ...mutation, tests }));
