import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Diagnostic } from '@fencewright/core';
import { Checker, type CheckStatus } from '../src/checker.js';
import { openDocument } from '../src/document.js';
import type { EngineAnswer, EngineQuestion, Engine } from '../src/engine.js';

const uri = 'file:///p.fw';
const textOf = (value: number) => `program P\nvar x\nthread t { x = ${value}; }\n`;

/** An engine that answers a question only when the test says so, or when cancelled. */
class SlowEngine implements Engine {
  readonly asked: {
    readonly asked: EngineQuestion;
    readonly finish: (answer: EngineAnswer) => void;
  }[] = [];
  atOnce = 0;

  async ask(asked: EngineQuestion, signal: AbortSignal): Promise<EngineAnswer> {
    this.atOnce += 1;
    expect(this.atOnce).toBe(1);
    const answer = await new Promise<EngineAnswer>((finish) => {
      this.asked.push({ asked, finish });
      signal.addEventListener('abort', () => finish({ kind: 'stopped', reason: 'cancelled' }));
    });
    this.atOnce -= 1;
    return answer;
  }
}

function started() {
  const engine = new SlowEngine();
  const statuses: CheckStatus[] = [];
  const checker = new Checker(engine, {
    status: (status) => statuses.push(status),
    changed: () => undefined,
  });
  const edit = async (version: number, text: string): Promise<void> => {
    checker.announce(uri, version);
    checker.edit(await openDocument(uri, version, 'native', text));
  };
  return { engine, statuses, checker, edit };
}

const slow: EngineAnswer = { kind: 'stopped', reason: 'time' };

describe('checks', () => {
  it('begin after a pause, once for many edits', async () => {
    const { engine, statuses, checker, edit } = started();
    for (let version = 1; version <= 50; version++) await edit(version, textOf(version));
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1), 600_000);
    await sleep(400);
    expect(checker.checks).toBe(1);
    expect(engine.asked[0]!.asked.text).toBe(textOf(50));
    engine.asked[0]!.finish(slow);
    await vi.waitFor(() =>
      expect(statuses.at(-1)).toMatchObject({ state: 'unknown', version: 50 }),
    );
  });

  it('have the limits of the editor', async () => {
    const { engine, checker, edit } = started();
    checker.effort = 5000;
    await edit(1, textOf(1));
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1), 600_000);
    expect(engine.asked[0]!.asked.limits).toMatchObject({ effort: 5000, timeout: 5000 });
    engine.asked[0]!.finish(slow);
  });

  it('read long texts by the engine alone, when they are opened or saved', async () => {
    const { engine, checker, edit } = started();
    const long = (value: number) => `${'// long\n'.repeat(40_000)}${textOf(value)}!`;
    await edit(1, long(1));
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1), 600_000);
    const document = await openDocument(uri, 1, 'native', long(1));
    expect(document).toMatchObject({ isReadByEngine: true, diagnostics: [] });
    const diagnostics = [
      { severity: 'error', code: 'FW1001', message: 'a sign that is none' } as Diagnostic,
    ];
    engine.asked[0]!.finish({ kind: 'unread', diagnostics });
    await vi.waitFor(() => expect(checker.complete(document).diagnostics).toEqual(diagnostics));
    await edit(2, long(2));
    await sleep(400);
    expect(engine.asked).toHaveLength(1);
    checker.save(uri);
    await vi.waitFor(() => expect(engine.asked).toHaveLength(2), 600_000);
    engine.asked[1]!.finish(slow);
  });

  it('ask about a long text again, if the engine finds that it is a program of events', async () => {
    const { engine, statuses, edit } = started();
    const events = 'program E\nvar x\nevent e() { x = 1; }\nevents e() *\n';
    const { model } = await openDocument(uri, 1, 'native', events);
    expect(model?.kind).toBe('events');
    await edit(1, `${'// long\n'.repeat(40_000)}${events}`);
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1), 600_000);
    expect(engine.asked[0]!.asked.question).toMatchObject({ kind: 'check', allAttacks: true });
    const refusal = { kind: 'only-against-tso', wish: 'allAttacks' } as const;
    const result = { kind: 'refused', refusal } as const;
    engine.asked[0]!.finish({ kind: 'answer', model: model!, result, diagnostics: [] });
    await vi.waitFor(() => expect(engine.asked).toHaveLength(2), 600_000);
    expect(engine.asked[1]!.asked.question).toEqual({ kind: 'check', events: { against: 'both' } });
    engine.asked[1]!.finish(slow);
    await vi.waitFor(() => expect(statuses.at(-1)).toMatchObject({ state: 'unknown' }));
  });

  it('are cancelled by newer versions, and nothing is said of the older', async () => {
    const { engine, statuses, edit } = started();
    await edit(1, textOf(1));
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1), 600_000);
    await edit(2, textOf(2));
    const before = statuses.length;
    await vi.waitFor(() => expect(engine.asked).toHaveLength(2), 600_000);
    engine.asked[1]!.finish(slow);
    await vi.waitFor(() => expect(statuses.at(-1)!.state).toBe('unknown'));
    expect(statuses.slice(before).map(({ version }) => version)).toEqual(
      statuses.slice(before).map(() => 2),
    );
  });

  it('say nothing of a version while a newer one is being read', async () => {
    const { engine, statuses, checker, edit } = started();
    await edit(1, textOf(1));
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1), 600_000);
    checker.announce(uri, 2);
    const before = statuses.length;
    engine.asked[0]!.finish(slow);
    await sleep(50);
    expect(statuses).toHaveLength(before);
    checker.edit(await openDocument(uri, 2, 'native', `${textOf(1)}// a comment\n`));
    expect(statuses.at(-1)).toMatchObject({ state: 'unknown', version: 2 });
  });

  it('that begin while a newer version is being read are told of as its own', async () => {
    const { engine, statuses, checker, edit } = started();
    await edit(1, textOf(1));
    checker.announce(uri, 2);
    const before = statuses.length;
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1), 600_000);
    expect(statuses).toHaveLength(before);
    checker.edit(await openDocument(uri, 2, 'native', `${textOf(1)}// a comment\n`));
    engine.asked[0]!.finish(slow);
    await vi.waitFor(() => expect(statuses.at(-1)).toMatchObject({ state: 'unknown', version: 2 }));
  });

  it('are kept where only comments change, and dropped at once where words do', async () => {
    const { engine, statuses, checker, edit } = started();
    await edit(1, textOf(1));
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1), 600_000);
    engine.asked[0]!.finish(slow);
    await vi.waitFor(() => expect(checker.findings(uri)).toBeDefined());
    await edit(2, `// more\n${textOf(1)}`);
    expect(checker.findings(uri)).toBeDefined();
    expect(statuses.at(-1)).toMatchObject({ state: 'unknown', version: 2 });
    await edit(3, textOf(2));
    expect(checker.findings(uri)).toBeUndefined();
    expect(statuses.at(-1)).toMatchObject({ state: 'stale', version: 3 });
  });

  it('wait for the user where that is wanted', async () => {
    const { engine, checker, edit } = started();
    checker.mode = 'manual';
    await edit(1, textOf(1));
    await sleep(500);
    expect(engine.asked).toHaveLength(0);
    checker.check(uri);
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1));
  });
});

describe('other questions', () => {
  const explain = { kind: 'explain' } as const;

  it('end once the text means something else, and not before', async () => {
    const { engine, checker, edit } = started();
    checker.mode = 'manual';
    await edit(1, textOf(1));
    const first = await openDocument(uri, 1, 'native', textOf(1));
    const answer = checker.ask(first, explain, 600_000);
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1));
    await edit(2, `// more\n${textOf(1)}`);
    await sleep(20);
    expect(engine.atOnce).toBe(1);
    await edit(3, textOf(2));
    expect(await answer).toEqual({ kind: 'stopped', reason: 'cancelled' });
    // A closed text causes no questions to the engine.
    expect(await checker.ask(first, explain)).toEqual({ kind: 'stopped', reason: 'cancelled' });
    expect(engine.asked).toHaveLength(1);
  });

  it('end with their text', async () => {
    const { engine, checker, edit } = started();
    checker.mode = 'manual';
    await edit(1, textOf(1));
    const answer = checker.ask(await openDocument(uri, 1, 'native', textOf(1)), explain, 600_000);
    await vi.waitFor(() => expect(engine.asked).toHaveLength(1));
    checker.close(uri);
    expect(await answer).toEqual({ kind: 'stopped', reason: 'cancelled' });
  });
});
