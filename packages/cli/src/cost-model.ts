import {
  Budget,
  type CostModel,
  type Diagnostic,
  labelCosts,
  type Limits,
  nearestName,
  profileCosts,
  type Program,
  sizeCosts,
  type Span,
  unknownName,
  type UnknownReason,
  unreadableFile,
  wrongOperand,
} from '@fencewright/core';
import { type CostChoice, costName } from './cost-choice.js';
import { readSource } from './read-source.js';

/** Costs, or what is wrong with the file that should give them, or the limit that ended the runs that should. */
export type CostsRead =
  | { readonly kind: 'costs'; readonly costs: CostModel }
  | { readonly kind: 'unknown'; readonly name: string; readonly reason: UnknownReason }
  | {
      readonly kind: 'failure';
      readonly file: string;
      readonly source?: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/** The key for all labels that a cost file does not name. */
const defaultKey = 'default';
/** The key for all exchanges at labels that it does not name. */
const exchangeDefaultKey = 'xchg:default';

/** Where a key stands in the text of a JSON file, or the start of the file if it is written with escapes. */
function spanOfKey(text: string, key: string): Span {
  const quoted = JSON.stringify(key);
  const at = text.indexOf(quoted);
  if (at < 0) return { start: { line: 0, column: 0 }, end: { line: 0, column: 1 } };
  const lines = text.slice(0, at).split('\n');
  const start = { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
  return { start, end: { line: start.line, column: start.column + quoted.length } };
}

/** Every name that a cost file may use for a label. */
function labelNames({ threads }: Program): ReadonlySet<string> {
  return new Set(
    threads.flatMap(({ name, locations }) =>
      locations
        .flatMap((location) => [location.name, `${name}:${location.name}`])
        .flatMap((label) => [label, `xchg:${label}`]),
    ),
  );
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseObject(text: string): { readonly object: JsonObject } | { readonly error: string } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { object: value as JsonObject }
      : { error: 'costs have to be a JSON object' };
  } catch (error) {
    return { error: `this is not JSON: ${(error as Error).message}` };
  }
}

function unknownLabel(span: Span, key: string, names: ReadonlySet<string>): Diagnostic {
  const diagnostic = unknownName(span, 'label', key, names);
  if (nearestName(key, names) !== undefined) return diagnostic;
  return { ...diagnostic, hint: 'write "label" or "thread:label", as check --json names them' };
}

/** Reads costs by label: keys are `label`, `thread:label`, or `default` for the labels that are not named; `xchg:` before them for exchanges alone. */
function parseCosts(
  text: string,
  program: Program,
): { readonly costs: ReadonlyMap<string, number> } | { readonly diagnostics: Diagnostic[] } {
  const parsed = parseObject(text);
  if ('error' in parsed) {
    const hint = 'write an object of costs: {"l1": 5, "t2:l3": 2.5, "default": 1}';
    return { diagnostics: [unreadableFile(parsed.error, hint)] };
  }
  const names = labelNames(program);
  const costs = new Map<string, number>();
  const diagnostics: Diagnostic[] = [];
  for (const [key, cost] of Object.entries(parsed.object)) {
    const span = spanOfKey(text, key);
    if (key !== defaultKey && key !== exchangeDefaultKey && !names.has(key))
      diagnostics.push(unknownLabel(span, key, names));
    else if (typeof cost !== 'number')
      diagnostics.push(
        wrongOperand(span, `the cost of label '${key}' is not a number`, 'write a positive number'),
      );
    else if (!(cost > 0) || !Number.isFinite(cost))
      diagnostics.push(
        wrongOperand(span, `label '${key}' cannot cost ${cost}`, 'write a positive number'),
      );
    else costs.set(key, cost);
  }
  return diagnostics.length > 0 ? { diagnostics } : { costs };
}

async function readCosts(file: string, program: Program): Promise<CostsRead> {
  const source = await readSource(file);
  if (source.kind === 'failure') return { kind: 'failure', file, diagnostics: [source.diagnostic] };
  const parsed = parseCosts(source.text, program);
  if ('diagnostics' in parsed) return { kind: 'failure', file, source: source.text, ...parsed };
  const { costs } = parsed;
  const byDefault = costs.get(defaultKey);
  const general =
    byDefault === undefined
      ? sizeCosts(program)
      : { name: 'default', fence: () => byDefault, xchg: () => byDefault };
  const ofExchange = costs.get(exchangeDefaultKey);
  const otherwise = ofExchange === undefined ? general : { ...general, xchg: () => ofExchange };
  const byLabel = new Map(
    [...costs].filter(([key]) => key !== defaultKey && key !== exchangeDefaultKey),
  );
  return { kind: 'costs', costs: labelCosts(program, byLabel, otherwise) };
}

/** The costs of a program's repairs by the model that was chosen. */
export async function costModelOf(
  choice: CostChoice,
  program: Program,
  limits: Limits,
): Promise<CostsRead> {
  switch (choice.kind) {
    case 'size':
      return { kind: 'costs', costs: sizeCosts(program) };
    case 'profile': {
      const name = costName(choice);
      const costs = await profileCosts(program, choice, new Budget(limits));
      if (typeof costs === 'string') return { kind: 'unknown', name, reason: costs };
      return { kind: 'costs', costs: { ...costs, name } };
    }
    case 'file':
      return readCosts(choice.file, program);
  }
}
