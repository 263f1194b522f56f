import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { reach } from '../../../core/src/api/reach.js';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { allClangs, folderOfTests, shipped } from '../../../core/test/node/clang/clangs.js';

/*
 * Tests which threads wait for ever, under TSO only and under SC, with the waiting functions of
 * Linux, libstdc++ and the kernel. Each test name argues by hand how the program behaves.
 */

const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const folder = folderOfTests();

interface Case {
  readonly name: string;
  readonly language: 'c' | 'cpp' | 'kernel';
  readonly declared?: string;
  readonly bodies: Readonly<Record<string, string>>;
  readonly tso?: readonly string[];
  readonly sc?: readonly string[];
}

const headersOf = {
  c: [
    ...['linux/futex.h', 'pthread.h', 'stdatomic.h', 'stddef.h', 'synchapi.h'],
    ...['sys/eventfd.h', 'sys/syscall.h', 'unistd.h'],
  ],
  cpp: ['atomic', 'barrier', 'latch', 'pthread.h', 'semaphore'],
  kernel: ['linux/completion.h', 'linux/wait.h', 'pthread.h'],
};

function textOf({ language, declared = '', bodies }: Case): string {
  const names = Object.keys(bodies);
  const each = (line: (name: string) => string): string => names.map(line).join('\n');
  return `${headersOf[language].map((header) => `#include <${header}>`).join('\n')}
#define SLEEP(value) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, 0)
#define WAKE(number) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, number)
${declared}
${each((name) => `static void *${name}(void *unused) {\n${bodies[name]!}\nreturn 0;\n}`)}
int main(void) {
${each((name) => `pthread_t t_${name}; pthread_create(&t_${name}, 0, ${name}, 0);`)}
${each((name) => `pthread_join(t_${name}, 0);`)}
}
`;
}

async function waitersOf(each: Case) {
  const file = each.language === 'cpp' ? 'program.cpp' : 'program.c';
  await writeFile(path.join(folder, file), textOf(each));
  const compiled = await compileC(clang!, [{ file }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const { model, diagnostics } = parseLlvmIr(compiled.modules, { main: file });
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  const { hangs } = await reach(program);
  if (hangs.kind !== 'found') throw new Error(JSON.stringify(hangs));
  const named = (threads: readonly number[]): readonly string[] =>
    threads.map((thread) => program.threads[thread]!.name).toSorted();
  return {
    tso: named(hangs.hangs.flatMap(({ threads }) => threads)),
    sc: named(hangs.underSc?.map(({ thread }) => thread) ?? []),
  };
}

const futex = 'static atomic_int word, sleepers;';
const event = (count: number | string, flags = '0'): string => `static int event, other;
static atomic_int word, sleepers;
__attribute__((constructor)) static void open_all(void) {
  event = eventfd(0, ${flags}); other = eventfd(0, EFD_NONBLOCK);
  eventfd_write(event, ${count});
}`;
const take = 'eventfd_t count; read(event, &count, sizeof count);';
const lookAndWrite =
  'if (atomic_load_explicit(&sleepers, memory_order_relaxed)) eventfd_write(event, 1);';
const addressWait = (time: string): string =>
  `int zero = 0; WaitOnAddress(&word, &zero, sizeof zero, ${time});`;
const queue = 'static DECLARE_WAIT_QUEUE_HEAD(queue); static int is_done;';

const cases: readonly Case[] = [
  {
    name: 'a wake orders, so a store before it is seen',
    language: 'c',
    declared: futex,
    bodies: {
      waiter: 'while (word == 0) SLEEP(0);',
      waker: 'atomic_store_explicit(&word, 1, memory_order_release); WAKE(1);',
    },
  },
  {
    name: 'a look whether anybody sleeps does not order',
    language: 'c',
    declared: futex,
    bodies: {
      waiter: 'sleepers++; while (word == 0) SLEEP(0);',
      waker: 'atomic_store_explicit(&word, 1, memory_order_release); if (sleepers) WAKE(1);',
    },
    tso: ['waiter'],
  },
  {
    name: 'a wake of one leaves the other asleep',
    language: 'c',
    declared: futex,
    bodies: {
      a: 'while (word == 0) SLEEP(0);',
      b: 'while (word == 0) SLEEP(0);',
      waker: 'word = 1; WAKE(1);',
    },
    sc: ['a', 'b'],
  },
  {
    name: 'a wake of two wakes both',
    language: 'c',
    declared: futex,
    bodies: {
      a: 'while (word == 0) SLEEP(0);',
      b: 'while (word == 0) SLEEP(0);',
      waker: 'word = 1; WAKE(2);',
    },
  },
  {
    name: 'a wake of none wakes one',
    language: 'c',
    declared: futex,
    bodies: { waiter: 'while (word == 0) SLEEP(0);', waker: 'word = 1; WAKE(0);' },
  },
  {
    name: 'who expects another value does not sleep',
    language: 'c',
    declared: futex,
    bodies: { waiter: 'SLEEP(7);' },
  },
  {
    name: 'a futex that nobody wakes',
    language: 'c',
    declared: futex,
    bodies: { waiter: 'SLEEP(0);', other: 'word = 1;' },
    sc: ['waiter'],
  },
  {
    name: 'a look whether anybody reads the eventfd does not order',
    language: 'c',
    declared: event(0),
    bodies: {
      waiter: `sleepers++; if (word == 0) { ${take} }`,
      waker: `atomic_store_explicit(&word, 1, memory_order_release); ${lookAndWrite}`,
    },
    tso: ['waiter'],
  },
  {
    name: 'a read of an eventfd that finds nothing takes the lock, which orders',
    language: 'c',
    declared: event(0),
    bodies: {
      waiter: `sleepers++; if (word == 0) { ${take} }`,
      waker: `eventfd_t none; atomic_store_explicit(&word, 1, memory_order_release);
        read(other, &none, sizeof none); ${lookAndWrite}`,
    },
  },
  {
    name: 'a read of an eventfd takes all of it',
    language: 'c',
    declared: event(2),
    bodies: { a: take, b: take },
    sc: ['a', 'b'],
  },
  {
    name: 'a read of an eventfd that is a semaphore takes one',
    language: 'c',
    declared: event(2, 'EFD_SEMAPHORE'),
    bodies: { a: take, b: take },
  },
  {
    name: 'an eventfd that is full lets nobody write',
    language: 'c',
    declared: event('~0ul - 1'),
    bodies: { writer: 'eventfd_write(event, 1);', idler: 'word = 1;' },
    sc: ['writer'],
  },
  {
    name: 'an eventfd that does not block lets nobody wait',
    language: 'c',
    declared: event(0, 'EFD_NONBLOCK'),
    bodies: { a: take, b: take },
  },
  {
    name: 'a wake by address takes a lock, so a store before it is seen',
    language: 'c',
    declared: futex,
    bodies: {
      waiter: `while (word == 0) { ${addressWait('INFINITE')} }`,
      waker: 'atomic_store_explicit(&word, 1, memory_order_release); WakeByAddressSingle(&word);',
    },
  },
  {
    name: 'a wake by address of one leaves the other asleep',
    language: 'c',
    declared: futex,
    bodies: {
      a: `while (word == 0) { ${addressWait('INFINITE')} }`,
      b: `while (word == 0) { ${addressWait('INFINITE')} }`,
      waker: 'word = 1; WakeByAddressSingle(&word);',
    },
    sc: ['a', 'b'],
  },
  {
    name: 'a wake by address of all wakes both',
    language: 'c',
    declared: futex,
    bodies: {
      a: `while (word == 0) { ${addressWait('INFINITE')} }`,
      b: `while (word == 0) { ${addressWait('INFINITE')} }`,
      waker: 'word = 1; WakeByAddressAll(&word);',
    },
  },
  {
    name: 'an address at which nobody wakes: that the wait may end by chance counts for nothing',
    language: 'c',
    declared: futex,
    bodies: { waiter: addressWait('INFINITE'), other: 'sleepers = 1;' },
    sc: ['waiter'],
  },
  {
    name: 'an address that is waited for with a time-out',
    language: 'c',
    declared: futex,
    bodies: { waiter: addressWait('5'), other: 'sleepers = 1;' },
  },
  {
    name: 'notify_one loads its count behind a release store, without a fence',
    language: 'cpp',
    declared: 'static std::atomic<int> told;',
    bodies: {
      listener: 'told.wait(0);',
      teller: 'told.store(1, std::memory_order_release); told.notify_one();',
    },
    tso: ['listener'],
  },
  {
    name: 'a store with the strongest order is enough',
    language: 'cpp',
    declared: 'static std::atomic<int> told;',
    bodies: { listener: 'told.wait(0);', teller: 'told.store(1); told.notify_one();' },
  },
  {
    name: 'notify of a bool counts up first, which orders',
    language: 'cpp',
    declared: 'static std::atomic<bool> told;',
    bodies: {
      listener: 'told.wait(false);',
      teller: 'told.store(true, std::memory_order_release); told.notify_one();',
    },
  },
  {
    name: 'a latch lets all go',
    language: 'cpp',
    declared: 'static std::latch start(1);',
    bodies: { a: 'start.wait();', b: 'start.count_down();' },
  },
  {
    name: 'waitqueue_active has no barrier',
    language: 'kernel',
    declared: queue,
    bodies: {
      waiter: 'wait_event(queue, READ_ONCE(is_done));',
      waker: 'WRITE_ONCE(is_done, 1); if (waitqueue_active(&queue)) wake_up(&queue);',
    },
    tso: ['waiter'],
  },
  {
    name: 'wake_up takes the lock of the queue',
    language: 'kernel',
    declared: queue,
    bodies: {
      waiter: 'wait_event(queue, READ_ONCE(is_done));',
      waker: 'WRITE_ONCE(is_done, 1); wake_up(&queue);',
    },
  },
  {
    name: 'a state that is set without a barrier loses the wake-up',
    language: 'kernel',
    declared: queue,
    bodies: {
      waiter: `__set_current_state(TASK_UNINTERRUPTIBLE);
        if (!READ_ONCE(is_done)) schedule();
        __set_current_state(TASK_RUNNING);`,
      waker: 'WRITE_ONCE(is_done, 1); wake_up_process(&fw_tasks[1]);',
    },
    tso: ['waiter'],
  },
  {
    name: 'set_current_state is an exchange',
    language: 'kernel',
    declared: queue,
    bodies: {
      waiter: `set_current_state(TASK_UNINTERRUPTIBLE);
        if (!READ_ONCE(is_done)) schedule();
        __set_current_state(TASK_RUNNING);`,
      waker: 'WRITE_ONCE(is_done, 1); wake_up_process(&fw_tasks[1]);',
    },
  },
  {
    name: 'a completion is counted',
    language: 'kernel',
    declared: 'static DECLARE_COMPLETION(done);',
    bodies: { waiter: 'wait_for_completion(&done);', other: 'complete(&done);' },
  },
];

describe.skipIf(!clang)('who sleeps for ever', () => {
  test.each(cases)('$language: $name', async (each) => {
    expect(await waitersOf(each)).toEqual({ tso: each.tso ?? [], sc: each.sc ?? [] });
  });
});
