import type { JsonObject } from './json.js';

interface Configuration {
  readonly control?: string;
  readonly tokens: Readonly<Record<string, number | string>>;
}
interface Net {
  readonly controls: readonly string[];
  readonly rules: readonly {
    readonly from: number;
    readonly to: number;
    readonly take: Readonly<Record<string, number | string>>;
    readonly give: Readonly<Record<string, number | string>>;
  }[];
  readonly initial: Configuration;
  readonly least?: Readonly<Record<string, number | string>>;
  readonly targets: readonly Configuration[];
}

/**
 * The limits of the search: the tokens on a place, the configurations visited, and the least number
 * that is tried for a place that starts with `any` tokens.
 */
const most = { tokens: 8, configurations: 4000, any: 3 };

type Tokens = Readonly<Record<string, number>>;

function counts(of: Configuration['tokens'], any: number): Tokens {
  return Object.fromEntries(
    Object.entries(of).map(([place, count]) => [place, count === 'any' ? any : Number(count)]),
  );
}

/**
 * Whether a target can be covered, by visiting all reachable configurations; `undefined` if not all
 * were visited. For any number of tokens a few numbers are tried.
 */
export function isCoverable(written: JsonObject): boolean | undefined {
  const net = written as unknown as Net;
  const controlOf = ({ control }: Configuration): number =>
    control === undefined ? 0 : net.controls.indexOf(control);
  const hasAny = Object.values(net.initial.tokens).includes('any');
  const raise = Math.max(most.any, ...Object.values(net.least ?? {}).map(Number));
  const start = { at: controlOf(net.initial), tokens: counts(net.initial.tokens, raise) };
  const nameOf = ({ at, tokens }: typeof start): string =>
    JSON.stringify([
      at,
      Object.entries(tokens)
        .filter(([, count]) => count > 0)
        .sort(),
    ]);
  const has = (tokens: Tokens, needed: Tokens): boolean =>
    Object.entries(needed).every(([place, count]) => (tokens[place] ?? 0) >= count);
  const seen = new Map([[nameOf(start), start]]);
  let isAll = !hasAny;
  for (const { at, tokens } of seen.values()) {
    if (net.targets.some((one) => controlOf(one) === at && has(tokens, counts(one.tokens, 0))))
      return true;
    for (const { from, to, take, give } of net.rules) {
      const taken = counts(take, 0);
      if (from !== at || !has(tokens, taken)) continue;
      const after: Record<string, number> = { ...tokens };
      for (const [place, count] of Object.entries(taken))
        after[place] = (after[place] ?? 0) - count;
      for (const [place, count] of Object.entries(counts(give, 0)))
        after[place] = (after[place] ?? 0) + count;
      const next = { at: to, tokens: after };
      if (
        Object.values(after).some((count) => count > most.tokens) ||
        seen.size > most.configurations
      )
        isAll = false;
      else if (!seen.has(nameOf(next))) seen.set(nameOf(next), next);
    }
  }
  return isAll ? false : undefined;
}
