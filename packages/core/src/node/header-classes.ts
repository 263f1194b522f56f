import { type AstNode, isOfHeader } from './header-functions.js';
import {
  type CType,
  type CxxHeader,
  type HeaderClass,
  type HeaderFunction,
  isNumberInCxx,
} from './header-types.js';

/** Returns a type as the declared type of a variable: an argument of the type can be assigned. */
function typeOf(written: string): CType {
  const plain = written
    .replace(/\bconst\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const isVariable = plain.endsWith('&') && !plain.endsWith('&&') && !/\bconst\b/.test(written);
  const value = plain.replace(/ ?&+$/, '');
  if (isVariable) return { written: `${value} *`, canonical: `${value} *`, isReference: true };
  return { written: value, canonical: value };
}

/** The names that stand for other types within a declaration. */
type Names = ReadonlyMap<string, string>;

function replaced(type: string, names: Names): string {
  return type.replace(/(?<![:\w])[A-Za-z_]\w*/g, (word) => names.get(word) ?? word);
}

function parametersOf({ inner = [] }: AstNode, names: Names): readonly AstNode[] {
  return inner
    .filter(({ kind }) => kind === 'ParmVarDecl')
    .map((each) => {
      const { qualType = '', desugaredQualType = qualType } = each.type ?? {};
      return { ...each, type: { qualType: replaced(desugaredQualType, names) } };
    });
}

function toParameters(nodes: readonly AstNode[]): HeaderFunction['parameters'] {
  return nodes
    .filter(({ init }) => init === undefined)
    .map(({ name = '', type }) => ({ name, type: typeOf(type?.qualType ?? '') }));
}

function toFunction(node: AstNode, names: Names): HeaderFunction | undefined {
  const { name = '', type, inner = [] } = node;
  const [, result] = /^([^()]+?) ?\((?!\*\()/.exec(type?.qualType ?? '') ?? [];
  const parameters = parametersOf(node, names);
  const isUsual = /^[A-Za-z_]\w*$/.test(name) && !name.startsWith('operator');
  if (result === undefined || !isUsual || node.explicitlyDeleted) return undefined;
  if (parameters.some(({ type: its }) => its?.qualType.includes('...'))) return undefined;
  const { isReference: _, ...value } = typeOf(replaced(result, names).replace(/ ?&+$/, ''));
  return {
    name,
    result: value,
    parameters: toParameters(parameters),
    isDefined: inner.some(({ kind }) => kind === 'CompoundStmt'),
  };
}

/** Returns the names of the type parameters of a template, as `int`. */
function asInt(parameters: readonly AstNode[]): Names {
  return new Map(
    parameters.flatMap(({ kind, name }) =>
      kind === 'TemplateTypeParmDecl' && name !== undefined ? [[name, 'int'] as const] : [],
    ),
  );
}

/** The number of elements given for a number that a template needs. */
const elements = 4;

function templateArguments(parameters: readonly AstNode[]): string | { readonly why: string } {
  const needed = parameters.filter((each) => !each.defaultArg && !each.isParameterPack);
  const types = needed.filter(({ kind }) => kind === 'TemplateTypeParmDecl');
  if (needed.some(({ kind }) => kind === 'TemplateTemplateParmDecl'))
    return { why: 'one of its parameters is a template' };
  if (types.length > 1) return { why: `it needs ${types.length} types` };
  const given = needed.map(({ kind }) => (kind === 'TemplateTypeParmDecl' ? 'int' : elements));
  return `<${given.join(', ')}>`;
}

/** Reads the members of a class. */
function toClass(
  record: AstNode,
  template: readonly AstNode[] | undefined,
  path: readonly string[],
): HeaderClass {
  const names = new Map(template ? asInt(template) : []);
  const given = template ? templateArguments(template) : '';
  const plain = [...path, record.name].join('::');
  const name = typeof given === 'string' ? `${plain}${given}` : plain;
  const self = { name: '', type: { written: `${name} *`, canonical: `${name} *` } };
  const methods = new Map<string, HeaderFunction>();
  const makers: AstNode[] = [];
  let hasConstructor = false;
  let access = record.tagUsed === 'class' ? 'private' : 'public';
  const visit = (each: AstNode, own: Names): void => {
    if (each.kind === 'AccessSpecDecl') access = each.access ?? access;
    if (each.isImplicit) return;
    if (/^(?:TypeAliasDecl|TypedefDecl)$/.test(each.kind ?? '') && each.name !== undefined)
      names.set(
        each.name,
        replaced(each.type?.desugaredQualType ?? each.type?.qualType ?? '', own),
      );
    if (each.kind === 'CXXConstructorDecl') {
      hasConstructor = true;
      if (access === 'public' && !each.explicitlyDeleted) makers.push(each);
    }
    if (access !== 'public') return;
    if (each.kind === 'FunctionTemplateDecl') {
      const { inner = [] } = each;
      const method = inner.find(({ kind }) => kind === 'CXXMethodDecl');
      if (method) visit(method, new Map([...own, ...asInt(inner)]));
    }
    if (each.kind !== 'CXXMethodDecl' || each.storageClass === 'static') return;
    const method = toFunction(each, own);
    if (!method || methods.has(method.name)) return;
    methods.set(method.name, {
      ...method,
      parameters: [self, ...method.parameters],
      isMember: true,
    });
  };
  for (const each of record.inner ?? []) visit(each, names);
  const choices = makers
    .map((maker) => toParameters(parametersOf(maker, names)))
    // A constructor from another object of the class makes no first object.
    .filter((own) => own.every(({ type }) => isNumberInCxx(type.canonical)))
    .sort((a, b) => a.length - b.length);
  const making = ((): HeaderClass['making'] => {
    if (typeof given !== 'string') return given.why;
    if (record.definitionData?.isAbstract) return 'it is an abstract class';
    return (hasConstructor ? choices[0] : []) ?? 'no public constructor takes numbers alone';
  })();
  return { name, isTemplate: template !== undefined, making, methods: [...methods.values()] };
}

/** Returns the declarations of a syntax tree that stand in the main file; `tree` is in JSON. */
function ownDeclarations(tree: string): readonly AstNode[] {
  // Most of the tree is about standard headers: only declarations of the main file are parsed.
  const [, ...parts] = tree.split(/^ {4}\{$/m);
  return parts.flatMap((part): AstNode[] => {
    const head = part.slice(0, part.indexOf('"range"'));
    if (head.includes('"includedFrom"') || !head.includes('"offset"')) return [];
    const node = JSON.parse(`{${part.slice(0, part.lastIndexOf('\n    }'))}}`) as AstNode;
    return isOfHeader(node) ? [node] : [];
  });
}

/** Returns the classes and functions that the main file of a syntax tree in JSON declares. */
export function cxxHeaderOf(tree: string): CxxHeader {
  const classes: HeaderClass[] = [];
  const functions = new Map<string, HeaderFunction>();
  const namespaces = new Set<string>();
  /** The names of the member functions whose bodies stand behind their class. */
  const bodies = new Set<string>();
  const visit = (node: AstNode, path: readonly string[]): void => {
    const { kind, name, inner = [] } = node;
    const found = (): void => {
      if (path.length > 0) namespaces.add(path.join('::'));
    };
    if (kind === 'LinkageSpecDecl') for (const each of inner) visit(each, path);
    if (kind === 'NamespaceDecl' && name !== undefined && name !== 'detail')
      for (const each of inner) visit(each, [...path, name]);
    if (kind === 'CXXRecordDecl' && node.completeDefinition && name !== undefined) {
      classes.push(toClass(node, undefined, path));
      found();
    }
    if (kind === 'ClassTemplateDecl') {
      const record = inner.find((each) => each.kind === 'CXXRecordDecl');
      if (!record?.completeDefinition) return;
      classes.push(toClass(record, inner.slice(0, inner.indexOf(record)), path));
      found();
    }
    if (kind === 'CXXMethodDecl' && name !== undefined && toFunction(node, new Map())?.isDefined)
      bodies.add(name);
    if (kind !== 'FunctionDecl') return;
    const read = toFunction(node, new Map());
    if (!read || (functions.has(read.name) && !read.isDefined)) return;
    functions.set(read.name, read);
    found();
  };
  for (const each of ownDeclarations(tree)) visit(each, []);
  const simple = classes.filter(({ making }) => typeof making !== 'string' && making.length === 0);
  return {
    classes: classes.map((each) => ({
      ...each,
      methods: each.methods.map((method) => ({
        ...method,
        // Of a template, all bodies are in the header.
        isDefined: method.isDefined || each.isTemplate || bodies.has(method.name),
      })),
    })),
    functions: [...functions.values()],
    complete: new Set(simple.flatMap(({ name }) => [name, name.replace(/^.*::/, '')])),
    namespaces: [...namespaces],
  };
}
