import { LineCounter } from '@fencewright/ground/source/line-index.js';
import type { ErrorList } from '@fencewright/ground/source/error-list.js';
import { notSupported, syntaxError } from '@fencewright/ground/source/diagnostic.js';
import { ReadingFailure, Tokens } from '@fencewright/ground/source/tokens.js';
import { expectCount, expectSigil, irTokens, valueName, skipBrackets } from './ir-tokens.js';
import { runsByItself } from './listed-functions.js';
import { endOfLine } from './ir-lines.js';
import { readOperations } from './read-instruction.js';
import { readAttributes, readType, readTyped, readIrValue, skipAttributes } from './read-values.js';
import type {
  IrBlock,
  IrFunction,
  IrGlobal,
  IrInstruction,
  IrModule,
  IrAlias,
  IrParameter,
  IrType,
  Linkage,
} from './syntax.js';
import type { SkippedParts } from './unreferenced-parts.js';

/** The maximum length of a text that is read, in UTF-16 units. */
const longest = 1 << 26;

/**
 * Reads the text of a module of LLVM IR, from clang 15 or later. Unknown attributes, flags and
 * metadata are skipped; unknown instructions are kept as `unknown`. The definitions in `skipped`
 * are left out. Errors are reported to `errors`.
 */
export function readModule(
  text: string,
  errors: ErrorList,
  skipped: SkippedParts = new Map(),
): IrModule {
  return new ModuleReader(text, errors, skipped).read();
}

const external: Linkage = { isInternal: false, isReplaceable: false };
const internal: Linkage = { isInternal: true, isReplaceable: false };
const replaceable: Linkage = { isInternal: false, isReplaceable: true };
const linkages: ReadonlyMap<string, Linkage> = new Map([
  ['internal', internal],
  ['private', internal],
  ['extern_weak', { ...external, isOptional: true }],
  ...['weak', 'weak_odr', 'linkonce', 'linkonce_odr', 'common', 'available_externally'].map(
    (word): [string, Linkage] => [word, replaceable],
  ),
]);

/** A function whose body is being read, with the blocks read so far. */
interface Begun {
  readonly head: Omit<IrFunction, 'blocks'>;
  readonly blocks: { label: string; instructions: IrInstruction[] }[];
  /** By name of an `alloca`, the node of debug information about the `alloca`'s variable. */
  readonly variables: Map<string, string>;
}

class ModuleReader {
  readonly #types = new Map<string, IrType>();
  readonly #globals = new Map<string, IrGlobal>();
  readonly #functions = new Map<string, IrFunction>();
  readonly #aliases = new Map<string, IrAlias>();
  readonly #metadata = new Map<string, string>();
  readonly #targets = new Map<string, string>();
  readonly #places: LineCounter;
  #body: Begun | undefined;
  /** Whether the module has assembly outside of functions. */
  #hasAssembly = false;

  constructor(
    readonly text: string,
    readonly errors: ErrorList,
    readonly skipped: SkippedParts,
  ) {
    this.#places = new LineCounter(text);
  }

  read(): IrModule {
    const { text } = this;
    if (text.length > longest) {
      const span = this.#places.spanOf(0, 0);
      this.errors.error(() => syntaxError(span, 'the file is too long', 'give less of it'));
    } else
      for (let start = 0; start < text.length;) {
        const end = this.skipped.get(start);
        start = end === undefined ? this.#line(start) : end + 1;
      }
    if (this.#body) {
      const { span } = this.#body.head;
      this.errors.error(() => syntaxError(span, 'the function has no end', "'}' is missing"));
    }
    if (this.#hasAssembly)
      this.#refuse(
        'assembly outside of functions is not supported: its effects are unknown',
        'write it in C',
      );
    return {
      types: this.#types,
      globals: this.#globals,
      functions: this.#functions,
      aliases: this.#aliases,
      metadata: this.#metadata,
      targets: this.#targets,
    };
  }

  /** Reads the line at `start` and returns the start of the next line. */
  #line(start: number): number {
    const { text } = this;
    let end = endOfLine(text, start);
    const line = text.slice(start, end);
    if (!this.#body && line.startsWith('!')) {
      const middle = line.indexOf(' = ');
      if (middle >= 0) this.#metadata.set(line.slice(0, middle), line.slice(middle + 3));
      return end + 1;
    }
    if (/^\s+switch\s.*\[\s*$/.test(line)) {
      const close = text.indexOf(']', end);
      if (close >= 0) end = endOfLine(text, close);
    } else if (/^\s+(?:%[^=]+ = )?(?:invoke|landingpad)\s/.test(line))
      while (/^\s+(?:to label|cleanup|catch|filter)\b/.test(nextLine(text, end)))
        end = endOfLine(text, end + 1);
    try {
      if (this.#body) this.#inside(this.#body, line, start, end);
      else this.#outside(line, start, end);
    } catch (failure) {
      if (!(failure instanceof ReadingFailure)) throw failure;
      const { span, message, hint } = failure;
      this.errors.error(() => syntaxError(span, message, hint));
    }
    return end + 1;
  }

  #tokens(start: number, end: number): Tokens {
    return new Tokens(this.text, { start, end }, this.#places, irTokens);
  }

  #outside(line: string, start: number, end: number): void {
    const tokens = this.#tokens(start, end);
    const first = tokens.peekIfAny();
    if (!first) return;
    if (first.text.startsWith('@')) this.#global(tokens, line);
    else if (first.text.startsWith('%')) this.#type(tokens);
    else if (first.text === 'define' || first.text === 'declare') this.#head(tokens, line);
    else if (first.text === 'target') {
      const match = /^target (\w+) = "([^"]*)"/.exec(line);
      if (match) this.#targets.set(match[1]!, match[2]!);
    } else if (first.text === 'module') this.#hasAssembly = true;
    else if (!['source_filename', 'attributes', 'uselistorder'].includes(first.text))
      if (!first.text.startsWith('$') && !first.text.startsWith('^'))
        tokens.fail('this line is not LLVM IR', 'give a file written by clang -S -emit-llvm');
  }

  /** Reports an unsupported construct, without a place. */
  #refuse(message: string, hint: string): void {
    this.errors.error(() => notSupported(undefined, message, hint));
  }

  #type(tokens: Tokens): void {
    const name = valueName(tokens.next());
    tokens.expect('=');
    tokens.expect('type');
    this.#types.set(
      name,
      tokens.accept('opaque') ? { kind: 'other', text: 'opaque' } : readType(tokens),
    );
  }

  #global(tokens: Tokens, line: string): void {
    const { span } = tokens.peek();
    const name = valueName(tokens.next());
    tokens.expect('=');
    let isThreadLocal = false;
    let isExternal = false;
    let linkage = external;
    let word;
    while (!/^(?:global|constant|alias|ifunc)$/.exec((word = tokens.expectName('a global')).text)) {
      isThreadLocal ||= word.text === 'thread_local';
      linkage = linkages.get(word.text) ?? linkage;
      isExternal ||= word.text === 'external' || word.text === 'extern_weak';
      if (tokens.isNext('(')) skipBrackets(tokens);
    }
    if (word.text === 'ifunc')
      this.#refuse(
        `'${name}' is an ifunc: the function is chosen when the program is loaded`,
        'call the chosen function directly',
      );
    if (word.text === 'alias') {
      readType(tokens);
      // The parameters of a function.
      if (tokens.isNext('(')) skipBrackets(tokens);
      tokens.expect(',');
      this.#aliases.set(name, { name, ...linkage, meant: readTyped(tokens).value, span });
    }
    if (word.text !== 'global' && word.text !== 'constant') return;
    const type = readType(tokens);
    const initial = isExternal ? undefined : readIrValue(tokens);
    let alignment: number | undefined;
    let section: string | undefined;
    while (tokens.accept(','))
      if (tokens.accept('align')) alignment = expectCount(tokens);
      else if (tokens.accept('section')) section = tokens.next().text.slice(1, -1);
      else {
        tokens.next();
        if (!tokens.isNext(',')) tokens.nextIfAny();
      }
    const variable = debugNode(line);
    this.#globals.set(name, {
      name,
      type,
      isThreadLocal,
      isConstant: word.text === 'constant',
      ...linkage,
      span,
      ...(initial && { initial }),
      ...(alignment !== undefined && { alignment }),
      ...(section !== undefined && { section }),
      ...(variable !== undefined && { variable }),
    });
  }

  #head(tokens: Tokens, line: string): void {
    const isDefined = tokens.next().text === 'define';
    const { span } = tokens.peek();
    const linkage = linkages.get(tokens.peek().text) ?? external;
    skipAttributes(tokens);
    const returns = readType(tokens);
    const name = expectSigil(tokens, '@', 'the name of a function');
    tokens.expect('(');
    const parameters: IrParameter[] = [];
    let isVariadic = false;
    while (!tokens.accept(')')) {
      if (tokens.accept('...')) isVariadic = true;
      else parameters.push(readParameter(tokens, parameters.length));
      if (!tokens.isNext(')')) tokens.expect(',');
    }
    const section = /\) .*\bsection "([^"]*)"/.exec(line)?.[1];
    if (section !== undefined && runsByItself(section))
      this.#refuse(
        `the section '${section}' makes '${name}' run automatically`,
        'use the attribute constructor or destructor instead',
      );
    const head = { name, ...linkage, returns, parameters, isVariadic, span };
    if (isDefined) this.#body = { head, blocks: [], variables: new Map() };
    else this.#functions.set(name, { ...head, blocks: [] });
  }

  /** Reports each block that does not end with a jump or a return. */
  #checkEnds({ head, blocks }: Begun): void {
    for (const { label, instructions } of blocks) {
      const last = instructions.at(-1);
      if (last && ends.includes(last.operation.kind)) continue;
      const span = last?.span ?? head.span;
      const message = `the block '${label}' has no terminator`;
      this.errors.error(() => syntaxError(span, message, 'end the block with br, switch or ret'));
    }
  }

  #inside(body: Begun, line: string, start: number, end: number): void {
    if (line.startsWith('}')) {
      this.#checkEnds(body);
      this.#functions.set(body.head.name, { ...body.head, blocks: withVariables(body) });
      this.#body = undefined;
      return;
    }
    const label = /^(?:"([^"]*)"|([-\w$.]+)):/.exec(line);
    if (label) {
      body.blocks.push({ label: label[1] ?? label[2]!, instructions: [] });
      return;
    }
    const [, quoted, plain, node] = described.exec(line) ?? [];
    if (node !== undefined) {
      body.variables.set(quoted ?? plain!, node);
      return;
    }
    const tokens = this.#tokens(start, end);
    const first = tokens.peekIfAny();
    if (!first || first.text.startsWith('#')) return;
    const { span } = first;
    let result: string | undefined;
    if (first.text.startsWith('%')) {
      result = valueName(tokens.next());
      tokens.expect('=');
    }
    const operations = readOperations(tokens);
    const debug = debugNode(this.text.slice(start, end));
    // An entry block without a label has the number of the first unnamed value after the
    // parameters.
    if (body.blocks.length === 0) {
      const unnamed = body.head.parameters.filter(({ name }) => /^[0-9]+$/.test(name)).length;
      body.blocks.push({ label: String(unnamed), instructions: [] });
    }
    const { instructions } = body.blocks.at(-1)!;
    for (const [i, operation] of operations.entries())
      instructions.push({
        operation,
        span,
        ...(i === 0 && result !== undefined && { result }),
        ...(debug !== undefined && { debug }),
      });
  }
}

/** Matches the declaration of a variable for a local, as written before and since clang 19. */
const described =
  /^\s+(?:.*@llvm\.dbg\.declare\(metadata |#dbg_declare\()ptr %(?:"([^"]*)"|([-\w$.]+)), (?:metadata )?(![0-9]+),/;

/** The node of debug information named at the end of a line; `undefined` if there is none. */
function debugNode(line: string): string | undefined {
  return /, !dbg (![0-9]+)/.exec(line)?.[1];
}

/**
 * The blocks of a function; each `alloca` has the node of debug information that describes its
 * variable.
 */
function withVariables({ blocks, variables }: Begun): readonly IrBlock[] {
  return blocks.map(({ label, instructions }) => ({
    label,
    instructions: instructions.map((each) => {
      const variable = each.result === undefined ? undefined : variables.get(each.result);
      return variable === undefined || each.operation.kind !== 'alloca'
        ? each
        : { ...each, variable };
    }),
  }));
}

/**
 * Operations that may end a block. An unknown operation is refused if control reaches the
 * operation.
 */
const ends: readonly string[] = [
  ...['jump', 'branch', 'switch', 'return', 'resume', 'unreachable', 'unknown'],
];

function readParameter(tokens: Tokens, index: number): IrParameter {
  const type = readType(tokens);
  const { byValue } = readAttributes(tokens);
  const { kind, text } = tokens.peek();
  return {
    type,
    ...(byValue && { byValue }),
    name: kind === 'name' && text.startsWith('%') ? valueName(tokens.next()) : `${index}`,
  };
}

/** The line after the line that ends at offset `end`. */
function nextLine(text: string, end: number): string {
  return text.slice(end + 1, endOfLine(text, end + 1));
}
