import {
  AutomatonBuilder,
  type Marks,
  type DraftLocation,
} from '@fencewright/model/program/automaton-builder.js';
import type { EventInstruction } from '@fencewright/model/program/event-program.js';
import type { Thread } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Gap, ControlMove, TextFlow, TextLabel } from './text-flow.js';

/**
 * Returns the suffix of the `n`-th location that belongs to one line, for names such as `L12b`,
 * ..., `L12z`, `L12_27`.
 */
function letterOrNumber(n: number): string {
  return 'abcdefghijklmnopqrstuvwxyz'[n - 1] ?? `_${n}`;
}

/** Builds the automaton of a structured body, and notes how control runs through the text. */
export class ThreadBuilder extends AutomatonBuilder<EventInstruction> {
  /** The moves of control between points of the text that are one location. */
  readonly #moves: ControlMove[] = [];
  readonly #labels = new Map<string, TextLabel>();
  /** For each labelled statement that is being lowered, where its instructions start. */
  readonly #open: DraftLocation[][] = [];
  readonly #awaits: DraftLocation[] = [];

  constructor(name: string) {
    super(name, { order: 'used', suffix: letterOrNumber });
  }

  override location(span: Span, label?: string): DraftLocation {
    const point = super.location(span, label);
    if (label !== undefined) this.#labels.set(label, { point, starts: [] });
    return point;
  }

  /**
   * Runs `lower`, which lowers the statement of a label, and notes the points at which the
   * instructions emitted by `lower` start.
   */
  lowerLabelled(label: string, lower: () => void): void {
    const starts: DraftLocation[] = [];
    this.#open.push(starts);
    lower();
    this.#open.pop();
    const known = this.#labels.get(label);
    if (known) this.#labels.set(label, { ...known, starts });
  }

  override emit(...instruction: Parameters<AutomatonBuilder<EventInstruction>['emit']>): void {
    for (const starts of this.#open) starts.push(instruction[0]);
    super.emit(...instruction);
  }

  /**
   * Returns a new point after the gap, reached from `from` without an instruction: both become one
   * location.
   */
  pointBehind(gap: Gap, from: DraftLocation): DraftLocation {
    const point = this.locationLike(from);
    this.#moves.push({ from, to: point, gap });
    return point;
  }

  /**
   * Returns a new point before the gap, which leads to `to` without an instruction: both become one
   * location.
   */
  pointBefore(gap: Gap, to: DraftLocation): DraftLocation {
    const point = this.locationLike(to);
    this.#moves.push({ from: point, to, gap });
    return point;
  }

  /** Notes that an `await` starts at the point, to which all its iterations lead back. */
  awaitAt(point: DraftLocation): void {
    this.pin(point);
    this.#awaits.push(point);
  }

  /** Makes control continue at `to` from `from`, without an instruction in between. */
  jump(from: DraftLocation, to: DraftLocation, span: Span): void {
    if (this.join(from, to, span)) this.#moves.push({ from, to });
  }

  /**
   * Makes control enter the branch at `branch` from `from`: by merging the points if possible,
   * otherwise by a `skip`.
   */
  adopt(branch: DraftLocation, from: DraftLocation, span: Span, marks: Marks): void {
    if (this.isPinned(branch) || this.isSame(branch, from))
      this.emit(from, branch, { kind: 'skip' }, span, marks);
    else {
      this.#moves.push({ from, to: branch });
      this.join(branch, from, span);
    }
  }

  /** Returns the finished thread, and the control flow through its text. */
  finish(
    initial: DraftLocation,
    end: DraftLocation,
  ): { readonly thread: Thread<EventInstruction>; readonly flow: TextFlow } {
    const thread = this.build(initial);
    const { ends } = this;
    const flow: TextFlow = {
      moves: this.#moves,
      entries: [initial, ...ends.map(({ to }) => to)],
      awaits: this.#awaits,
      labels: this.#labels,
      end,
      exits: ends.map(({ from }) => from),
      locationOf: (point) => this.idOf(point),
    };
    return { thread, flow };
  }
}
