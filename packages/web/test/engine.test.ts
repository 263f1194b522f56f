import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CheckRunner, type WorkerThread } from '../src/engine.js';
import type { TextQuestion, WorkerOrder, ResultPart } from '../src/messages.js';

/** A worker thread that answers as the test says. */
class Actor implements WorkerThread {
  readonly orders: WorkerOrder[] = [];
  isTerminated = false;
  onmessage: WorkerThread['onmessage'] = null;
  onerror: WorkerThread['onerror'] = null;

  postMessage(order: WorkerOrder): void {
    this.orders.push(order);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  says(run: number, part: ResultPart): void {
    this.onmessage?.({ data: { run, part } });
  }
}

const ask = (text: string): TextQuestion => ({ file: 'a.fw', format: 'native', text, timeout: 1 });
const ended: ResultPart = { kind: 'ended', by: 'itself' };
const progress: ResultPart = { kind: 'progress', states: 1, bytes: 2 };

let actors: Actor[] = [];
let told: ResultPart[] = [];
let engine: CheckRunner;

beforeEach(() => {
  vi.useFakeTimers();
  [actors, told] = [[], []];
  engine = new CheckRunner(
    () => {
      actors.push(new Actor());
      return actors.at(-1)!;
    },
    (part) => told.push(part),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the engine', () => {
  test('tells what its thread says, until the run has ended', () => {
    engine.ask(ask('x'));
    actors[0]!.says(1, progress);
    actors[0]!.says(1, ended);
    actors[0]!.says(1, progress);
    expect(told).toEqual([progress, ended]);
    expect(engine.isRunning).toBe(false);
    expect(actors).toHaveLength(1);
  });

  describe('with a run that the thread has begun', () => {
    const beginning = (asked: TextQuestion, ...parts: ResultPart[]): Actor => {
      const actor = Object.assign(new Actor(), {
        begun: { asked, reports: parts.map((part) => ({ run: 1, part })) },
      });
      engine = new CheckRunner(
        () => actor,
        (part) => told.push(part),
      );
      return actor;
    };

    test('takes it over for the same question, with what was said before', () => {
      const actor = beginning(ask('x'), progress);
      engine.ask(ask('x'));
      expect([told, actor.orders]).toEqual([[progress], []]);
      actor.says(1, ended);
      expect(told).toEqual([progress, ended]);
      engine.ask(ask('x'));
      expect(actor.orders).toEqual([{ kind: 'ask', run: 2, asked: ask('x') }]);
      actor.says(1, progress);
      expect(told).toHaveLength(2);
    });

    test.each([ask('y'), { ...ask('x'), timeout: 2 }, { ...ask('x'), format: 'litmus' } as const])(
      'drops it for another question: %j',
      (other) => {
        const actor = beginning(ask('x'), progress, ended);
        engine.ask(other);
        expect(actor.orders).toEqual([{ kind: 'ask', run: 2, asked: other }]);
        actor.says(1, progress);
        expect(told).toEqual([]);
        actor.says(2, ended);
        expect(told).toEqual([ended]);
      },
    );
  });

  test('drops what is said of a text that has changed', () => {
    engine.ask(ask('x'));
    engine.ask(ask('y'));
    expect(actors[0]!.orders.map(({ kind, run }) => [kind, run])).toEqual([
      ['ask', 1],
      ['stop', 1],
      ['ask', 2],
    ]);
    actors[0]!.says(1, progress);
    actors[0]!.says(1, { kind: 'ended', by: 'stopped' });
    expect(told).toEqual([]);
    actors[0]!.says(2, progress);
    expect(told).toEqual([progress]);
  });

  test('says nothing of a run that was forgotten', () => {
    engine.ask(ask('x'));
    engine.forget();
    actors[0]!.says(1, progress);
    actors[0]!.says(1, ended);
    vi.advanceTimersByTime(5000);
    expect(told).toEqual([]);
    expect(actors[0]!.isTerminated).toBe(false);
  });

  test('stops within half a second where its thread does not listen', () => {
    engine.ask(ask('x'));
    engine.stop();
    vi.advanceTimersByTime(500);
    expect(told).toEqual([{ kind: 'ended', by: 'stopped' }]);
    expect(actors[0]!.isTerminated).toBe(true);
    engine.ask(ask('y'));
    expect(actors).toHaveLength(2);
    actors[0]!.says(2, progress);
    expect(told).toHaveLength(1);
    actors[1]!.says(2, progress);
    expect(told).toHaveLength(2);
  });

  test('keeps a thread that stops by itself', () => {
    engine.ask(ask('x'));
    engine.stop();
    actors[0]!.says(1, { kind: 'ended', by: 'stopped' });
    vi.advanceTimersByTime(5000);
    expect(told).toEqual([{ kind: 'ended', by: 'stopped' }]);
    expect(actors[0]!.isTerminated).toBe(false);
  });

  test('asks again what waited behind a run that would not end', () => {
    engine.ask(ask('x'));
    engine.ask(ask('y'));
    vi.advanceTimersByTime(500);
    expect(actors[0]!.isTerminated).toBe(true);
    expect(actors[1]!.orders).toEqual([{ kind: 'ask', run: 2, asked: ask('y') }]);
    actors[1]!.says(2, ended);
    expect(told).toEqual([ended]);
  });

  test('says so where its thread cannot be started, and tries anew', () => {
    engine.ask(ask('x'));
    actors[0]!.onerror?.({ message: 'no such script' });
    expect(told).toEqual([{ kind: 'failed', message: 'no such script' }]);
    engine.ask(ask('y'));
    expect(actors).toHaveLength(2);
  });
});
