import { AbstractParserErrorMessageProvider } from 'langium';

type Mismatch = Parameters<AbstractParserErrorMessageProvider['buildMismatchTokenMessage']>[0];
type NoAlternative = Parameters<AbstractParserErrorMessageProvider['buildNoViableAltMessage']>[0];
type EarlyExit = Parameters<AbstractParserErrorMessageProvider['buildEarlyExitMessage']>[0];

/** What may follow in a place where the parser only knows how the surrounding rule ends. */
const inRule: ReadonlyMap<string, string> = new Map([
  ['Model', "a declaration ('const', 'var', 'domain', 'thread', 'property' or 'invariant')"],
  ['Block', "a statement or '}'"],
  ['Automaton', "a label or 'end'"],
  ['Primary', 'an expression'],
  ['Statement', 'a statement'],
  ['Instruction', 'an instruction'],
  ['Name', 'a name'],
]);

/** Groups of tokens that have a common name; a group is named when all of `marks` are expected. */
const groups = [
  { marks: ['while', 'goto', 'ID'], name: 'a statement' },
  { marks: ['mfence', 'skip', 'ID'], name: 'an instruction' },
  { marks: ['NUMBER', '('], name: 'an expression' },
  { marks: ['ID'], name: 'a name' },
] as const;

/** Tokens that a group stands for as a whole. */
const groupMembers = new Set(
  (
    'ID NUMBER true false mem & ( - + ! ~ lock unlock end event events procedure async invariant while goto skip fence mfence ' +
    'assume assert check havoc local if do loop choose atomic break continue { ; @'
  ).split(' '),
);

/** The token in the user's words. */
function describe(token: string): string {
  switch (token) {
    case 'ID':
      return 'a name';
    case 'NUMBER':
      return 'a number';
    case 'EOF':
      return 'the end of the file';
    default:
      return `'${token}'`;
  }
}

function ruleOf(name: string): string {
  return name.replace(/\u200b$/, '');
}

/** "a, b or c" */
function list(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

/** The tokens, whole groups of them under their common name. */
function describeAll(tokens: readonly string[]): string {
  const words: string[] = [];
  let rest = tokens;
  const group = groups.find(({ marks }) => marks.every((mark) => tokens.includes(mark)));
  if (group) {
    words.push(group.name);
    const isName = group.name === 'a name';
    rest = tokens.filter((token) => !(isName ? isSoftName(token) : groupMembers.has(token)));
  }
  words.push(...rest.map(describe));
  return list([...new Set(words)]);
}

function isSoftName(token: string): boolean {
  return token === 'ID' || /^(lock|unlock|end|events?|procedure|async|invariant)$/.test(token);
}

/** Ends a parse of nothing but errors: each costs the parser some time. */
export class TooManyErrors extends Error {
  override readonly name = 'TooManyErrors';
}

/** After how many errors the parser gives up. */
const mostErrors = 1000;

/** Makes the parser say what it expected, in the user's words; describe-problem.ts makes whole messages of it. */
export class ExpectedWords extends AbstractParserErrorMessageProvider {
  #errors = 0;

  /** To be called before each parse. */
  reset(): void {
    this.#errors = 0;
  }

  #count(): void {
    this.#errors += 1;
    if (this.#errors > mostErrors) throw new TooManyErrors();
  }

  override buildMismatchTokenMessage({ expected, ruleName }: Mismatch): string {
    this.#count();
    const rule = ruleOf(ruleName);
    const ending = ['EOF', '}', 'end'].includes(expected.name);
    return (ending ? inRule.get(rule) : undefined) ?? describe(expected.name);
  }

  override buildNotAllInputParsedMessage(): string {
    return inRule.get('Model')!;
  }

  override buildNoViableAltMessage({ expectedPathsPerAlt, ruleName }: NoAlternative): string {
    this.#count();
    const fixed = inRule.get(ruleOf(ruleName));
    if (fixed !== undefined) return fixed;
    const first = expectedPathsPerAlt.flat().map((path) => path[0]?.name ?? 'EOF');
    return describeAll([...new Set(first)]);
  }

  override buildEarlyExitMessage({ expectedIterationPaths }: EarlyExit): string {
    this.#count();
    const first = expectedIterationPaths.map((path) => path[0]?.name ?? 'EOF');
    return describeAll([...new Set(first)]);
  }
}
