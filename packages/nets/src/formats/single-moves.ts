import { entriesOf, type Marking, markingOf } from '@fencewright/ground/petri/marking.js';
import type { Net, NetRule } from '@fencewright/ground/petri/net.js';

/** Returns the places of the tokens of a marking with finite counts, one for each token. */
function tokensOf(marking: Marking): readonly number[] {
  return entriesOf(marking).flatMap(([place, count]) => Array.from({ length: count }, () => place));
}

/**
 * Returns a net in which each rule that takes several tokens, and gives no more than it takes, is a
 * sequence of rules that move one token each, with controls of its own between them. The same
 * configurations with the controls of the given net can be covered: a sequence that cannot go on
 * stays at its own controls.
 */
export function withSingleMoves(net: Net): Net {
  const controls = [...net.controls];
  const rules: NetRule[] = [];
  const add = (rule: Omit<NetRule, 'id'>): unknown => rules.push({ ...rule, id: rules.length });
  for (const rule of net.rules) {
    const taken = tokensOf(rule.pre);
    const given = tokensOf(rule.post);
    if (taken.length < 2 || given.length > taken.length) {
      add(rule);
      continue;
    }
    let from = rule.from;
    for (const [i, place] of taken.entries()) {
      const isLast = i === taken.length - 1;
      const to = isLast ? rule.to : controls.push(`step_${rule.id}_${i + 1}`) - 1;
      const own = given[i];
      const post = markingOf(own === undefined ? [] : [[own, 1]]);
      add({ from, to, pre: markingOf([[place, 1]]), post });
      from = to;
    }
  }
  return { ...net, controls, rules };
}
