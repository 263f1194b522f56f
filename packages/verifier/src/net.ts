import {
  anything,
  either,
  index,
  list,
  literal,
  members,
  natural,
  type Reader,
  record,
  text,
  wrong,
} from './shape.js';

/** Tokens by place, without entries 0; `any` means any number of tokens. */
export type Tokens = ReadonlyMap<number, bigint | 'any'>;

export interface Configuration {
  readonly control: number;
  readonly tokens: Tokens;
}

export interface NetRule {
  readonly from: number;
  readonly to: number;
  readonly take: ReadonlyMap<number, bigint>;
  readonly give: ReadonlyMap<number, bigint>;
}

/**
 * A net with a control state, as described in `docs/automata.md`. Places, controls and rules are
 * numbered from 0.
 */
export interface Net {
  readonly places: readonly string[];
  readonly controls: readonly string[];
  readonly rules: readonly NetRule[];
  readonly initial: Configuration;
  /** The least number of tokens on each place that starts with `any` tokens. */
  readonly least: ReadonlyMap<number, bigint>;
  readonly targets: readonly Configuration[];
}

/** Readers for files that refer to places and control states by name. */
interface NetReaders {
  readonly counts: Reader<ReadonlyMap<number, bigint>>;
  readonly configuration: Reader<Configuration>;
}

function numbered(names: readonly string[], path: string): ReadonlyMap<string, number> {
  const numbers = new Map(names.map((name, i) => [name, i]));
  return numbers.size === names.length ? numbers : wrong(path, 'names that differ');
}

/** Returns the readers for the given names of places and control states. */
export function netReaders(places: readonly string[], controls: readonly string[]): NetReaders {
  const placeOf = numbered(places, 'places');
  const controlOf = numbered(controls, 'controls');
  const find = (names: ReadonlyMap<string, number>, name: string, path: string): number =>
    names.get(name) ?? wrong(path, `a name that the net has, not '${name.slice(0, 40)}'`);
  const byPlace =
    <T>(count: Reader<T>): Reader<ReadonlyMap<number, T>> =>
    (value, path) =>
      new Map(
        [...members(value, path)]
          .map(([name, tokens]) => [find(placeOf, name, path), count(tokens, path)] as const)
          .filter(([, tokens]) => tokens !== 0n),
      );
  const tokens = byPlace(either(literal('any'), natural));
  const outline = record({ tokens }, { control: text });
  return {
    counts: byPlace(natural),
    configuration: (value, path) => {
      const { control = controls[0] ?? '', tokens: read } = outline(value, path);
      return { control: find(controlOf, control, path), tokens: read };
    },
  };
}

const outline = record(
  {
    format: literal('fencewright-net'),
    version: literal(1),
    name: text,
    places: list(text),
    controls: list(text),
    rules: anything,
    initial: anything,
    targets: anything,
  },
  { least: anything },
);

/** Reads a net from the JSON of a file. Throws `ShapeError`. */
export function readNet(value: unknown, path: string): Net {
  const { places, controls, ...read } = outline(value, path);
  const { counts, configuration } = netReaders(places, controls);
  const target: Reader<Configuration> = (value, at) => {
    const one = configuration(value, at);
    if ([...one.tokens.values()].includes('any')) wrong(at, 'numbers of tokens');
    return one;
  };
  const control = index(controls.length);
  const rule = record({ from: control, to: control, take: counts, give: counts }, { name: text });
  return {
    places,
    controls,
    rules: list(rule)(read.rules, `${path}.rules`),
    initial: configuration(read.initial, `${path}.initial`),
    least: read.least === undefined ? new Map() : counts(read.least, `${path}.least`),
    targets: list(target)(read.targets, `${path}.targets`),
  };
}
