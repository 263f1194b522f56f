import { expect, test } from 'vitest';
import { standsInText } from '../../src/program/stands-in-text.js';

test.each([
  ['std::atomic::load', true],
  ['std::__atomic_base::compare_exchange_strong', true],
  ['std::__1::__atomic_base::store', true],
  ['std::__1::__cxx_atomic_load', true],
  ['std::atomic_thread_fence', true],
  ['std::atomic_flag::test_and_set', true],
  ['std::__atomic_base::wait', true],
  ['std::__atomic_base::notify_one', false],
  ['std::mutex::lock', false],
  ['std::shared_ptr::~shared_ptr', false],
  ['std::condition_variable::wait', false],
  ['pthread_mutex_lock', false],
])('a step of %s stands in the text: %s', (libraryCall, stands) => {
  expect(standsInText({ libraryCall })).toBe(stands);
});

test('a step of no library stands in the text', () => {
  expect(standsInText({})).toBe(true);
});
