import type { Configuration } from '@fencewright/ground/petri/counter-system.js';
import { entriesOf, type Marking, omega } from '@fencewright/ground/petri/marking.js';
import type { Net } from '@fencewright/ground/petri/net.js';

type JsonCount = number | string;

/**
 * Returns a number of tokens for JSON, as decimal digits if a JSON number may not hold it exactly.
 */
function countToJson(count: number): JsonCount {
  return Number.isSafeInteger(count) ? count : BigInt(count).toString();
}

function countsToJson({ places }: Net, marking: Marking): Readonly<Record<string, JsonCount>> {
  return Object.fromEntries(
    entriesOf(marking).map(([place, count]) => [
      places[place] ?? String(place),
      count === omega ? 'any' : countToJson(count),
    ]),
  );
}

/**
 * Converts a net to plain data, in the form of `docs/automata.md`, for programs that have no code
 * in common with this program. Claims of the net's author are left out.
 */
export function netToJson(net: Net) {
  const { name, places, controls, rules, initial, least, targets } = net;
  const configuration = ({ control, marking }: Configuration): object => ({
    control: controls[control] ?? String(control),
    tokens: countsToJson(net, marking),
  });
  return {
    format: 'fencewright-net' as const,
    version: 1 as const,
    name,
    places,
    controls,
    rules: rules.map((rule) => ({
      ...(rule.name !== undefined && { name: rule.name }),
      from: rule.from,
      to: rule.to,
      take: countsToJson(net, rule.pre),
      give: countsToJson(net, rule.post),
    })),
    initial: configuration(initial),
    ...(least && { least: countsToJson(net, least) }),
    targets: targets.map(configuration),
  };
}
