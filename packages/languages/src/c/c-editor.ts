import type { OrderEditor, TextEditor } from '@fencewright/model/program/front-end.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { OrderChange } from '@fencewright/model/program/order-change.js';
import { joinedOrder, type OrderLevel } from '@fencewright/model/program/order-level.js';
import type { Program, Transition } from '@fencewright/model/program/program.js';
import type { RepairMode, StepPart, TextRepair } from '@fencewright/model/program/repair.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Position, Span } from '@fencewright/ground/source/span.js';
import { applyEdits, linesOf, type TextEdit } from '@fencewright/ground/source/text-edit.js';
import { editOrder } from './edit-order.js';
import { type EditedC, strengthenStore, weakenStore } from './edit-store.js';
import { type FencePoint, offsetOf } from './fence-point.js';
import { findFencePoints } from './find-fence-points.js';
import { builtinFence, fenceSpelling, type KnownBarriers, noBarriers } from './fence-spelling.js';
import { scan } from './find-call.js';
import { insertFencesInC } from './insert-fences.js';
import type { MarkedText } from './mark-places.js';
import { removeFenceInC, withWholeLines } from './remove-fence.js';
import { whyNoPlaceForOrders } from './why-no-order.js';
import { whyNoPlace } from './why-no-place.js';

const locationKey = (thread: ThreadId, location: LocationId): string => `${thread} ${location}`;

/** A change of an instruction in the text: the instruction becomes an exchange, or is removed. */
type StepChange = 'xchg' | 'remove';

function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const keyOf = ({ message, span }: Diagnostic): string =>
    JSON.stringify([message, span?.start, span?.source?.name]);
  return [...new Map(diagnostics.map((each) => [keyOf(each), each])).values()];
}

/**
 * Returns the rank of a fence at the point for the choice among several points: fences before
 * statements, the easiest to read, have the smallest rank, fences in conditions the largest. Fences
 * in macros concern every use, and rank behind the statements of functions.
 */
function rankOf(point: FencePoint): number {
  const { isInMacro } = point;
  switch (point.kind) {
    case 'before':
      return isInMacro ? 5 : point.body ? 2 : 1;
    case 'end':
      return isInMacro ? 6 : 3;
    case 'after':
      return isInMacro ? 6 : 4;
    case 'operand':
      return 7;
  }
}

/** Returns what the text admits at a point: a statement, or only an expression. */
function useOf({ kind }: FencePoint): 'statement' | 'expression' {
  return kind === 'operand' ? 'expression' : 'statement';
}

class CEditor implements TextEditor {
  readonly #program: Program;
  readonly #c: EditedC;
  /**
   * The places for fences in the text, indexed by the numbers of their marks (calls inserted for
   * the compiler at these places).
   */
  readonly #points: MarkedText['points'];
  readonly #lines: ReturnType<typeof linesOf>;
  /**
   * For each mark (a call inserted for the compiler at a place for a fence), by number, the
   * locations of the program at which the mark was found.
   */
  readonly #marked = new Map<number, { thread: ThreadId; location: LocationId }[]>();
  readonly #markAt = new Map<string, number>();
  readonly #spelling: (use: ReturnType<typeof useOf>) => string;
  readonly plain?: () => TextEditor;

  constructor(
    source: string,
    { points }: Pick<MarkedText, 'points'>,
    program: Program,
    isPlus: boolean,
    barriers: KnownBarriers,
    isPlain: boolean,
  ) {
    this.#program = program;
    this.#spelling = isPlain
      ? () => builtinFence()
      : (use) => fenceSpelling(source, isPlus, 'seq_cst', barriers, use);
    if (!isPlain)
      this.plain = () => new CEditor(source, { points }, program, isPlus, barriers, true);
    this.#points = points;
    this.#c = {
      ...scan(source),
      barriers: barriers.names,
      points: findFencePoints(source),
      isPlus,
    };
    this.#lines = linesOf(source);
    this.#eachStep(({ from, origin }, { thread }) => {
      if (origin.mark === undefined) return;
      const key = locationKey(thread, from);
      if (this.#markAt.has(key)) return;
      this.#markAt.set(key, origin.mark);
      const known = this.#marked.get(origin.mark);
      if (known) known.push({ thread, location: from });
      else this.#marked.set(origin.mark, [{ thread, location: from }]);
    });
  }

  /**
   * Calls `visit` for every instruction of one copy of each thread, with the instruction's
   * `StepPart`.
   */
  #eachStep(visit: (step: Transition, part: StepPart) => void): void {
    const seen = new Set<string>();
    this.#program.threads.forEach(({ copy, transitions }, thread) => {
      if (copy && seen.has(copy.template)) return;
      if (copy) seen.add(copy.template);
      transitions.forEach((step, transition) => {
        visit(step, { thread, transition });
      });
    });
  }

  repairs(mode: RepairMode): readonly TextRepair[] {
    switch (mode) {
      case 'fence':
      case 'asymmetric':
        return this.#fences();
      case 'xchg':
        return this.#steps('xchg');
      case 'any':
        return [...this.#fences(), ...this.#steps('xchg')];
      case 'minimise':
      case 'minimise-locked': {
        const isLocked = mode === 'minimise-locked';
        return this.#steps(
          'remove',
          (repair) => isLocked || this.#stepOf(repair).instruction.kind === 'fence',
        );
      }
    }
  }

  #fences(): readonly TextRepair[] {
    return [...this.#marked]
      .toSorted(([a], [b]) => a - b)
      .map(([mark, [first, ...also]]) => ({
        repair: { kind: 'fence', ...first!, ...(also.length > 0 && { also }) },
        rank: rankOf(this.#points[mark]!),
      }));
  }

  /**
   * Returns the possible repairs by a change of one instruction in the text; each covers all
   * instructions of the program compiled from that place.
   */
  #steps(
    change: StepChange,
    wanted: (part: StepPart) => boolean = () => true,
  ): readonly TextRepair[] {
    const places = new Map<string, StepPart[]>();
    this.#eachStep((step, part) => {
      const { span } = step.origin;
      if (!span || span.source || !wanted(part)) return;
      if (this.#changed(change, step).length === 0) return;
      const key = `${span.start.line}:${span.start.column} ${step.instruction.kind}`;
      const known = places.get(key);
      if (known) known.push(part);
      else places.set(key, [part]);
    });
    const kind = change === 'xchg' ? 'xchg' : 'keep';
    return [...places.values()].map(([first, ...also]) => ({
      repair: { kind, ...first!, ...(also.length > 0 && { also }) },
      rank: 0,
    }));
  }

  #stepOf({ thread, transition }: { thread: ThreadId; transition: TransitionId }): Transition {
    return this.#program.threads[thread]!.transitions[transition]!;
  }

  /** Returns the edits that change an instruction; empty if the instruction cannot be changed. */
  #changed(change: StepChange, { instruction, origin: { span } }: Transition): readonly TextEdit[] {
    if (!span || span.source) return [];
    const offset = this.#offsetOf(span);
    switch (instruction.kind) {
      case 'store':
        return change === 'xchg' ? strengthenStore(this.#c, offset) : [];
      case 'fence':
        return change === 'remove' ? removeFenceInC(this.#c, offset) : [];
      case 'rmw': {
        const isExchange = instruction.into === undefined && instruction.operation.name === 'xchg';
        return change === 'remove' && isExchange ? weakenStore(this.#c, offset) : [];
      }
      default:
        return [];
    }
  }

  #offsetOf({ start: { line, column } }: Span): number {
    return (this.#lines[line]?.start ?? 0) + column;
  }

  #positionOf(offset: number): Position {
    const line = this.#lines.findLastIndex(({ start }) => start <= offset);
    return { line, column: offset - this.#lines[line]!.start };
  }

  placesOf(thread: ThreadId, location: LocationId): readonly Position[] {
    const mark = this.#markAt.get(locationKey(thread, location));
    const point = mark === undefined ? undefined : this.#points[mark];
    return point ? [this.#positionOf(offsetOf(point))] : [];
  }

  repair(repairs: readonly SourceRepair[]): ReturnType<TextEditor['repair']> {
    const { text } = this.#c;
    const edits: TextEdit[] = [];
    const marks = new Set<number>();
    const diagnostics: Diagnostic[] = [];
    for (const repair of repairs)
      if (repair.kind === 'fence') {
        const mark = this.#markAt.get(locationKey(repair.thread, repair.location));
        if (mark === undefined) diagnostics.push(this.#noPlace(repair));
        else marks.add(mark);
      } else {
        const found = this.#changed(repair.kind, this.#stepOf(repair));
        if (found.length === 0) diagnostics.push(this.#noPlace(repair));
        edits.push(...found);
      }
    if (diagnostics.length > 0) return { diagnostics: distinct(diagnostics) };
    const placed = [...marks]
      .toSorted((a, b) => a - b)
      .map((mark) => {
        const point = this.#points[mark]!;
        return { point, fence: this.#spelling(useOf(point)) };
      });
    edits.push(...insertFencesInC(text, placed, 'lines'));
    return { text: applyEdits(text, withWholeLines(text, edits)), diagnostics };
  }

  readonly orders: OrderEditor = {
    placesOf: (thread, location) => this.placesOf(thread, location),
    rankOf: (thread, location) => {
      const mark = this.#markAt.get(locationKey(thread, location));
      return mark === undefined ? 0 : rankOf(this.#points[mark]!);
    },
    canWrite: ({ steps }, to) =>
      steps.every((part) => this.#ordered(this.#stepOf(part), to).length > 0),
    write: (changes) => this.#writeOrders(changes),
  };

  /**
   * Returns the edits that give an instruction other memory orders; empty if the text has no place
   * for memory orders.
   */
  #ordered({ instruction: { kind }, origin: { span } }: Transition, to: OrderLevel) {
    if (!span || span.source) return [];
    return editOrder(this.#c, this.#offsetOf(span), kind === 'fence' || kind === 'skip', to);
  }

  #writeOrders(changes: readonly OrderChange[]): ReturnType<OrderEditor['write']> {
    const { text, isPlus } = this.#c;
    const edits: TextEdit[] = [];
    const marks = new Map<number, MemoryOrder>();
    const diagnostics: Diagnostic[] = [];
    for (const { steps, fences, to } of changes) {
      const [step] = steps;
      const found = step ? this.#ordered(this.#stepOf(step), to) : [];
      if (step && found.length === 0) diagnostics.push(whyNoPlaceForOrders(this.#stepOf(step), to));
      edits.push(...found);
      for (const { thread, location } of fences) {
        const mark = this.#markAt.get(locationKey(thread, location));
        if (mark === undefined) continue;
        marks.set(mark, joinedOrder(marks.get(mark) ?? 'relaxed', to.order));
      }
    }
    if (diagnostics.length > 0) return { diagnostics: distinct(diagnostics) };
    const placed = [...marks]
      .toSorted(([a], [b]) => a - b)
      .map(([mark, order]) => {
        const point = this.#points[mark]!;
        return { point, fence: fenceSpelling(text, isPlus, order, noBarriers, useOf(point)) };
      });
    edits.push(...insertFencesInC(text, placed, 'lines'));
    return { text: applyEdits(text, withWholeLines(text, edits)), diagnostics };
  }

  #noPlace(repair: SourceRepair): Diagnostic {
    const { thread } = repair;
    const { transitions } = this.#program.threads[thread]!;
    const step =
      repair.kind === 'fence'
        ? transitions.find(({ from }) => from === repair.location)
        : transitions[repair.transition];
    const span = step?.origin.span;
    const offset = span && !span.source ? this.#offsetOf(span) : undefined;
    return whyNoPlace(this.#c, repair.kind, span, offset, step?.origin.calls);
  }
}

/**
 * Returns the editor of a text of C or C++. `marked` has a mark (a call without effect) at each
 * place for a fence, `program` is the program compiled from the marked text, and `barriers` are its
 * barrier functions.
 */
export function editC(
  source: string,
  marked: MarkedText,
  program: Program,
  isPlus: boolean,
  barriers: KnownBarriers = noBarriers,
): TextEditor {
  return new CEditor(source, marked, program, isPlus, barriers, false);
}
