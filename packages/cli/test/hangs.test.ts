import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from 'sarif';
import { expect, test, vi } from 'vitest';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';
import { LanguageClient } from './language-client.js';

/**
 * A lost wake-up: under TSO, both threads may load before the store of the other reaches memory.
 * Then the sleeper sleeps and nobody posts. Under SC, the later load returns the other's store.
 */
const lost = `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static atomic_int work, asleep;
static sem_t kick;
static void *sleeper(void *unused) {
  atomic_store_explicit(&asleep, 1, memory_order_relaxed);
  if (!atomic_load_explicit(&work, memory_order_relaxed))
    sem_wait(&kick);
  return 0;
}
static void *waker(void *unused) {
  atomic_store_explicit(&work, 1, memory_order_relaxed);
  if (atomic_load_explicit(&asleep, memory_order_relaxed))
    sem_post(&kick);
  return 0;
}
int main(void) {
  pthread_t s, w;
  sem_init(&kick, 0, 0);
  pthread_create(&s, 0, sleeper, 0);
  pthread_create(&w, 0, waker, 0);
  pthread_join(s, 0);
  pthread_join(w, 0);
}
`;

const waiting = 'sleeper waits for ever at line 9, in sem_wait, where kick = 0';
const sentence = `${waiting}: TSO lets it, no execution without store buffers does`;
const late = 'the store of sleeper to asleep, line 7, is late';

const file = 'lost.c';

async function outputOf(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await fencewright([...args, file], {
    cwd: await folderWith({ [file]: lost }),
  });
  expect(code, stderr).toBe(10);
  return stdout;
}

test('the explanation of a wait for ever advises the fences against the wait', async () => {
  const { stdout } = await fencewright([file], { cwd: await folderWith({ [file]: lost }) });
  expect(stdout).toContain('hint: fencewright explain --answers lost.c shows how; ');
  const explained = await outputOf('explain', '--answers');
  expect(explained).toContain(
    '\n  hint: fencewright fence --for progress lost.c finds the cheapest fences against it',
  );
  expect(explained).toContain('\nHow sleeper waits for ever\n');
});

test('the answer comes first, with the fences that help', async () => {
  for (const verb of [[], ['check', '--answers']]) {
    const lines = (await outputOf(...verb)).split('\n');
    expect(lines[0]).toBe(`${file} can hang on x86: ${waiting}`);
    expect(lines[2]).toContain('fencewright fence --for progress lost.c');
  }
});

test('a late store, and the load before it, are named by the cells that they reach', async () => {
  const cwd = await folderWith({
    'a.fw': `program Slots
var seen[2], asleep, signal
thread waiter {
  local w, i;
  asleep = 1;
  i = 1;
  w = seen[i];
  if (w == 0) { do { w = signal; } while (w == 0); }
}
thread waker {
  local a, i;
  i = 1;
  seen[i] = 1;
  a = asleep;
  if (a != 0) signal = 1;
}
`,
  });
  const { stdout } = await fencewright(['reach', 'a.fw'], { cwd });
  expect(stdout).toMatch(/the store of waiter to asleep, .* waiter has read seen\[1\] at step/);
});

test('reach says who waits where, for what, and which store is late', async () => {
  const text = await outputOf('reach');
  expect(text).toContain(`  hangs: ${sentence}\n`);
  expect(text).toContain(`    ${late}`);
  const found = JSON.parse(await outputOf('reach', '--json')) as {
    readonly results: readonly { readonly answer: unknown }[];
  };
  expect(found.results[0]!.answer).toMatchObject({
    ...{ kind: 'hangs', text: sentence },
    hangs: [
      {
        ...{ threads: ['sleeper'], together: false },
        waiting: [
          {
            ...{ thread: 'sleeper', kind: 'waits', line: 9, function: 'sem_wait' },
            reads: [{ cell: 'kick', value: 0 }],
          },
        ],
      },
    ],
  });
  expect(await outputOf('reach', '--report', 'html=-', '--quiet')).toContain(`${waiting}.`);
});

test('a build is told: SARIF at the place of the wait, Markdown and JUnit in the first words', async () => {
  const report = (format: string): Promise<string> =>
    outputOf('check', '--fail-on', 'hangs', '--report', `${format}=-`, '--quiet');
  const log = JSON.parse(await report('sarif')) as Log;
  const result = log.runs[0]!.results!.find(({ ruleId }) => ruleId === 'hangs')!;
  expect(result.level).toBe('error');
  expect(result.message.text).toBe(`Can hang on x86: ${waiting}.`);
  expect(result.locations![0]!.physicalLocation!.region!.startLine).toBe(9);
  const [store, ...others] = result.relatedLocations!;
  expect(others).toEqual([]);
  expect(store!.physicalLocation!.region!.startLine).toBe(7);
  expect(store!.message!.text).toContain(late);
  expect(await report('junit')).toContain(`message="can hang on x86: ${waiting}; not robust: `);
  // Markdown's signs are escaped.
  expect(await report('markdown')).toContain(
    '| can hang on x86: sleeper waits for ever at line 9, in sem\\_wait, where kick = 0; not robust: ',
  );
});

test('a wait of C++ has its public name', async () => {
  const text = `#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable_any c;
int main() {
  std::thread t([] { std::unique_lock<std::mutex> l(m); c.wait(l); });
  std::thread u([] { c.notify_one(); });
  t.join(); u.join();
}
`;
  const run = await fencewright(['a.cpp'], { cwd: await folderWith({ 'a.cpp': text }) });
  expect(run.stdout.split('\n')[0]).toContain(
    'waits for ever at line 7, in std::condition_variable_any::wait',
  );
});

test('the editor marks the wait, and names the late store', async () => {
  const folder = await folderWith({ [file]: lost });
  const uri = pathToFileURL(path.join(folder, file)).href;
  const client = await LanguageClient.start();
  await client.open(uri, await readFile(path.join(folder, file), 'utf8'), 'c');
  const hang = () => client.diagnostics(uri).find(({ code }) => code === 'hangs');
  await vi.waitFor(() => expect(hang()).toBeDefined(), 600_000);
  expect(hang()).toMatchObject({ message: sentence, range: { start: { line: 8 } } });
  expect(hang()!.relatedInformation).toMatchObject([
    {
      message: expect.stringContaining(late) as string,
      location: { range: { start: { line: 6 } } },
    },
  ]);
});
