import type { DiagnosticCode } from '@fencewright/ground/source/diagnostic.js';

/** A small input that is answered with the diagnostic. */
export interface Example {
  readonly format: 'native' | 'trencher' | 'native-to-trencher';
  readonly text: string;
}

/** What the documentation says about a code, besides its title. */
export interface Explanation {
  readonly meaning: string;
  readonly remedy: string;
  /**
   * Absent where the input cannot be shown in a page of text, or the message has no input of its
   * own.
   */
  readonly example?: Example;
}

function native(...lines: string[]): Example {
  return { format: 'native', text: lines.join('\n') };
}

/** One entry for each code of the registry: a new code does not compile without one. */
export const explanations: Readonly<Record<DiagnosticCode, Explanation>> = {
  FW1001: {
    meaning:
      'The text is not a sentence of the language at this place. The message says what would have been.',
    remedy:
      'Mend the place shown. Reading goes on behind it, so that other errors are reported in the same run.',
    example: native('program P', 'var x', 'thread t {', '  x = ;', '}'),
  },
  FW1002: {
    meaning:
      'A variable, register, label, thread, event, procedure or constant is used that nothing declares.',
    remedy: 'Take the suggested name, or declare the one that is missing.',
    example: native('program P', 'var flag', 'thread t {', '  flags = 1;', '}'),
  },
  FW1003: {
    meaning: 'Two things of one kind, in one scope, have one name.',
    remedy: 'Rename one of them. The hint says where the first stands.',
    example: native('program P', 'var x', 'thread t { x = 1; }', 'thread t { x = 2; }'),
  },
  FW1004: {
    meaning: 'There is nothing in the file, or nothing but comments.',
    remedy: 'Write a program, or look whether this is the right file.',
    example: native('// to be written'),
  },
  FW1005: {
    meaning: 'The file holds bytes that no text has.',
    remedy: 'Give the source of a program, as UTF-8. A compiled program is no input.',
  },
  FW1006: {
    meaning:
      'A divisor is 0 whatever happens. For divisors that are 0 only in some executions see FW3002.',
    remedy: 'Divide by something else.',
    example: native('program P', 'var x', 'const N = 0', 'thread t {', '  x = 7 / N;', '}'),
  },
  FW1007: {
    meaning:
      'All values are integers of 32 bits, and this number, or the constant computed here, is none.',
    remedy: 'Use a smaller number. Robustness rarely depends on the size of one.',
    example: native('program P', 'var x', 'thread t {', '  x = 4000000000;', '}'),
  },
  FW1008: {
    meaning: 'A constant index lies outside its array. For computed indices see FW3004.',
    remedy: 'Cells are numbered from 0: the last of `a[3]` is `a[2]`.',
    example: native('program P', 'var a[3]', 'thread t {', '  a[3] = 1;', '}'),
  },
  FW1009: {
    meaning: 'A constant that is stored, or an initial value, lies outside the declared `domain`.',
    remedy: 'Widen the domain, or store something else.',
    example: native('program P', 'var x', 'domain 0..3', 'thread t {', '  x = 4;', '}'),
  },
  FW1010: {
    meaning: 'The statement is well formed, but may not stand here.',
    remedy:
      'Follow the hint. The usual case is a `break` outside a loop, or a jump out of an `atomic` block.',
    example: native('program P', 'var x', 'thread t {', '  x = 1;', '  break;', '}'),
  },
  FW1011: {
    meaning:
      'An operand is of a kind that the operation does not take: an array without index, a shared variable where only registers may occur, and so on.',
    remedy:
      'Follow the hint. Where a shared variable is in the way, load it into a register first.',
    example: native('program P', 'var x', 'thread t {', '  assume(x == 1);', '}'),
  },
  FW1012: {
    meaning:
      'The input is understood, and the tool cannot do it: any number of copies where a number is needed, and what a target format of `convert` has no words for.',
    remedy: 'Write it out by hand, as the hint suggests.',
    example: native(
      'program P',
      'var x',
      'event tick() {',
      '  lock; x = 1; unlock;',
      '}',
      'events tick()',
    ),
  },
  FW1013: {
    meaning:
      'The file is missing, is a folder, may not be read, is too large, or has a name that does not tell its format.',
    remedy: 'Check the path; say the format with `--from`.',
  },
  FW1014: {
    meaning: 'A file of very many errors; the first hundred are shown.',
    remedy: 'Mend those and run again. Often the first is the reason for the rest.',
  },
  FW1015: {
    meaning:
      '`convert --attack` names a thread, or a label or line, at which the program has nothing of the kind.',
    remedy:
      'Take the suggested name. `check --all-attacks --json` lists the attacks of a program with labels and lines.',
  },
  FW1016: {
    meaning:
      'An operation of the kind weak_cas was asked for where there is none. What fetch_add and its like give tells what the cell holds, and they mostly change it: there is nothing that they could do instead without effect.',
    remedy: 'Leave out weak_, or use cas or xchg.',
    example: native(
      'program P',
      'var x',
      'thread t { local r;',
      '  r = weak_fetch_add(x, 1);',
      '}',
    ),
  },
  FW1017: {
    meaning:
      'A `fencewright.json` had a part in this result. The message has its path, and the settings that were taken from it: those that the verb knows and no option of the command line replaces.',
    remedy:
      'Nothing; or leave the file out with `--no-config`. See [suites.md](suites.md#a-configuration).',
  },
  FW2001: {
    meaning: 'No execution gets to the label, because no path through the thread does.',
    remedy:
      'Look for a misspelt target: this is how half a program gets lost unnoticed. If it is meant, leave it.',
    example: {
      format: 'native',
      text: [
        'program P',
        'var x',
        'thread t regs r init a begin',
        '  a: mem[x] <- 1; goto b;',
        '  bb: r <- mem[x]; goto c;',
        'end',
      ].join('\n'),
    },
  },
  FW2002: {
    meaning:
      'The thread ends here although its text goes on. An end is a label that no instruction leaves; this one does not look like one.',
    remedy: 'Add the instruction that is missing, or correct the label that should lead on.',
    example: {
      format: 'native',
      text: [
        'program P',
        'var x',
        'thread t regs r init a begin',
        '  a: mem[x] <- 1; goto b;',
        '  bb: r <- mem[x]; goto c;',
        'end',
      ].join('\n'),
    },
  },
  FW2003: {
    meaning: 'Registers start at 0 and this one stays at 0.',
    remedy: 'Assign it, or write 0.',
    example: native('program P', 'var x', 'thread t {', '  local r;', '  x = r;', '}'),
  },
  FW2004: {
    meaning:
      'The address of the store depends on values that only an execution shows, so it may hit any cell.',
    remedy:
      'Nothing, if it is meant: the searches use the addresses that really occur. Otherwise store to a variable or an array.',
    example: native(
      'program P',
      'var x',
      'thread t {',
      '  local r;',
      '  while (*) { r = r + 1; }',
      '  mem[r] = 1;',
      '}',
    ),
  },
  FW2005: {
    meaning:
      "A first line `memory N` or `memory_size N`, as one dialect of Trencher's format has it, means nothing here.",
    remedy: 'Nothing; every address is a cell.',
    example: {
      format: 'trencher',
      text: ['memory_size 8', 'thread t', 'initial a', 'transition a b write 1 5', 'end'].join(
        '\n',
      ),
    },
  },
  FW2006: {
    meaning: '`convert` writes a program in a format that has no place for this part of it.',
    remedy:
      'Nothing, if robustness is what you ask of the converted program. Properties and assertions stay behind.',
    example: {
      format: 'native-to-trencher',
      text: ['program P', 'var x', 'thread t { x = 1; }', 'property small: never (x > 1)'].join(
        '\n',
      ),
    },
  },
  FW2007: {
    meaning:
      'Between the store and the load of the attack there is always a fence or a locked instruction, so that nothing can be delayed so far.',
    remedy: 'Nothing. The goal of the program that is written cannot be reached.',
  },
  FW2008: {
    meaning:
      'A havoc with a shared variable in its condition stands for a load of it, and may give more than the load, but never less. Here there is a value that the load would give and the condition forbids.',
    remedy:
      'Allow the value of the variable, whatever it is, besides what else the register may get.',
  },
  FW2009: {
    meaning:
      'The program is robust, all of its executions under SC were searched, and none runs these stores, loads or rmws: what is said of them is said of nothing. One warning a thread, at the first; `--json` lists all. Given by `check`; where not all executions were searched it says that it did not look.',
    remedy:
      'Look for a flag that nobody sets, or a condition that is never true. If it is meant, as for code that reports an error which cannot happen, leave it. `--fail-on vacuous` makes it count.',
    example: native(
      'program P',
      'var go, x, y',
      'thread a { local r; while (go == 0) { }  x = 1; r = y; }',
      'thread b { local r; while (go == 0) { }  y = 1; r = x; }',
    ),
  },
  FW2010: {
    meaning:
      'The program is robust, all of its executions under SC were searched, and none gets to the end of the thread, although its code has one: it waits for ever, or goes round for ever.',
    remedy:
      'See what it waits for; `property p: stuck (true)` with `reach` shows whether everybody waits. A thread that is to run for ever is written with `loop`.',
    example: native(
      'program P',
      'var x',
      'thread a { local r; r = x; assume(r == 1); }',
      'thread b { x = 2; }',
    ),
  },
  FW2011: {
    meaning:
      'A `never` is about every reachable state. Under TSO there are states in which a thread has come far and its stores still wait in its buffer, so memory does not show them yet; robust programs have such states, too.',
    remedy:
      'If the condition is meant for what has reached memory, say so: `never (ended(a) && drained(a) && x == 0)`. Otherwise leave it.',
    example: native(
      'program P',
      'var x',
      'thread a { x = 1; }',
      'property p: never (ended(a) && x == 0)',
    ),
  },
  FW2012: {
    meaning:
      'No event runs the procedure, neither by a call nor by a task, nor does anything that an event runs.',
    remedy: 'Call it or post it somewhere, or leave it out.',
    example: native(
      'program P',
      'var x',
      'event tick() { x = 1; }',
      'procedure tock() { x = 2; }',
      'events tick()',
    ),
  },
  FW2013: {
    meaning: 'The environment starts what stands behind `events`, and this event does not.',
    remedy: 'Add it there; `*` stands for any number of instances.',
    example: native(
      'program P',
      'var x',
      'event tick() { x = 1; }',
      'event tock() { x = 2; }',
      'events tick()',
    ),
  },
  FW2014: {
    meaning:
      'The task that an `async[any]` posts may run at once, on a thread of its own, while its poster goes on; so may one that a background task posts to main. Here both access one variable, and one of them stores to it. On a single thread the poster always comes first, so a program in which both accesses happen is not robust against concurrency.',
    remedy: 'Post the task behind the access, or hand the value over as an argument.',
    example: native(
      'program P',
      'var x',
      'event tick() {',
      '  async[any] tock();',
      '  x = 1;',
      '}',
      'procedure tock() { x = 2; }',
      'events tick()',
    ),
  },
  FW2015: {
    meaning:
      'Every way to the end of the procedure calls it again, directly or through others, so no call of it comes back.',
    remedy: 'Put the call into an `if` that some time does not take it, or post the task instead.',
    example: native(
      'program P',
      'var x',
      'event tick() { call tock(); }',
      'procedure tock() { x = 1; call tock(); }',
      'events tick()',
    ),
  },
  FW3001: {
    meaning:
      'Some execution computes a value that 32 bits do not hold. Nothing wraps: that execution ends here, and a search that meets it can still find a violation, but not prove robustness (`unknown`, reason `unsupported`).',
    remedy: 'Bound the value: let the program stop earlier, or count modulo something.',
    example: native(
      'program P',
      'var x, y',
      'thread s {',
      '  local r = 2147483647;',
      '  x = 1; r = y;',
      '  x = r + 2147483647;',
      '}',
      'thread t { y = 1; x = 2; }',
    ),
  },
  FW3002: {
    meaning:
      'Some execution divides by 0. The program is at fault: exit code 65, unless it was found not to be robust before.',
    remedy: 'Guard the division.',
    example: native(
      'program P',
      'var x, y',
      'thread s {',
      '  local r;',
      '  x = 1; r = y;',
      '  r = 1 / r;',
      '}',
      'thread t { y = 1; }',
    ),
  },
  FW3003: {
    meaning: 'Some execution stores a value outside the declared `domain`.',
    remedy: 'Widen the domain, or find out why the value gets that large.',
    example: native(
      'program P',
      'var x, y',
      'domain 0..2',
      'thread s {',
      '  local r;',
      '  x = 2; r = y;',
      '  x = r + 2;',
      '}',
      'thread t { y = 1; }',
    ),
  },
  FW3004: {
    meaning: 'Some execution uses an index that the array does not have.',
    remedy: 'Enlarge the array or guard the index.',
    example: native(
      'program P',
      'var a[2], y',
      'thread s {',
      '  local r;',
      '  a[0] = 1; r = y;',
      '  a[r] = 1;',
      '}',
      'thread t { y = 2; }',
    ),
  },
  FW3005: {
    meaning: 'A `havoc` may choose from too many values to try each of them.',
    remedy: 'Declare a `domain`, or give the statement a range of at most 4,096 values.',
    example: native(
      'program P',
      'var x, y',
      'thread s {',
      '  local r;',
      '  x = 1; r = y;',
      '  havoc r in 0..100000;',
      '  y = r;',
      '}',
      'thread t { y = 1; }',
    ),
  },
  FW3007: {
    meaning:
      'The engine spin gives memory a fixed number of cells: those of variables, those at addresses that can be told before, and a few more. An execution went beyond.',
    remedy: 'Use the engine search, or declare the memory as an array.',
  },
  FW3008: {
    meaning:
      'An execution of a program in C does what C leaves undefined: it reads memory that nothing was stored to (of `malloc`, or of a local variable), accesses what no object is at, leaves an array, or falls off the end of a function. Or C++ ends it by `std::terminate`: a joinable `std::thread` is destroyed, or something throws.',
    remedy:
      'Mend the program. To copy such a value, as one assignment of a structure may do, counts as reading it.',
  },
  FW3009: {
    meaning:
      'An execution of a program in C goes on beyond what its model has: the pool of a call of `malloc` is empty, a function is called whose name is not known, or a class of the library that comes along has no more room. What it does there is not known, so that the program is not called robust.',
    remedy: 'Give pools more blocks with `--pool`.',
  },
  FW3010: {
    meaning:
      'In an execution of a program in C two threads come to access a cell at the same time, one of them stores, and one of the accesses is neither atomic nor volatile. C leaves undefined what happens then. Accesses are taken as they are written, so the verdict holds for the hardware; a compiler need not keep to it. Given by `check` and `explain`, one for each pair of places, and not for accesses under a lock, behind a flag, before threads start or after they are joined. Where not all executions were searched the report says that races were not looked for to the end; `--fail-on races` makes them count.',
    remedy:
      'Make both accesses atomic (`_Atomic`, `__atomic_load_n`, `READ_ONCE`), or let a lock or an atomic flag order them. See [c.md](c.md#data-races).',
  },
  FW4001: {
    meaning:
      'The engine spin needs SPIN and a C compiler, the engine chc with `--solver native` needs Z3, and one of them is not installed.',
    remedy:
      'On Debian and Ubuntu `apt install spin gcc z3` brings all. The environment variable `CC` names another compiler; without `--solver native`, the engine chc uses the Z3 that comes along.',
  },
  FW4002: {
    meaning: 'SPIN, the C compiler, or the verifier that they made ended with an error.',
    remedy: 'Look at what it said. Often the disk is full, or the program is no SPIN at all.',
  },
  FW5001: {
    meaning: 'The C or C++ file has an error. The message is the one of clang.',
    remedy:
      'Mend the file; or tell clang what it needs to know with arguments behind `--`: `-- -IFOLDER -DNAME -std=c17`. Headers of the machine are not looked up: those that come along are listed in [c.md](c.md).',
  },
  FW5002: {
    meaning: 'A warning of clang, as it words it.',
    remedy: 'Mend the file, or switch the warning off with `-- -Wno-...`.',
  },
  FW5003: {
    meaning:
      'Files in C are compiled by clang, of version 15 or later. There is none, or it failed, or it was given an argument that would change what it makes.',
    remedy:
      'Install clang, or `npm install @yowasp/clang` beside fencewright; name the one to use with `--clang`. LLVM IR (`.ll`) needs none.',
  },
  FW5004: {
    meaning:
      'A program in C is decided as it is compiled statement by statement. A result is about the hardware, given the statements as written, and never about the optimiser.',
    remedy: 'Nothing: every result about C says so once, with the compiler that was used.',
  },
  FW5005: {
    meaning:
      'With `--threads`, `main` is not gone through: it starts and joins as many threads as the option says. What it does where all of them have been joined runs beside nothing; it is not looked at, and assertions there are not either.',
    remedy:
      'Nothing; or, to have assertions at the end looked at, write the number of threads into the program.',
  },
};
