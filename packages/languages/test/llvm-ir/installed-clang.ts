import { execFileSync } from 'node:child_process';

const names = ['clang-22', 'clang-21', 'clang-19', 'clang-16', 'clang-15', 'clang'];

/** Returns the name of an installed clang of version 15 or later, if there is one. */
export function installedClang(): string | undefined {
  return names.find((name) => {
    try {
      const said = execFileSync(name, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
      return Number(/version ([0-9]+)/.exec(said)?.[1]) >= 15;
    } catch {
      return false;
    }
  });
}

/** Returns the name of an installed clang if this machine executes programs for x86-64. */
export function clangForX86(): string | undefined {
  return process.arch === 'x64' ? installedClang() : undefined;
}
