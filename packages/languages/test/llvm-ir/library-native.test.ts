import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { allClangs, freshFolder } from '../../../core/test/node/clang/clangs.js';

/*
 * The models of functions in libstdc++'s binary, compiled and linked in front of that binary: the
 * machine's headers run over them, and what the containers hold is compared with arrays.
 */

const models = fileURLToPath(new URL('../../c/', import.meta.url));
const clang = (await allClangs()).find(({ kind }) => kind === 'native');

const header = '#include <stddef.h>\n';

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

describe.skipIf(!clang)('models of functions in libstdc++', () => {
  test.each([
    ['library-trees.c', trees],
    ['library-strings.c', strings],
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
});
