import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { Config, TaskRole } from './config.js';
import type { Footprint } from './footprints.js';
import type { LocalOptions } from './local-states.js';
import type { PerformedAccess } from './perform.js';
import { SerialMachine, type SerialReductions } from './serial-machine.js';

/**
 * The search for violations of robustness against concurrency. The runs are runs of a single thread
 * on which tasks may stop early. One task `K` of one event, the attack event, stops before an
 * access that is done last of all. The run is a violation if a conflicting access to the same cell
 * is made by a later task of the attack event, or by an event that the attack event leads to by
 * conflicts. `target` is a map that has the access of `K`.
 */
export class LateAction extends SerialMachine {
  constructor(
    program: EventProgram,
    options: Pick<LocalOptions, 'depth'>,
    reductions: SerialReductions,
  ) {
    super(program, { fences: false, postingFenced: false, ...options }, reductions);
  }

  protected override roles(config: Config): readonly TaskRole[] {
    if (!config.isMain) return ['ordinary'];
    if (config.phase === 'attack') return this.attackRoles(config);
    if (!config.isDelayingOnMain) return ['ordinary'];
    // A stopped task occupies main for ever, so main tasks later in the serial order must have run
    // before.
    return config.isLate ? [] : ['before'];
  }

  protected override atEnd(config: Config): boolean {
    if (config.isPromised) this.sink.violate(config);
    return !config.isPromised && config.role !== 'delaying';
  }

  protected override atStop(config: Config): boolean {
    if (config.role === 'delaying' || config.isPromised) return false;
    return !config.isMain || this.takeMain(config);
  }

  protected override targetLevels({ target }: Config): readonly number[] {
    return this.maps.levels(target);
  }

  protected override forget(config: Config, footprint: Footprint): void {
    config.all = this.noticed(this.maps.levels(config.all), footprint);
    config.late = this.noticed(this.maps.levels(config.late), footprint);
    config.target = this.noticed(this.maps.levels(config.target), footprint);
  }

  protected override steps(config: Config): void {
    const outcomes = this.performed(config);
    const { isMain, role, phase } = config;
    if (phase === 'attack' && isMain === (role === 'delaying'))
      for (const outcome of outcomes) this.#postpone(config, outcome);
    if (role !== 'delaying' && (!isMain || this.isHopeless(config, outcomes)))
      this.stop(config.copy());
    for (const outcome of outcomes) {
      const next = config.copy();
      if (!outcome.isComplete) continue;
      this.note(next, { kind: 'perform', steps: outcome.steps, isBuffered: false });
      if (!this.#account(next, outcome)) continue;
      this.notePassed(next, outcome.passed);
      this.write(next, outcome.writes);
      this.settle(next, outcome.state);
    }
  }

  /** Makes the running task the delayed task `K`, which stops before the access in `performed`. */
  #postpone(config: Config, { accesses }: PerformedAccess): void {
    if (accesses.length === 0) return;
    const next = config.copy();
    next.target = this.maps.add(0, accesses);
    next.phase = 'delayed';
    next.isDelayingOnMain = config.isMain;
    if (!this.canMeetTarget(next)) return;
    this.note(next, { kind: 'postpone', at: config.node });
    next.role = 'ordinary';
    // `K` has not ended, but only the postponed access is still to come.
    next.isMain = false;
    this.stop(next);
  }

  /**
   * Records accesses of the running task; returns whether the search goes on with the
   * configuration.
   */
  #account(config: Config, { accesses }: PerformedAccess): boolean {
    const { maps } = this;
    if (config.phase === 'prefix') return true;
    if (config.phase === 'attack') {
      config.all = maps.add(config.all, accesses);
      if (config.role === 'delaying') config.late = maps.add(config.late, accesses);
      return true;
    }
    if (config.isDelayingOnMain) {
      const isBehind = config.isLate || maps.conflicts(config.late, accesses);
      if (isBehind && config.isMain) return false;
      config.isLate = isBehind;
      if (isBehind) config.late = maps.add(config.late, accesses);
    }
    if (!config.isJoined && maps.conflicts(config.all, accesses)) {
      config.isJoined = true;
      this.setAll(config, maps.union(config.all, config.mine));
      config.mine = 0;
    }
    if (config.isJoined) this.setAll(config, maps.add(config.all, accesses));
    else config.mine = maps.add(config.mine, accesses);
    if (maps.conflicts(config.target, accesses)) config.isTouched = true;
    if (!config.isTouched || !config.isJoined) return true;
    if (config.isDelayingOnMain && config.isMain) {
      config.isPromised = true;
      return true;
    }
    this.sink.violate(config);
    return false;
  }
}
