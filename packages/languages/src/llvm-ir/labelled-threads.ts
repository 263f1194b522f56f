import { notSupported } from '@fencewright/ground/source/diagnostic.js';
import type { ErrorList } from '@fencewright/ground/source/error-list.js';
import { stringIn } from './debug-nodes.js';
import { callBehindLabel, offsetAt, type StatementRange } from './labelled-statement.js';
import { forEachName } from './names-in.js';
import type { SourcePlaceOptions } from './places.js';
import { locatedInC } from './positions.js';
import type {
  IrBlock,
  IrCall,
  IrFunction,
  IrInstruction,
  IrModule,
  IrValue,
  Typed,
} from './syntax.js';
import { labelledThread } from './unsupported.js';

/*
 * In the dialect of CBMC, a label that begins with `__CPROVER_ASYNC_` makes the labelled statement
 * a thread of its own [CBMC, goto_convertt::convert_label]. The thread evaluates the statement,
 * also the arguments of calls; it has copies of the locals of the function, made when it starts
 * [goto_symext::symex_start_thread].
 */

/** The beginning of labels in front of statements that run in a new thread. */
const asynchronous = '__CPROVER_ASYNC_';

function startsThread(label: string): boolean {
  return label.startsWith(asynchronous);
}

type TextOf = Pick<SourcePlaceOptions, 'main' | 'sourceOf' | 'compiledText'>;

/**
 * The module with a call that creates a thread for each labelled call of CBMC's dialect. Other
 * labelled statements, and calls that would mean something else as a creation of a thread, become
 * instructions that are refused where control reaches them. What belongs to a statement is only in
 * the text of the source file.
 */
export function withLabelledThreads(
  module: IrModule,
  options: TextOf,
  errors: ErrorList,
): IrModule {
  const isStart = ({ label }: IrBlock): boolean => startsThread(label);
  const changed = [...module.functions].flatMap(([name, of]): [string, IrFunction][] =>
    of.blocks.some(isStart) ? [[name, new LabelledThreads(module, of, options).rewritten()]] : [],
  );
  if (changed.length === 0) {
    if (hasNamelessStart(module)) errors.error(() => notSupported(undefined, ...namelessLabels));
    return module;
  }
  return { ...module, functions: new Map([...module.functions, ...changed]) };
}

const namelessLabels = [
  'a label __CPROVER_ASYNC_ starts a thread, but the blocks of this LLVM IR have no names',
  'compile with -fno-discard-value-names, or give the file in C',
] as const;

/** Whether only the debug information has labels that start threads, since blocks have no names. */
function hasNamelessStart({ functions, metadata }: IrModule): boolean {
  const isNameless = [...functions.values()].some(({ blocks }) =>
    blocks.some(({ label }) => /^\d+$/.test(label)),
  );
  if (!isNameless) return false;
  return [...metadata].some(
    ([, text]) => text.includes('!DILabel(') && startsThread(stringIn(text, 'name') ?? ''),
  );
}

/** Rewrites a function with labels that start threads. */
class LabelledThreads {
  constructor(
    readonly module: IrModule,
    readonly of: IrFunction,
    readonly options: TextOf,
  ) {}

  rewritten(): IrFunction {
    const continued = this.#continuedBlocks();
    const blocks = this.of.blocks.map((block) => {
      if (startsThread(block.label)) return this.#withThread(block);
      return continued.has(block.label) ? refused(block, 0, 'other') : block;
    });
    return { ...this.of, blocks };
  }

  /**
   * The labels of the blocks to which a label that starts a thread only passes control on: another
   * label or a `case` stands behind it, and control may come to the statement without passing it.
   */
  #continuedBlocks(): ReadonlySet<string> {
    return new Set(
      this.of.blocks.flatMap(({ label, instructions }) => {
        const last = instructions.at(-1)?.operation;
        const isPassing = startsThread(label) && instructions.slice(0, -1).every(isNothing);
        return isPassing && last?.kind === 'jump' ? [last.to] : [];
      }),
    );
  }

  #withThread(block: IrBlock): IrBlock {
    const { instructions } = block;
    const at = instructions.findIndex(isCall);
    const called = instructions[at];
    if (!called || called.operation.kind !== 'call') return refused(block, 0, 'other');
    const call = called.operation;
    const ahead = instructions.slice(0, at);
    const range = this.#rangeOf(called, call);
    if (range === 'no text') return refused(block, at, 'text');
    const isWhole = range !== undefined && !this.#hasMoreIn(range, [...ahead, called]);
    if (!isWhole || this.#isUsed(called.result)) return refused(block, at, 'other');
    const argument = this.#argumentOf(call, ahead);
    if (typeof argument === 'string') return refused(block, at, argument);
    const { callee } = call;
    const start: Typed = { type: { kind: 'pointer' }, value: callee as IrValue };
    const { span, debug } = called;
    const creation: IrInstruction = {
      operation: {
        kind: 'call',
        returns: { kind: 'int', bits: 64 },
        callee: { kind: 'global', name: '__fencewright_thread_create' },
        operands: [start, argument],
      },
      span,
      ...(debug !== undefined && { debug }),
    };
    return { ...block, instructions: instructions.toSpliced(at, 1, creation) };
  }

  /** The place of an instruction in the text that was compiled; `undefined` if there is none. */
  #placeOf(instruction: IrInstruction): { file: string; text: string; offset: number } | undefined {
    const { main, sourceOf, compiledText } = this.options;
    const [place] = locatedInC(
      this.module,
      instruction,
      (name) => (name === main ? compiledText : undefined) ?? sourceOf?.(name) ?? '',
    );
    const source = place?.span.source;
    if (!source) return undefined;
    const { name: file, text } = source;
    return { file, text, offset: offsetAt(text, place.span.start) };
  }

  /** The statement that consists of the call alone. */
  #rangeOf(
    called: IrInstruction,
    { callee }: IrCall,
  ): (StatementRange & { readonly file: string }) | 'no text' | undefined {
    const place = this.#placeOf(called);
    if (!place || place.text === '') return 'no text';
    if (callee.kind !== 'global') return undefined;
    const range = callBehindLabel(place.text, place.offset, callee.name, asynchronous);
    return range && { ...range, file: place.file };
  }

  /** Whether the statement has further code than the `known` instructions. */
  #hasMoreIn(
    { file, start, end }: StatementRange & { readonly file: string },
    known: readonly IrInstruction[],
  ): boolean {
    return this.of.blocks.some(({ instructions }) =>
      instructions.some((each) => {
        if (known.includes(each) || each.operation.kind === 'jump') return false;
        const place = this.#placeOf(each);
        return place?.file === file && place.offset >= start && place.offset < end;
      }),
    );
  }

  #isUsed(result: string | undefined): boolean {
    if (result === undefined) return false;
    let isUsed = false;
    forEachName(this.of.blocks, 'local', (name) => {
      isUsed ||= name === result;
    });
    return isUsed;
  }

  /** The argument of the thread, as its creator computes it; or why there is none. */
  #argumentOf({ operands }: IrCall, ahead: readonly IrInstruction[]): Typed | Reason {
    const [given, ...others] = operands;
    if (!given) return { type: { kind: 'pointer' }, value: { kind: 'undefined' } };
    const { type, byValue } = given;
    const isWord = type.kind === 'pointer' || (type.kind === 'int' && type.bits <= 64);
    if (others.length > 0 || byValue || !isWord) return 'arguments';
    const locals = this.#locals;
    // All computations in front of the call belong to its argument.
    for (const { operation } of ahead)
      switch (operation.kind) {
        case 'load': {
          const base = this.#baseOf(operation.address, ahead);
          if (base === undefined || !locals.has(base) || operation.order) return 'shared';
          break;
        }
        case 'binary':
        case 'compare':
        case 'cast':
        case 'element':
        case 'select':
          break;
        default:
          if (!isNothing({ operation })) return 'other';
      }
    const base = this.#baseOf(given.value, ahead);
    return base !== undefined && locals.has(base) ? 'local' : given;
  }

  /** The names of the function's locals. */
  get #locals(): ReadonlySet<string> {
    const all = this.of.blocks.flatMap(({ instructions }) =>
      instructions.flatMap(({ operation, result }) =>
        operation.kind === 'alloca' && result !== undefined ? [result] : [],
      ),
    );
    return new Set(all);
  }

  /** The name of the local of the function into which an address points; otherwise `undefined`. */
  #baseOf(value: IrValue, ahead: readonly IrInstruction[]): string | undefined {
    if (value.kind !== 'local') return undefined;
    const setter = ahead.find(({ result }) => result === value.name)?.operation;
    if (!setter) return value.name;
    if (setter.kind === 'element') return this.#baseOf(setter.operands[0]!.value, ahead);
    if (setter.kind === 'cast') return this.#baseOf(setter.from.value, ahead);
    return undefined;
  }
}

type Reason = Parameters<typeof labelledThread>[0];

/** Whether an instruction has no effect. */
function isNothing({ operation }: Pick<IrInstruction, 'operation'>): boolean {
  return (
    operation.kind === 'call' &&
    operation.callee.kind === 'global' &&
    /^llvm\.(?:dbg|lifetime)\b/.test(operation.callee.name)
  );
}

function isCall(instruction: IrInstruction): boolean {
  return instruction.operation.kind === 'call' && !isNothing(instruction);
}

/** The block with an instruction that is refused for the given reason, at an index. */
function refused(block: IrBlock, at: number, reason: Reason): IrBlock {
  const name = labelledThread(reason);
  const { span, debug } = block.instructions[at] ?? block.instructions[0]!;
  const refusal: IrInstruction = {
    operation: { kind: 'unknown', name },
    span,
    ...(debug !== undefined && { debug }),
  };
  return { ...block, instructions: block.instructions.toSpliced(at, 0, refusal) };
}
