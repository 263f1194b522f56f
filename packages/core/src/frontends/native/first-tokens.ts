import { calledRule, type Element, elementIn, partsOf } from './grammar-elements.js';

/** The tokens that an element can start with. */
export interface FirstTokens {
  readonly kinds: ReadonlySet<string>;
  /** Whether the element can stand for no token at all. */
  readonly canBeEmpty: boolean;
}

function startingWith(...kinds: readonly string[]): FirstTokens {
  return { kinds: new Set(kinds), canBeEmpty: kinds.length === 0 };
}

function union(all: readonly FirstTokens[], canBeEmpty: boolean): FirstTokens {
  return { kinds: new Set(all.flatMap(({ kinds }) => [...kinds])), canBeEmpty };
}

/** Works out first tokens, once for each element that is asked about. */
export class FirstTokenTable {
  readonly #known = new Map<Element, FirstTokens>();

  of(element: Element): FirstTokens {
    const known = this.#known.get(element);
    if (known) return known;
    const once = this.#ofOne(element);
    const { cardinality } = element;
    const first = cardinality === '?' || cardinality === '*' ? { ...once, canBeEmpty: true } : once;
    this.#known.set(element, first);
    return first;
  }

  #ofOne(element: Element): FirstTokens {
    switch (element.$type) {
      case 'Keyword':
        return startingWith(element.value);
      case 'Action':
        return startingWith();
      case 'Assignment':
        return this.of(elementIn(element));
      case 'RuleCall': {
        const rule = calledRule(element);
        return rule.$type === 'ParserRule' ? this.of(elementIn(rule)) : startingWith(rule.name);
      }
      case 'Alternatives': {
        const parts = partsOf(element).map((part) => this.of(part));
        return union(
          parts,
          parts.some(({ canBeEmpty }) => canBeEmpty),
        );
      }
      case 'Group': {
        const parts = partsOf(element);
        const end = parts.findIndex((part) => !this.of(part).canBeEmpty);
        const starts = end < 0 ? parts : parts.slice(0, end + 1);
        return union(
          starts.map((part) => this.of(part)),
          end < 0,
        );
      }
    }
  }
}
