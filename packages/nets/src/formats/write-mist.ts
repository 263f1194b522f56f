import {
  countAt,
  emptyMarking,
  entriesOf,
  type Marking,
  omega,
} from '@fencewright/ground/petri/marking.js';
import type { Net, NetRule } from '@fencewright/ground/petri/net.js';
import { toPlainNet } from '@fencewright/ground/petri/one-hot.js';
import { isNeverRaised } from '@fencewright/ground/petri/weights.js';
import { spelt, UniqueNames } from '@fencewright/ground/base/unique-names.js';

const keywords = ['vars', 'rules', 'init', 'target', 'invariants', 'true', 'in'];

/** Writes a net in the format of mist (`.spec`); controls become places. */
export function writeMist(given: Net): string {
  const net = toPlainNet(given);
  const repair = (name: string): string => spelt(name, { prefix: 'p_' });
  const { names } = new UniqueNames(net.places, { repair, taken: keywords });
  // A marking without tokens needs a constraint, too.
  const needs = (marking: Marking): string =>
    entriesOf(marking)
      .map(([place, count]) => `${names[place]!} >= ${count}`)
      .join(', ') || `${names[0] ?? 'p'} >= 0`;
  const { marking } = net.initial;
  const initial = names.map((name, place) => {
    const count = countAt(marking, place);
    return count === omega
      ? `${name} >= ${countAt(net.least ?? emptyMarking, place)}`
      : `${name} = ${count}`;
  });
  const invariants = net.claims
    .filter((weights) => isNeverRaised(net, weights))
    .map((weights) =>
      entriesOf(weights)
        .map(([place, weight]) => `${names[place]!} = ${weight}`)
        .join(', '),
    );
  const sections = [
    ['vars', `  ${names.join(' ')}`],
    ['rules', ...net.rules.map((rule) => `  ${ruleText(rule, names, needs)}`)],
    ['init', `  ${initial.join(', ')}`],
    ['target', ...net.targets.map((target) => `  ${needs(target.marking)}`)],
    ...(invariants.length > 0 ? [['invariants', ...invariants.map((line) => `  ${line}`)]] : []),
  ];
  return sections.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function ruleText(
  { pre, post }: NetRule,
  names: readonly string[],
  needs: (marking: Marking) => string,
): string {
  const places = new Set([...entriesOf(pre), ...entriesOf(post)].map(([place]) => place));
  const changes = [...places]
    .map((place) => [names[place]!, countAt(post, place) - countAt(pre, place)] as const)
    .filter(([, change]) => change !== 0)
    .map(([name, change]) => `${name}' = ${name} ${change < 0 ? '-' : '+'} ${Math.abs(change)}`);
  return `${needs(pre)} -> ${changes.join(', ')};`;
}
