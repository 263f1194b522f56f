import { refusedArgument } from './cc-arguments.js';
import type { Clang } from './find-clang.js';
import { type ClangOptions, type ClangOutput, type CUnit, runClang } from './compile-c.js';

/** A type of C: as written, and without the names that `typedef` gave. */
export interface CType {
  readonly written: string;
  readonly canonical: string;
}

/** A function that a header declares. */
export interface HeaderFunction {
  readonly name: string;
  readonly result: CType;
  readonly parameters: readonly { readonly name: string; readonly type: CType }[];
  /** Whether the header contains the function's body. */
  readonly isDefined: boolean;
}

/** The functions of a header in the order of its text, and its structs and unions with members. */
export interface Header {
  readonly functions: readonly HeaderFunction[];
  /** The types that the header declares completely, in canonical form, such as `struct queue`. */
  readonly complete: ReadonlySet<string>;
}

/** The members of a node in clang's JSON syntax tree that this file reads. */
interface AstNode {
  readonly id?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly tagUsed?: string;
  readonly completeDefinition?: boolean;
  readonly isImplicit?: boolean;
  readonly loc?: AstPlace & { readonly expansionLoc?: AstPlace };
  readonly type?: { readonly qualType: string };
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
function isOwn({ loc, isImplicit }: AstNode): boolean {
  const place = loc?.expansionLoc ?? loc;
  return isImplicit !== true && place?.offset !== undefined && place.includedFrom === undefined;
}

/** Type qualifiers that an assignable variable must not have. */
const ofConstants = 'const|restrict|__restrict|_Nonnull|_Nullable';
/** Matches the qualifiers of types in C. */
const qualifiers = new RegExp(`\\b(?:volatile|${ofConstants})\\b`, 'g');

/** Returns a type as written, without the qualifiers that forbid assignments to a variable. */
export function variableType(written: string): string {
  return written.replaceAll(new RegExp(`\\b(?:${ofConstants})\\b ?`, 'g'), '').trim();
}

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
function headerOf(tree: string): Header {
  const { inner = [] } = JSON.parse(tree) as AstNode;
  const types = new Types(inner);
  const functions = new Map<string, HeaderFunction>();
  for (const node of inner) {
    if (node.kind !== 'FunctionDecl' || !isOwn(node)) continue;
    for (const found of toFunction(node, types))
      if (found.isDefined || !functions.has(found.name)) functions.set(found.name, found);
  }
  return { functions: [...functions.values()], complete: types.complete };
}

/** The maximum size of a syntax tree that is read, in characters. */
const largestTree = 256 * 1024 * 1024;

/**
 * Lets clang read a header in C; returns the header's functions, or the reason why there are none.
 */
export async function readHeader(
  clang: Clang,
  unit: CUnit,
  options: ClangOptions,
): Promise<Header | Exclude<ClangOutput, { kind: 'output' }>> {
  const refused = refusedArgument(unit.ccArgs ?? []);
  if (refused) return { kind: 'forbidden', ...refused };
  const signal = options.signal ?? new AbortController().signal;
  const sized = { ...options, maxOutput: largestTree };
  const further = [
    '-Wno-unused-command-line-argument',
    '-fsyntax-only',
    '-Xclang',
    '-ast-dump=json',
  ];
  const ran = await runClang(clang, unit, sized, signal, further);
  return ran.kind === 'output' ? headerOf(ran.text) : ran;
}
