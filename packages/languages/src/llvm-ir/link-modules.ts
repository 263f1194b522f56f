import type { ErrorList } from '@fencewright/ground/source/error-list.js';
import { definedInTwoFiles } from '@fencewright/ground/source/c-diagnostics.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { changedNodes } from './changed-nodes.js';
import type { IrAlias, IrFunction, IrGlobal, IrModule, Linkage, Metadata } from './syntax.js';

/** Linked modules. Names are those of the modules, some with a suffix. */
export interface Linked extends IrModule {
  /** By function, the index of the module that defines the function. */
  readonly homes: ReadonlyMap<string, number>;
}

/** The library's name for an intrinsic that the library defines. */
export function nameInLibrary(name: string): string {
  return name.startsWith('llvm.')
    ? name.replaceAll('.', '_').replace('llvm', '__fencewright')
    : name;
}

type Named = Linkage & { readonly name: string };

/** Separates a name from the suffix of its module; occurs in no module's names. */
const mark = '@';

/**
 * Whether the library's definition of a function takes precedence over the definition in the
 * headers of libstdc++. True for functions that choose a waiter pool by an address, compare two
 * values bytewise, print to streams, wait up to a deadline, break a promise, or compare addresses
 * to find out whether a text overlaps a string.
 */
function isBetterInLibrary(name: string): boolean {
  return (
    /^_ZNSt8__detail(?:18__waiter_pool_base6_S_forEPKv$|16__atomic_compareI)/.test(name) ||
    /^_Z(?:NSo|St.*RSt13basic_ostream)/.test(name) ||
    name.startsWith('_ZNSt18condition_variable17__wait_until_implI') ||
    name.startsWith('_ZNSt13__future_base13_State_baseV216_M_break_promiseE') ||
    /^_ZNKSt7__cxx1112basic_string\w+11_M_disjunctEPKc$/.test(name)
  );
}

/** The name of a global or function in its own module. */
export function nameInModule(name: string): string {
  const end = name.indexOf(mark);
  return end < 0 ? name : name.slice(0, end);
}

/**
 * The modules linked by name. An internal name gets a suffix if several modules use the name; the
 * types of all modules but the first always get a suffix. Of several definitions, the first that is
 * not replaceable is used. The last module, the library, yields to all others. Duplicate
 * definitions are reported to `errors`, with the names of their `files`, which belong to the
 * modules.
 */
export function linkModules(
  modules: readonly IrModule[],
  errors: ErrorList,
  files: readonly string[] = [],
): Linked {
  const renamed = modules.map((module, i) => renameInner(module, i, modules));
  const globals = new Map<string, IrGlobal>();
  const functions = new Map<string, IrFunction>();
  const homes = new Map<string, number>();
  const strong = new Map<string, number>();
  const library = modules.length - 1;
  renamed.forEach((module, i) => {
    for (const each of module.globals.values()) {
      const list = globals.get(each.name);
      if (list && isList(each)) {
        globals.set(each.name, appended(list, each));
        continue;
      }
      const counts = choose(globals.get(each.name)?.initial && globals.get(each.name), each, i);
      if (counts && (each.initial !== undefined || !globals.has(each.name)))
        globals.set(each.name, each);
    }
    for (const each of module.functions.values()) {
      const known = functions.get(each.name);
      const counts = choose(known && known.blocks.length > 0 ? known : undefined, each, i);
      if (!counts || (each.blocks.length === 0 && known)) continue;
      functions.set(each.name, each);
      homes.set(each.name, i);
    }
  });
  for (const [name, each] of functions) {
    // The library defines the intrinsics that clang emits for `__builtin_ctz` and the like.
    const own = each.blocks.length > 0 ? undefined : functions.get(nameInLibrary(name));
    if (!own) continue;
    functions.set(name, { ...own, name });
    homes.set(name, library);
  }
  const aliases = linkAliases(renamed, globals, functions, errors);
  return {
    types: new Map(renamed.flatMap(({ types }) => [...types])),
    globals: withoutAliases(globals, aliases),
    functions: withoutAliases(functions, aliases),
    aliases,
    homes,
    metadata: new LinkedMetadata(modules),
    targets: modules[0]?.targets ?? new Map<string, string>(),
  };

  /** Whether `added` is used, given an earlier definition `known`. */
  function choose(
    known: Linkage | undefined,
    added: (IrGlobal | IrFunction) & Linkage & { readonly span: Span },
    module: number,
  ): boolean {
    const isDefined = 'blocks' in added ? added.blocks.length > 0 : added.initial !== undefined;
    if (!isDefined) return known === undefined;
    if (added.isReplaceable || added.isInternal) return known === undefined || added.isInternal;
    if (module === library && isBetterInLibrary(added.name)) return true;
    // A variable of the program may have the name of a function of the library.
    const isTaken = known !== undefined || strong.has(added.name);
    if (module === library && library > 0 && isTaken) return false;
    const earlier = strong.get(added.name);
    if (earlier !== undefined) {
      const both = [earlier, module].map((i) => files[i] ?? '');
      errors.error(() => definedInTwoFiles(nameInModule(added.name), both));
      return false;
    }
    strong.set(added.name, module);
    return true;
  }
}

/**
 * Whether linking concatenates the definitions of the global in all modules, as for lists of
 * constructors.
 */
function isList({ name }: IrGlobal): boolean {
  return name.startsWith('llvm.');
}

function appended(list: IrGlobal, { type, initial }: IrGlobal): IrGlobal {
  const areLists = list.initial?.kind === 'aggregate' && initial?.kind === 'aggregate';
  if (!areLists || type.kind !== 'array') return list;
  const elements = [...list.initial.elements, ...initial.elements];
  return {
    ...list,
    type: { ...type, length: elements.length },
    initial: { ...initial, elements },
  };
}

/** The aliases in use, by name. A definition takes precedence over a replaceable definition. */
function linkAliases(
  modules: readonly IrModule[],
  globals: ReadonlyMap<string, IrGlobal>,
  functions: ReadonlyMap<string, IrFunction>,
  errors: ErrorList,
): ReadonlyMap<string, IrAlias> {
  const found = new Map<string, IrAlias>();
  for (const alias of modules.flatMap(({ aliases }) => [...aliases.values()])) {
    const { name, isReplaceable } = alias;
    const [global, called] = [globals.get(name), functions.get(name)];
    const defined =
      (global?.initial && global) ??
      (called && called.blocks.length > 0 ? called : undefined) ??
      found.get(name);
    if (!defined || (defined.isReplaceable && !isReplaceable)) found.set(name, alias);
    else if (!defined.isReplaceable && !isReplaceable)
      errors.error(() => definedInTwoFiles(nameInModule(name), []));
  }
  return found;
}

/** The globals or functions with each use of an alias replaced by the alias's target. */
function withoutAliases<T extends { readonly name: string }>(
  all: ReadonlyMap<string, T>,
  aliases: ReadonlyMap<string, IrAlias>,
): ReadonlyMap<string, T> {
  if (aliases.size === 0) return all;
  const meant = <N>(node: N, left: number): N =>
    changedNodes(node, ({ kind, name }) => {
      const alias = kind === 'global' ? aliases.get(name!) : undefined;
      // A cycle of aliases is followed at most as often as there are aliases.
      return alias && left > 0 ? meant(alias.meant, left - 1) : undefined;
    });
  return new Map(
    [...all]
      .filter(([name]) => !aliases.has(name))
      .map(([name, each]) => [name, meant(each, aliases.size)]),
  );
}

/**
 * The metadata of linked modules. Each node's name ends with the suffix of its module. Few nodes
 * are ever looked up, so the text of a node is renamed only when the node is looked up.
 */
class LinkedMetadata implements Metadata {
  readonly #modules: readonly IrModule[];
  readonly #texts = new Map<string, string | undefined>();

  constructor(modules: readonly IrModule[]) {
    this.#modules = modules;
  }

  get(node: string): string | undefined {
    if (this.#texts.has(node)) return this.#texts.get(node);
    const end = node.lastIndexOf(mark);
    const index = Number(node.slice(end + mark.length));
    const text = this.#modules[index]?.metadata.get(node.slice(0, end));
    const renamed = text === undefined ? undefined : withSuffix(text, suffixOf(index));
    this.#texts.set(node, renamed);
    return renamed;
  }

  *[Symbol.iterator](): Iterator<readonly [string, string]> {
    for (const [i, { metadata }] of this.#modules.entries())
      for (const [node, text] of metadata)
        yield [node + suffixOf(i), withSuffix(text, suffixOf(i))];
  }
}

/** The suffix of the names of a module. */
function suffixOf(index: number): string {
  return `${mark}${index}`;
}

/** The text of a metadata node with a suffix behind the name of each node. */
function withSuffix(text: string, suffix: string): string {
  return text.replaceAll(/(?<![\w"])![0-9]+/g, (node) => node + suffix);
}

/**
 * The module with unique names, but for its metadata. An internal name gets the module's number as
 * a suffix if several modules use the name; so does each reference to metadata.
 */
function renameInner(module: IrModule, index: number, all: readonly IrModule[]): IrModule {
  const suffix = suffixOf(index);
  const inner = new Set<string>();
  const named = ({ globals, functions, aliases }: IrModule): ReadonlyMap<string, Named>[] => [
    globals,
    functions,
    aliases,
  ];
  for (const { name, isInternal } of named(module).flatMap((map) => [...map.values()])) {
    const others = all.filter((other) => named(other).some((map) => map.has(name)));
    if (isInternal && others.length > 1) inner.add(name);
  }
  const nameOf = (name: string): string => (inner.has(name) ? name + suffix : name);
  const typeName = (name: string): string => (index === 0 ? name : name + suffix);
  const rename = <N>(node: N): N =>
    changedNodes(node, ({ kind, name }) =>
      kind === 'global' && inner.has(name!)
        ? { kind, name: name! + suffix }
        : kind === 'named' && index > 0
          ? { kind, name: name! + suffix }
          : undefined,
    );
  const nodeName = <T extends { readonly debug?: string; readonly variable?: string }>(of: T): T =>
    of.debug === undefined && of.variable === undefined
      ? of
      : {
          ...of,
          ...(of.debug !== undefined && { debug: of.debug + suffix }),
          ...(of.variable !== undefined && { variable: of.variable + suffix }),
        };
  const renamedAll = <T extends { readonly name: string }>(
    map: ReadonlyMap<string, T>,
    own: (each: T) => T = (each) => each,
  ): ReadonlyMap<string, T> =>
    new Map(
      [...map].map(([name, each]) => [nameOf(name), { ...rename(own(each)), name: nameOf(name) }]),
    );
  return {
    types: new Map([...module.types].map(([name, type]) => [typeName(name), rename(type)])),
    globals: renamedAll(module.globals, nodeName),
    functions: renamedAll(module.functions, (of) => ({
      ...of,
      blocks: of.blocks.map((block) => ({
        ...block,
        instructions: block.instructions.map(nodeName),
      })),
    })),
    aliases: renamedAll(module.aliases),
    metadata: module.metadata,
    targets: module.targets,
  };
}
