import type { AstNode, GrammarAST } from 'langium';
import { type Model, NativeAstReflection } from './generated/ast.js';
import { assignmentAround, calledRule } from './grammar-elements.js';
import type { Step } from './recognize-tokens.js';
import { TextNode } from './text-node.js';

type MutableNode = { -readonly [Key in keyof AstNode]: AstNode[Key] } & Record<string, unknown>;

/** A rule that is being read: it gives a node of the syntax tree, or a string. */
interface Open {
  readonly text: TextNode;
  /** The node, or what there is of the string. */
  value: MutableNode | string;
}

function isNode(value: unknown): value is MutableNode {
  return typeof value === 'object' && value !== null && '$type' in value;
}

function assign(
  node: MutableNode,
  { operator, feature }: GrammarAST.Assignment,
  value: unknown,
): void {
  if (operator === '=') node[feature] = value;
  else if (operator === '?=') node[feature] = true;
  else if (node[feature] === undefined) node[feature] = [value];
  else (node[feature] as unknown[]).push(value);
}

/** Puts the nodes of a syntax tree together, with the parts of the text that they stand for. */
class TreeBuilder {
  readonly #reflection = new NativeAstReflection();
  readonly #assignments = new Map<AstNode, GrammarAST.Assignment | undefined>();
  readonly #open: Open[] = [];

  start(rule: GrammarAST.ParserRule, call?: GrammarAST.RuleCall): void {
    const text = new TextNode(this.#open.at(-1)?.text, call);
    this.#open.push({ text, value: rule.dataType === undefined ? { $type: rule.name } : '' });
  }

  step(step: Step): void {
    switch (step.kind) {
      case 'call':
        this.start(calledRule(step.element) as GrammarAST.ParserRule, step.element);
        return;
      case 'end': {
        const { text, value } = this.end();
        this.#put(text.grammarSource!, value);
        return;
      }
      case 'action': {
        const { value } = this.#open.at(-1)!;
        if (isNode(value)) value.$type = step.element.inferredType!.name;
        return;
      }
      case 'token':
        new TextNode(this.#open.at(-1)!.text, step.element, step.token);
        this.#put(step.element, step.token.image);
    }
  }

  /** Ends the rule that was started last, and gives what came of it. */
  end(): Open {
    const closed = this.#open.pop()!;
    const { text, value } = closed;
    text.close(isNode(value) ? value : undefined);
    if (isNode(value)) {
      value.$cstNode = text as unknown as NonNullable<AstNode['$cstNode']>;
      this.#complete(value);
    }
    return closed;
  }

  /** Gives a value to the rule that asked for it. */
  #put(element: GrammarAST.AbstractElement, value: MutableNode | string): void {
    const current = this.#open.at(-1)!;
    if (typeof current.value === 'string') {
      current.value += value as string;
      return;
    }
    const assignment = this.#assignmentOf(element);
    if (assignment) assign(current.value, assignment, value);
    else if (isNode(value)) {
      // A rule that only calls another: what that one gave is its value as well.
      (value.$cstNode as unknown as TextNode).yieldNode();
      current.value = value;
    }
  }

  /** Sets lists without elements and flags that were not raised, and tells the nodes below where they stand. */
  #complete(node: MutableNode): void {
    const { properties } = this.#reflection.getTypeMetaData(node.$type);
    for (const { name, defaultValue } of Object.values(properties))
      if (defaultValue !== undefined)
        node[name] ??= Array.isArray(defaultValue) ? [] : defaultValue;
    for (const name in node) {
      if (name.startsWith('$')) continue;
      const value = node[name];
      if (Array.isArray(value))
        value.forEach((item, index) =>
          place(item, node, { $containerProperty: name, $containerIndex: index }),
        );
      else place(value, node, { $containerProperty: name });
    }
  }

  #assignmentOf(element: AstNode): GrammarAST.Assignment | undefined {
    if (!this.#assignments.has(element)) this.#assignments.set(element, assignmentAround(element));
    return this.#assignments.get(element);
  }
}

/** Tells a node where it stands. */
function place(node: unknown, $container: MutableNode, where: Partial<AstNode>): void {
  if (isNode(node)) Object.assign(node, { $container, ...where });
}

/** The syntax tree of a text that a rule reads in these steps: the one that Langium's parser makes. */
export function buildSyntaxTree(rule: GrammarAST.ParserRule, steps: readonly Step[]): Model {
  const builder = new TreeBuilder();
  builder.start(rule);
  for (const step of steps) builder.step(step);
  return builder.end().value as unknown as Model;
}
