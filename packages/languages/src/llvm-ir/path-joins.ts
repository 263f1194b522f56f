import type { GraphWriter, RegisterAssignment } from './graph-writer.js';
import type { LoweringState } from './lowering-state.js';
import { keepFirst, type OpenLoops } from './open-loops.js';
import type { PathMeeting } from './pending-paths.js';
import type { JoinPoint, ShapeTable } from './shape-table.js';
import type { StepNode } from './step.js';

/** The points of a thread's graph where paths have met. */
export class PathJoins {
  readonly #heads = new Map<string, StepNode>();
  #areWrong = false;

  constructor(
    readonly writer: GraphWriter,
    readonly shapes: ShapeTable,
    readonly loops: OpenLoops,
  ) {}

  /** Whether shapes have changed at a point with code left unchanged in this pass. */
  get areWrong(): boolean {
    return this.#areWrong;
  }

  mark(): () => void {
    const { size } = this.#heads;
    return () => {
      keepFirst(this.#heads, size);
    };
  }

  /**
   * Joins paths that meet. Returns the state and the node at which the joined path continues;
   * `undefined` if the code after the meeting is lowered already. `isUnrolled` has the meaning that
   * it has in `keyOf` of the shapes.
   */
  join(
    meeting: PathMeeting,
    isUnrolled: boolean,
  ): { readonly state: LoweringState; readonly node: StepNode } | undefined {
    const { key, isBlockStart, arrivals } = meeting;
    const { shapes, writer } = this;
    const known = this.#heads.get(key);
    const head = known ?? this.#newHead(meeting, isUnrolled);
    const states = arrivals.map(({ state }) => state);
    const points =
      known === undefined
        ? shapes.meetAll(key, states, isBlockStart, isUnrolled)
        : this.#meetLater(known, meeting, isUnrolled);
    const next = arrivals.map(({ node, origin }, i) => {
      const moves: RegisterAssignment[] = [];
      const state = points[i]!.apply((name, shown, value) => {
        const joined = writer.joined(name, shown, value);
        moves.push(...joined.moves);
        return joined.value;
      });
      writer.emit(writer.moveAll(node, moves, origin), head, { kind: 'skip' }, origin);
      return state;
    });
    if (known !== undefined) return undefined;
    this.#heads.set(key, head);
    return { state: next[0]!, node: head };
  }

  /**
   * Joins paths that reach a head whose code is lowered already. The code is lowered again if the
   * paths change the shapes at the head.
   */
  #meetLater(
    head: StepNode,
    { key, isBlockStart, arrivals }: PathMeeting,
    isUnrolled: boolean,
  ): readonly JoinPoint[] {
    const states = arrivals.map(({ state }) => state);
    const { points, areNew } = this.shapes.meetLater(key, states, isBlockStart, isUnrolled);
    if (areNew && !this.loops.noteChange(head)) this.#areWrong = true;
    return points;
  }

  #newHead(meeting: PathMeeting, isUnrolled: boolean): StepNode {
    const newNode = (): StepNode => this.writer.node();
    return isUnrolled ? newNode() : this.loops.open(meeting, newNode);
  }
}
