import type { GrammarAST } from 'langium';
import type { SeededRandom } from '../../../src/base/random.js';
import {
  calledRule,
  type Element,
  elementIn,
  partsOf,
} from '../../../src/frontends/native/grammar-elements.js';

const terminals: Readonly<Record<string, readonly string[]>> = {
  ID: ['a', 'b', "c'", '_d1', 'lockx', 'forall'],
  NUMBER: ['0', '1', '0x1F', '12'],
};

/** Beyond this many nested calls, whatever can be left out is left out. */
const deepest = 14;

/** The tokens of a random sentence of a grammar; `rules` counts the rules that were used. */
export function randomSentence(
  rule: GrammarAST.ParserRule,
  random: SeededRandom,
  rules: Map<string, number>,
): string[] {
  const words: string[] = [];
  let depth = 0;

  const derive = (element: Element): void => {
    const { cardinality } = element;
    const stop = depth > deepest || words.length > 150;
    let times = 1;
    if (cardinality === '?') times = stop ? 0 : random.below(2);
    else if (cardinality !== undefined)
      times = (cardinality === '+' ? 1 : 0) + (stop ? 0 : random.below(depth < 2 ? 5 : 3));
    for (; times > 0; times--) once(element);
  };

  const once = (element: Element): void => {
    switch (element.$type) {
      case 'Keyword':
        words.push(element.value);
        return;
      case 'Action':
        return;
      case 'Assignment': {
        derive(elementIn(element));
        return;
      }
      case 'Group': {
        partsOf(element).forEach(derive);
        return;
      }
      case 'Alternatives': {
        const parts = partsOf(element);
        // The simplest statement, instruction and operand stand at these places.
        const simple = parts.length > 9 ? parts.length - 1 : 0;
        derive(parts[depth > deepest ? simple : random.below(parts.length)]!);
        return;
      }
      case 'RuleCall': {
        const called = calledRule(element);
        rules.set(called.name, (rules.get(called.name) ?? 0) + 1);
        if (called.$type !== 'ParserRule') {
          const choices = terminals[called.name]!;
          words.push(choices[random.below(choices.length)]!);
          return;
        }
        depth += 1;
        derive(elementIn(called));
        depth -= 1;
      }
    }
  };

  derive(elementIn(rule));
  return words;
}
