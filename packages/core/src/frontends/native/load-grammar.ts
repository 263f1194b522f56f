import type { GrammarAST } from 'langium';

/** A syntax tree as parsed from JSON: `$ref` stands for the node at a path, `#/rules@3` for example. */
type JsonNode = Record<string, unknown>;

function isObject(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null;
}

/** The node at a path: names of properties, each with an index if it is a list. */
function nodeAt(root: JsonNode, path: string): unknown {
  return path
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((node, step) => {
      const [property = '', index] = step.split('@');
      const value = isObject(node) ? node[property] : undefined;
      return index === undefined ? value : (value as readonly unknown[])[Number(index)];
    }, root);
}

/** Tells every node below `node` where it stands, and puts in the nodes that references stand for. */
function link(root: JsonNode, node: JsonNode): void {
  const place = (child: unknown, property: string, index?: number): unknown => {
    if (!isObject(child)) return child;
    if (typeof child.$ref === 'string')
      return { $refText: child.$refText ?? '', ref: nodeAt(root, child.$ref) };
    link(root, child);
    child.$container = node;
    child.$containerProperty = property;
    if (index !== undefined) child.$containerIndex = index;
    return child;
  };
  for (const property of Object.keys(node)) {
    const value = node[property];
    if (Array.isArray(value))
      node[property] = value.map((child, index) => place(child, property, index));
    else if (isObject(value)) node[property] = place(value, property);
  }
}

/** A grammar of Langium's from JSON, as its own `loadGrammarFromJson` makes it, but without starting all its services. */
export function loadGrammar(json: string): GrammarAST.Grammar {
  const root = JSON.parse(json) as JsonNode;
  link(root, root);
  return root as unknown as GrammarAST.Grammar;
}
