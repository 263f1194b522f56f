import type { Expectations } from './expected.js';
import type { BatchResult } from './job-result.js';

/** The verdict in a log of herd about a test, and the number of its line. */
interface HerdVerdict {
  readonly holds: boolean;
  readonly line: number;
}

const head = /^Test (\S+) (?:Allowed|Required|Forbidden)\s*$/;

/** Whether a text is a log of herd, or of litmus7. */
export function isHerdLog(text: string): boolean {
  return text.split('\n', 50).some((line) => head.test(line));
}

/** Returns from a result whether the condition of a test holds under TSO, in herd's words. */
function foundIn({ json }: BatchResult): string {
  const { properties = [] } = (json.tso ?? {}) as {
    readonly properties?: readonly { readonly name: string; readonly verdict: string }[];
  };
  const truth = properties.find(({ name }) => name === 'condition')?.verdict;
  if (truth === undefined || truth === 'unknown')
    return json.verdict === 'error' ? 'error' : 'unknown';
  return inWords(truth === 'holds');
}

const inWords = (holds: boolean): string => `condition ${holds ? 'holds' : 'fails'}`;

/**
 * Reads the verdict on each test from a log of herd, by the name of the test; returns an error if
 * the log has another form.
 */
function verdictsIn(text: string): ReadonlyMap<string, HerdVerdict> | { readonly wrong: string } {
  const verdicts = new Map<string, HerdVerdict>();
  let test: string | undefined;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    test = head.exec(line)?.[1] ?? test;
    if (line.startsWith('Histogram'))
      return { wrong: `line ${i + 1}: litmus7 lists the outcomes seen, not the possible outcomes` };
    if (test === undefined || (line !== 'Ok' && line !== 'No')) continue;
    const holds = line === 'Ok';
    const before = verdicts.get(test);
    if (before && before.holds !== holds)
      return { wrong: `line ${i + 1}: line ${before.line} says otherwise of ${test}` };
    verdicts.set(test, { holds, line: i + 1 });
    test = undefined;
  }
  return verdicts;
}

/**
 * Reads the expectations for `reach` from a log of herd under x86-TSO: whether the conditions of
 * tests hold. Tests are identified by the names in their texts. The log contains no facts about
 * robustness.
 */
export function expectationsInHerdLog(
  text: string,
  verb: string,
): Expectations | { readonly wrong: string } {
  if (verb !== 'reach')
    return { wrong: "a log of herd is about conditions, which 'batch reach' asks for" };
  const verdicts = verdictsIn(text);
  if ('wrong' in verdicts) return verdicts;
  return (_, result) => {
    const { program } = result.json;
    const one = program === undefined ? undefined : verdicts.get(program);
    return one && { expected: inWords(one.holds), found: foundIn(result) };
  };
}
