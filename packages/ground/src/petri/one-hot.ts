import type { Configuration } from './counter-system.js';
import { emptyMarking, entriesOf, type Marking, markingOf } from './marking.js';
import type { Net } from './net.js';

/**
 * Converts a net to one without controls: there is a place for each control, and exactly one of
 * these places is marked. A plain net is returned unchanged.
 */
export function toPlainNet(net: Net): Net {
  if (net.controls.length <= 1) return net;
  const first = net.places.length;
  const at = (control: number, marking: Marking): Marking =>
    markingOf([...entriesOf(marking), [first + control, 1]]);
  const place = ({ control, marking }: Configuration): Configuration => ({
    control: 0,
    marking: at(control, marking),
  });
  return {
    ...net,
    places: [...net.places, ...net.controls.map((name) => `at_${name}`)],
    controls: ['net'],
    rules: net.rules.map((rule) => ({
      ...rule,
      from: 0,
      to: 0,
      pre: at(rule.from, rule.pre),
      post: at(rule.to, rule.post),
    })),
    initial: place(net.initial),
    least: net.least ?? emptyMarking,
    targets: net.targets.map(place),
    claims: [...net.claims, markingOf(net.controls.map((_, control) => [first + control, 1]))],
  };
}
