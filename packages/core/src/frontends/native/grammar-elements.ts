import type { AstNode, GrammarAST } from 'langium';
import { InternalError } from '../../base/unreachable.js';

/** The parts that rules of the native grammar are made of; Langium has more. */
export type Element =
  | GrammarAST.Keyword
  | GrammarAST.RuleCall
  | GrammarAST.Assignment
  | GrammarAST.Alternatives
  | GrammarAST.Group
  | GrammarAST.Action;

/** The rule that is called. */
export function calledRule({ rule }: GrammarAST.RuleCall): GrammarAST.AbstractRule {
  if (!rule.ref) throw new InternalError(`the grammar has no rule ${rule.$refText}`);
  return rule.ref;
}

/** The parts of an element: elements that follow each other, or stand in each other's place. */
export function partsOf({
  elements,
}: GrammarAST.Group | GrammarAST.Alternatives): readonly Element[] {
  return elements as readonly GrammarAST.AbstractElement[] as readonly Element[];
}

/** What stands to the right of a rule's colon, or of an assignment's operator. */
export function elementIn(part: GrammarAST.ParserRule | GrammarAST.Assignment): Element {
  return (part.$type === 'ParserRule' ? part.definition : part.terminal) as Element;
}

/** The assignment that an element is part of. */
export function assignmentAround(element: AstNode | undefined): GrammarAST.Assignment | undefined {
  for (let node = element; node; node = node.$container)
    if (node.$type === 'Assignment') return node as GrammarAST.Assignment;
  return undefined;
}
