import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { allClangs, freshFolder } from '../../../core/test/node/clang/clangs.js';

/*
 * Tests the models of functions in libstdc++'s binary: they are compiled and linked in place of the
 * binary's functions, the machine's headers use them, and the contents of containers are compared
 * with arrays.
 */

const models = fileURLToPath(new URL('../../c/', import.meta.url));
const clang = (await allClangs()).find(({ kind }) => kind === 'native');

const header = `#include <stddef.h>
#include <stdlib.h>
static void __fencewright_refuse(const char *text) { abort(); }
static void __fencewright_limit(const char *text) { abort(); }
`;

const trees = `
#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>
int main() {
  std::srand(1);
  for (int turn = 0; turn < 20000; turn++) {
    std::set<int> tree;
    std::vector<int> list;
    for (int left = std::rand() % 14; left > 0; left--) {
      int key = std::rand() % 10;
      auto at = std::find(list.begin(), list.end(), key);
      bool isThere = at != list.end();
      if (std::rand() % 3) {
        if (tree.insert(key).second == isThere) return 1;
        if (!isThere) list.push_back(key);
      } else {
        if (tree.erase(key) != (isThere ? 1u : 0u)) return 2;
        if (isThere) list.erase(at);
      }
      std::sort(list.begin(), list.end());
      if (!std::equal(list.begin(), list.end(), tree.begin(), tree.end())) return 3;
      if (!std::equal(list.rbegin(), list.rend(), tree.rbegin(), tree.rend())) return 4;
    }
  }
  return 0;
}`;

const strings = `
#include <functional>
extern "C" bool fw_outside(const char *const *string, const char *text)
    __asm__("_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE11_M_disjunctEPKc");
int main() {
  char room[32];
  for (int start = 0; start < 32; start++)
    for (unsigned long length = 0; start + length < 32; length++)
      for (int text = 0; text < 32; text++) {
        struct { char *data; unsigned long length; } string = {room + start, length};
        std::less<const char *> less;
        bool isOutside = less(room + text, string.data) || less(string.data + length, room + text);
        if (fw_outside((const char *const *)&string, room + text) != isOutside) return 1;
      }
  return 0;
}`;

const lists = `
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <list>
#include <unordered_map>
#include <vector>
using Numbers = std::vector<int>;
bool isSame(const std::list<int> &list, const Numbers &numbers) {
  return std::equal(list.begin(), list.end(), numbers.begin(), numbers.end()) &&
         std::equal(list.rbegin(), list.rend(), numbers.rbegin(), numbers.rend());
}
int main() {
  std::srand(1);
  for (int turn = 0; turn < 20000; turn++) {
    std::list<int> lists[2];
    Numbers numbers[2];
    for (int left = std::rand() % 14; left > 0; left--) {
      int which = std::rand() % 2;
      auto &list = lists[which], &other = lists[1 - which];
      auto &mine = numbers[which], &others = numbers[1 - which];
      int at = std::rand() % (mine.size() + 1), to = at + std::rand() % (mine.size() - at + 1);
      int there = std::rand() % (others.size() + 1);
      auto begin = std::next(list.begin(), at), end = std::next(list.begin(), to);
      switch (std::rand() % 5) {
      case 0:
        list.insert(begin, left);
        mine.insert(mine.begin() + at, left);
        break;
      case 1:
        list.erase(begin, end);
        mine.erase(mine.begin() + at, mine.begin() + to);
        break;
      case 2:
        list.reverse();
        std::reverse(mine.begin(), mine.end());
        break;
      case 3:
        list.swap(other);
        mine.swap(others);
        break;
      case 4:
        other.splice(std::next(other.begin(), there), list, begin, end);
        others.insert(others.begin() + there, mine.begin() + at, mine.begin() + to);
        mine.erase(mine.begin() + at, mine.begin() + to);
      }
      if (!isSame(list, mine) || !isSame(other, others)) return 1;
    }
  }
  return 0;
}`;

/** A program that prints the answers to a hash table's questions about its number of buckets. */
const buckets = `
#include <cstdio>
#include <unordered_map>
int main() {
  std::__detail::_Prime_rehash_policy policy;
  for (unsigned long least = 0; least < 90; least++) {
    unsigned long given = policy._M_next_bkt(least);
    std::printf("%lu %lu\\n", given, policy._M_next_resize);
  }
  for (unsigned long room : {0, 5, 11, 13, 29})
    for (unsigned long number : {1, 11, 13, 29})
      for (unsigned long elements = 0; elements < 40; elements++)
        for (unsigned long added = 1; added < 3; added++) {
          policy._M_next_resize = room;
          auto answer = policy._M_need_rehash(number, elements, added);
          std::printf("%d %lu %lu\\n", answer.first, answer.second, policy._M_next_resize);
        }
}`;

describe.skipIf(!clang)('models of functions in libstdc++', () => {
  test.each([
    ['library-trees.c', trees],
    ['library-strings.c', strings],
    ['library-containers.c', lists],
  ])('%s does what the headers expect', (model, program) => {
    const folder = freshFolder();
    const [c, cpp, object, run] = ['model.c', 'program.cpp', 'model.o', 'run'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string, string];
    writeFileSync(c, `${header}#include "${path.join(models, model)}"\n`);
    writeFileSync(cpp, program);
    const steps: readonly (readonly [string, ...string[]])[] = [
      [clang!.command, '-w', '-c', c, '-o', object],
      [clang!.command, '-w', '-std=c++17', cpp, object, '-o', run, '-lstdc++'],
      [run],
    ];
    for (const [command, ...args] of steps) {
      const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
      expect([command, status, stderr]).toEqual([command, 0, '']);
    }
    rmSync(folder, { recursive: true });
  });

  test('hash tables have as many buckets as those of libstdc++', () => {
    const folder = freshFolder();
    const [c, cpp, object, run] = ['model.c', 'program.cpp', 'model.o', 'run'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string, string];
    writeFileSync(c, `${header}#include "${path.join(models, 'library-containers.c')}"\n`);
    writeFileSync(cpp, buckets);
    const outputs = [[], [object]].map((objects) => {
      spawnSync(clang!.command, ['-w', '-c', c, '-o', object]);
      spawnSync(clang!.command, ['-w', cpp, ...objects, '-o', run, '-lstdc++']);
      return spawnSync(run, [], { encoding: 'utf8' }).stdout;
    });
    expect(outputs[0]!.split('\n').length).toBeGreaterThan(1600);
    expect(outputs[1]).toBe(outputs[0]);
    rmSync(folder, { recursive: true });
  });
});
