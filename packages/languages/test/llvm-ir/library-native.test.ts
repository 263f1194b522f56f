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

/**
 * A program that calls functions on texts, by the given prefix of their names, with all short texts
 * of some letters, and prints the results.
 */
const texts = (prefix: string): string => `
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
extern "C" {
#define OF(result, name, ...) result t_##name(__VA_ARGS__) __asm__("${prefix}" #name);
OF(char *, strncat, char *, const char *, size_t)
OF(size_t, strnlen, const char *, size_t)
OF(char *, strrchr, const char *, int)
OF(char *, strstr, const char *, const char *)
OF(void *, memchr, const void *, int, size_t)
OF(unsigned long, strtoul, const char *, char **, int)
OF(long, strtol, const char *, char **, int)
OF(int, strncmp, const char *, const char *, size_t)
}
std::vector<std::string> all(const char *letters, int most) {
  std::vector<std::string> found = {""};
  for (size_t i = 0; i < found.size(); i++)
    if ((int)found[i].size() < most)
      for (const char *at = letters; *at; at++) found.push_back(found[i] + *at);
  return found;
}
int main() {
  auto words = all("abc", 3);
  for (auto &one : words) {
    const char *text = one.c_str();
    for (int size = 0; size < 5; size++) std::printf("%zu ", t_strnlen(text, size));
    for (char letter : {'a', 'b', '\\0'}) {
      const char *last = t_strrchr(text, letter);
      const void *first = t_memchr(text, letter, one.size() + 1);
      std::printf("%ld %ld ", last ? last - text : -1, first ? (const char *)first - text : -1);
    }
    for (auto &other : words) {
      const char *at = t_strstr(text, other.c_str());
      char room[16] = "x";
      std::printf("%ld %d ", at ? at - text : -1, t_strncmp(text, other.c_str(), 2) > 0);
      std::printf("%s\\n", t_strncat(t_strncat(room, text, 2), other.c_str(), 9));
    }
  }
  auto numbers = all("0x1-9 f", 4);
  numbers.insert(numbers.end(), {"9223372036854775807", "9223372036854775808", "+12", "\\t7z",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "z", "0x",
    "18446744073709551616", "-18446744073709551616", "ffffffffffffffffff", " \\n-010"});
  for (auto &one : numbers)
    for (int base : {0, 8, 10, 16, 36}) {
      const char *text = one.c_str();
      char *end, *last;
      errno = 0;
      long value = t_strtol(text, &end, base);
      int error = errno;
      errno = 0;
      unsigned long other = t_strtoul(text, &last, base);
      std::printf("%ld %ld %d %lu %ld %d\\n", value, end - text, error, other, last - text, errno);
    }
}`;

/** A program that compares the operations of LLVM with builtins of the compiler. */
const operations = (() => {
  const bits = { 8: 'unsigned char', 16: 'unsigned short', 32: 'unsigned', 64: 'unsigned long' };
  const declared = Object.entries(bits).map(
    ([size, type]) => `
${type} __fencewright_cttz_i${size}(${type}, bool), __fencewright_ctlz_i${size}(${type}, bool),
  __fencewright_ctpop_i${size}(${type}), __fencewright_bitreverse_i${size}(${type}),
  __fencewright_fshl_i${size}(${type}, ${type}, ${type}),
  __fencewright_fshr_i${size}(${type}, ${type}, ${type});`,
  );
  const compared = Object.entries(bits).map(
    ([size, type]) => `{
  ${type} word = (${type})random, by = (${type})(random >> 7);
  if (__fencewright_cttz_i${size}(word, false) != (word ? __builtin_ctzl(word) : ${size})) return 1;
  if (__fencewright_ctlz_i${size}(word, false) != (word ? __builtin_clzl(word) - ${64 - Number(size)} : ${size})) return 2;
  if (__fencewright_ctpop_i${size}(word) != __builtin_popcountl(word)) return 3;
  if (__fencewright_bitreverse_i${size}(word) != __builtin_bitreverse${size}(word)) return 4;
  if (__fencewright_fshl_i${size}(word, word, by) != __builtin_rotateleft${size}(word, by)) return 5;
  if (__fencewright_fshr_i${size}(word, word, by) != __builtin_rotateright${size}(word, by)) return 6;
}`,
  );
  const extrema = [
    ['int', '32'],
    ['long', '64'],
  ].map(
    ([type, size]) => `{
  ${type} one = (${type})(random >> 3), other = (${type})(random * 5);
  if (__fencewright_smax_i${size}(one, other) != __builtin_elementwise_max(one, other)) return 7;
  if (__fencewright_umin_i${size}(one, other) !=
      __builtin_elementwise_min((unsigned ${type})one, (unsigned ${type})other)) return 8;
  if (one != -one && __fencewright_abs_i${size}(one, true) != __builtin_elementwise_abs(one)) return 9;
}`,
  );
  return `extern "C" {${declared.join('')}
int __fencewright_smax_i32(int, int), __fencewright_abs_i32(int, bool);
long __fencewright_smax_i64(long, long), __fencewright_abs_i64(long, bool);
unsigned __fencewright_umin_i32(unsigned, unsigned);
unsigned long __fencewright_umin_i64(unsigned long, unsigned long);
}
int main() {
  unsigned long random = 1;
  for (int turn = 0; turn < 200000; turn++) {
    random = turn < 200 ? turn < 64 ? 1ul << turn : turn - 64 : random * 6364136223846793005ul + turn;
    ${compared.join('\n')}
    ${extrema.join('\n')}
  }
  return 0;
}`;
})();

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
    ['library-operations.c', operations],
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

  test('functions on texts give what those of glibc give', () => {
    const folder = freshFolder();
    const [c, cpp, object, run] = ['model.c', 'program.cpp', 'model.o', 'run'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string, string];
    const tested = ['strncat', 'strnlen', 'strrchr', 'strstr', 'memchr', 'strtoul', 'strtol'];
    const renamed = [...tested, 'strncmp'].map((name) => `-D${name}=fw_${name}`);
    const before = `#include <errno.h>
#include <string.h>
static char *__fencewright_unknown_text(const char *name) { return 0; }
`;
    writeFileSync(c, `${header}${before}#include "${path.join(models, 'library-texts.c')}"\n`);
    spawnSync(clang!.command, ['-w', ...renamed, '-c', c, '-o', object]);
    const outputs = ['', 'fw_'].map((prefix) => {
      writeFileSync(cpp, texts(prefix));
      const objects = prefix === '' ? [] : [object];
      spawnSync(clang!.command, ['-w', '-fno-builtin', cpp, ...objects, '-o', run, '-lstdc++']);
      const { stdout } = spawnSync(run, [], { encoding: 'utf8', maxBuffer: 2 ** 26 });
      rmSync(run, { force: true });
      return stdout;
    });
    expect(outputs[0]!.split('\n').length).toBeGreaterThan(10_000);
    expect(outputs[1]).toBe(outputs[0]);
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
