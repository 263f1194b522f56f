import { entriesOf, type Marking, markingOf } from '@fencewright/ground/petri/marking.js';
import type { Net, NetRule } from '@fencewright/ground/petri/net.js';

/** Returns the places of the tokens of a marking with finite counts, one for each token. */
function tokensOf(marking: Marking): readonly number[] {
  return entriesOf(marking).flatMap(([place, count]) => Array.from({ length: count }, () => place));
}

/**
 * A move of a token by a rule: the place from which the rule takes the token, and the place to
 * which the rule adds a token, if any.
 */
type Move = readonly [taken: number, given: number | undefined];

/**
 * Whether a later move could take the token that an earlier move has added. The sequence of moves
 * would then need fewer tokens than the rule takes.
 */
function feedsItself(moves: readonly Move[]): boolean {
  return moves.some(([, given], i) => moves.slice(i + 1).some(([taken]) => taken === given));
}

/**
 * Returns a net in which rules that take several tokens, and add at most as many, are replaced by
 * sequences of rules that move a single token. Each sequence has controls of its own between the
 * rules. If an earlier move could feed a later move, all tokens wait at separate places until the
 * last token is taken. The same configurations with controls of the given net can be covered: a
 * sequence that cannot go on stays at its own controls.
 */
export function withSingleMoves(net: Net): Net {
  const controls = [...net.controls];
  const places = [...net.places];
  const rules: NetRule[] = [];
  const add = (rule: Omit<NetRule, 'id'>): unknown => rules.push({ ...rule, id: rules.length });
  const waiting: number[] = [];
  const waitingPlace = (i: number): number => (waiting[i] ??= places.push(`waiting_${i + 1}`) - 1);
  for (const rule of net.rules) {
    const taken = tokensOf(rule.pre);
    const given = tokensOf(rule.post);
    if (taken.length < 2 || given.length > taken.length) {
      add(rule);
      continue;
    }
    const direct = taken.map((place, i): Move => [place, given[i]]);
    const moves = feedsItself(direct)
      ? [
          ...taken.map((place, i): Move => [place, waitingPlace(i)]),
          ...taken.map((_, i): Move => [waitingPlace(i), given[i]]),
        ]
      : direct;
    let from = rule.from;
    for (const [i, [place, own]] of moves.entries()) {
      const isLast = i === moves.length - 1;
      const to = isLast ? rule.to : controls.push(`step_${rule.id}_${i + 1}`) - 1;
      const post = markingOf(own === undefined ? [] : [[own, 1]]);
      add({ from, to, pre: markingOf([[place, 1]]), post });
      from = to;
    }
  }
  return { ...net, controls, places, rules };
}
