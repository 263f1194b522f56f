import { type CType, type Header, type HeaderFunction, ofConstants } from './header-types.js';

/** The members of a node in clang's JSON syntax tree that readers of headers use. */
export interface AstNode {
  readonly id?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly tagUsed?: string;
  readonly completeDefinition?: boolean;
  readonly isImplicit?: boolean;
  readonly isParameterPack?: boolean;
  readonly explicitlyDeleted?: boolean;
  readonly storageClass?: string;
  readonly access?: 'public' | 'protected' | 'private';
  /** Present if a parameter has a default argument. */
  readonly init?: string;
  readonly defaultArg?: object;
  readonly definitionData?: { readonly isAbstract?: boolean };
  readonly loc?: AstPlace & { readonly expansionLoc?: AstPlace };
  readonly type?: { readonly qualType: string; readonly desugaredQualType?: string };
  readonly ownedTagDecl?: AstNode;
  readonly decl?: AstNode;
  readonly inner?: readonly AstNode[];
}

interface AstPlace {
  readonly offset?: number;
  /** Present if the declaration is in a file that the main file includes. */
  readonly includedFrom?: object;
}

/** Whether a declaration stands in the main file. */
export function isOfHeader({ loc, isImplicit }: AstNode): boolean {
  const place = loc?.expansionLoc ?? loc;
  return isImplicit !== true && place?.offset !== undefined && place.includedFrom === undefined;
}

/** Matches the qualifiers of types in C. */
const qualifiers = new RegExp(`\\b(?:volatile|${ofConstants})\\b`, 'g');

/** Returns a type without qualifiers, and with one blank before its stars. */
function plain(type: string): string {
  const [, base = type, stars = ''] = /^([^*]*)([* ]*)$/.exec(type.replace(qualifiers, ' ')) ?? [];
  const flat = base.replaceAll(/\s+/g, ' ').trim();
  const pointer = stars.replaceAll(' ', '');
  return pointer === '' ? flat : `${flat} ${pointer}`;
}

/** Reads the types of a syntax tree. */
class Types {
  readonly #named = new Map<string, string>();
  readonly complete = new Set<string>();

  constructor(declarations: readonly AstNode[]) {
    const complete = new Set<string>();
    for (const each of declarations) {
      if (each.kind === 'RecordDecl' && each.completeDefinition === true) {
        if (each.id !== undefined) complete.add(each.id);
        if (each.name !== undefined) this.complete.add(`${each.tagUsed ?? 'struct'} ${each.name}`);
      }
      if (each.kind !== 'TypedefDecl' || each.name === undefined) continue;
      const [inner] = each.inner ?? [];
      const tag = inner?.ownedTagDecl ?? inner?.decl;
      // A struct without a name goes by the name of its type.
      if (tag?.name === '') {
        if (tag.id !== undefined && complete.has(tag.id)) this.complete.add(each.name);
      } else this.#named.set(each.name, plain(each.type?.qualType ?? ''));
    }
  }

  of(written: string): CType {
    let canonical = plain(written);
    for (;;) {
      const [, base = '', stars = ''] = /^(\w+)( \**)?$/.exec(canonical) ?? [];
      const named = this.#named.get(base);
      if (named === undefined || named === base) return { written, canonical };
      canonical = plain(`${named} ${stars}`);
    }
  }
}

function toFunction(node: AstNode, types: Types): HeaderFunction[] {
  const { name = '', type, inner = [] } = node;
  // No match for a function that returns a pointer to a function: its type has another form.
  const [, result] = /^([^()]+?) ?\((?!\*\()/.exec(type?.qualType ?? '') ?? [];
  if (result === undefined) return [];
  return [
    {
      name,
      result: types.of(result),
      parameters: inner
        .filter(({ kind }) => kind === 'ParmVarDecl')
        .map(({ name: own = '', type: its }) => ({
          name: own,
          type: types.of(its?.qualType ?? ''),
        })),
      isDefined: inner.some(({ kind }) => kind === 'CompoundStmt'),
    },
  ];
}

/**
 * Returns the functions and types that the main file of a syntax tree declares; `tree` is in JSON.
 */
export function headerOf(tree: string): Header {
  const { inner = [] } = JSON.parse(tree) as AstNode;
  const types = new Types(inner);
  const functions = new Map<string, HeaderFunction>();
  for (const node of inner) {
    if (node.kind !== 'FunctionDecl' || !isOfHeader(node)) continue;
    for (const found of toFunction(node, types))
      if (found.isDefined || !functions.has(found.name)) functions.set(found.name, found);
  }
  return { functions: [...functions.values()], complete: types.complete };
}
