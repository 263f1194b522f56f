import type { MapId } from './access-maps.js';
import type { LocalId, Spawn, SilentStep } from './local-states.js';
import type { MemoryStep } from './perform.js';

/**
 * The role of a task in a search. `delaying` is the task `K` that a violation delays: its last
 * access, or its stores, take effect later than on a single thread. The roles `before` and `behind`
 * occur if `K` is on main. They are roles of main tasks that follow `K` in the serial order:
 * `before` tasks run before `K` in time, `behind` tasks after `K`.
 */
export type TaskRole = 'ordinary' | 'delaying' | 'before' | 'behind';

/**
 * The phase of a search: before the attack event (the event of the delayed task `K`); in the attack
 * event before `K` has stopped or ended; in the attack event after that; after the attack event.
 */
type SerialPhase = 'prefix' | 'attack' | 'delayed' | 'suffix';

/** A part of a run between two configurations that the search has stored. */
export type LogItem =
  | { readonly kind: 'start'; readonly group: number; readonly spawn: Spawn }
  /** A task begins: the first waiting task, or the handler of an event. */
  | { readonly kind: 'begin'; readonly role: TaskRole }
  | { readonly kind: 'silent'; readonly trail: readonly SilentStep[] }
  /**
   * The running task makes accesses; `isBuffered` says whether its stores go to a buffer instead of
   * memory.
   */
  | {
      readonly kind: 'perform';
      readonly steps: readonly MemoryStep[];
      readonly isBuffered: boolean;
    }
  /**
   * The task stops in the local state `at`, before an access; the access comes at the very end of
   * the run.
   */
  | { readonly kind: 'postpone'; readonly at: LocalId }
  | { readonly kind: 'end' | 'cut' | 'drop' };

/** The parts of a run so far as a linked list, whose head is the last part. */
export interface Log {
  readonly item: LogItem;
  readonly earlier: Log | undefined;
}

const roles: readonly TaskRole[] = ['ordinary', 'delaying', 'before', 'behind'];
const phases: readonly SerialPhase[] = ['prefix', 'attack', 'delayed', 'suffix'];

/**
 * The number of integers that `Config.pack` writes. They represent a state of the search, without
 * the log.
 */
export const configWords = 12;

/**
 * A configuration of a sequential search: the state of the single thread, and the remembered facts
 * about the attack event and its delayed task `K`. Numbers index the machine's tables; 0 is nothing
 * or empty.
 */
export class Config {
  memory = 0;
  /** The number of the running task's local state; 0 between two events. */
  node: LocalId = 0;
  role: TaskRole = 'ordinary';
  isMain = false;
  /** Whether the running task runs later in time than the begin of the delayed task `K`. */
  isLate = false;
  /** The tasks posted by the running task, the last one first, as the number of a list. */
  children = 0;
  /** The waiting tasks, as the number of a list; the first task of the list runs next. */
  waiting = 0;
  /**
   * For each group of instances, how many of them have not started yet; as the number of a list.
   */
  left = 0;
  phase: SerialPhase = 'prefix';
  /**
   * Whether the running event happens after the attack event (the event of the delayed task `K`),
   * judged by the conflicts so far.
   */
  isJoined = false;
  /**
   * Whether the running event has accessed a cell of the target (the delayed access or stores of
   * `K`), but does not (yet) happen after the attack event.
   */
  isTouched = false;
  /**
   * Whether the running main task has completed the violation on the condition that the task can
   * still reach its end.
   */
  isPromised = false;
  /** Whether a main task was stopped for ever before its end. */
  isCandidate = false;
  isDelayingOnMain = false;
  /** Whether main tasks may still run after the delayed task `K`. */
  mayRunBehind = false;
  /** Whether the running event has stored, or done something else that later events can notice. */
  hasEffect = false;
  /**
   * The accesses by the attack event and by the events that happen after the attack event, as the
   * number of a map.
   */
  all: MapId = 0;
  /**
   * The running event's accesses and passed milestones so far, as the number of a map. When the
   * event turns out to happen after the attack event, the contents move to `all`, and `mine` is 0.
   */
  mine: MapId = 0;
  /**
   * The accesses later in time than the begin of a delayed task `K` on main, as the number of a
   * map.
   */
  late: MapId = 0;
  /**
   * The delayed accesses of the task `K`, as a number: of a map with the access before which `K`
   * stopped, or of the list of `K`'s pending stores.
   */
  target = 0;
  /**
   * The accesses by a delayed task `K` on main and by the tasks of role `behind`, as the number of
   * a map.
   */
  own: MapId = 0;
  /** The buffered stores of the tasks of role `behind`, as the number of a list. */
  behind = 0;
  log: Log | undefined;

  copy(): Config {
    const copy = new Config();
    copy.memory = this.memory;
    copy.node = this.node;
    copy.role = this.role;
    copy.isMain = this.isMain;
    copy.isLate = this.isLate;
    copy.children = this.children;
    copy.waiting = this.waiting;
    copy.left = this.left;
    copy.phase = this.phase;
    copy.isJoined = this.isJoined;
    copy.isTouched = this.isTouched;
    copy.isPromised = this.isPromised;
    copy.isCandidate = this.isCandidate;
    copy.isDelayingOnMain = this.isDelayingOnMain;
    copy.mayRunBehind = this.mayRunBehind;
    copy.hasEffect = this.hasEffect;
    copy.all = this.all;
    copy.mine = this.mine;
    copy.late = this.late;
    copy.target = this.target;
    copy.own = this.own;
    copy.behind = this.behind;
    copy.log = this.log;
    return copy;
  }

  /** Writes the configuration, except for its log, to the start of `words`. */
  pack(words: Int32Array): void {
    words[0] = this.memory;
    words[1] = this.node;
    words[2] =
      roles.indexOf(this.role) |
      (phases.indexOf(this.phase) << 2) |
      (this.isMain ? 1 << 4 : 0) |
      (this.isLate ? 1 << 5 : 0) |
      (this.isJoined ? 1 << 6 : 0) |
      (this.isTouched ? 1 << 7 : 0) |
      (this.isPromised ? 1 << 8 : 0) |
      (this.isCandidate ? 1 << 9 : 0) |
      (this.isDelayingOnMain ? 1 << 10 : 0) |
      (this.mayRunBehind ? 1 << 11 : 0) |
      (this.hasEffect ? 1 << 12 : 0);
    words[3] = this.children;
    words[4] = this.waiting;
    words[5] = this.left;
    words[6] = this.all;
    words[7] = this.mine;
    words[8] = this.late;
    words[9] = this.target;
    words[10] = this.own;
    words[11] = this.behind;
  }

  /** Returns the configuration that `pack` has written. */
  static unpack(words: Int32Array): Config {
    const config = new Config();
    const [memory = 0, node = 0, flags = 0, children = 0, waiting = 0, left = 0] = words;
    config.memory = memory;
    config.node = node;
    config.role = roles[flags & 3] ?? 'ordinary';
    config.phase = phases[(flags >> 2) & 3] ?? 'prefix';
    const has = (bit: number): boolean => ((flags >> bit) & 1) === 1;
    config.isMain = has(4);
    config.isLate = has(5);
    config.isJoined = has(6);
    config.isTouched = has(7);
    config.isPromised = has(8);
    config.isCandidate = has(9);
    config.isDelayingOnMain = has(10);
    config.mayRunBehind = has(11);
    config.hasEffect = has(12);
    config.children = children;
    config.waiting = waiting;
    config.left = left;
    config.all = words[6] ?? 0;
    config.mine = words[7] ?? 0;
    config.late = words[8] ?? 0;
    config.target = words[9] ?? 0;
    config.own = words[10] ?? 0;
    config.behind = words[11] ?? 0;
    return config;
  }
}
