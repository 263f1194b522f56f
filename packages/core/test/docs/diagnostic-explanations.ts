import type { DiagnosticCode } from '@fencewright/ground/source/diagnostic.js';

/** A small input that causes the diagnostic. */
export interface Example {
  readonly format: 'native' | 'trencher' | 'native-to-trencher';
  readonly text: string;
}

/** The documentation of a diagnostic code, apart from its title. */
export interface Explanation {
  readonly meaning: string;
  readonly remedy: string;
  /** Absent if the input is too large for the page, or the message has no input of its own. */
  readonly example?: Example;
}

function native(...lines: string[]): Example {
  return { format: 'native', text: lines.join('\n') };
}

/** The explanation of each code of the registry; a missing one is a type error. */
export const explanations: Readonly<Record<DiagnosticCode, Explanation>> = {
  FW1001: {
    meaning:
      'The text does not match the grammar at this place. The message names the expected symbols.',
    remedy:
      'Correct the place shown. Reading continues after the error, so other errors are reported in the same run.',
    example: native('program P', 'var x', 'thread t {', '  x = ;', '}'),
  },
  FW1002: {
    meaning:
      'The text uses a variable, register, label, thread, event, procedure or constant that is not declared.',
    remedy: 'Use the suggested name, or declare the missing name.',
    example: native('program P', 'var flag', 'thread t {', '  flags = 1;', '}'),
  },
  FW1003: {
    meaning: 'Two declarations of the same kind, in the same scope, have the same name.',
    remedy: 'Rename one of them. The hint gives the place of the first declaration.',
    example: native('program P', 'var x', 'thread t { x = 1; }', 'thread t { x = 2; }'),
  },
  FW1004: {
    meaning: 'The file is empty, or contains only comments.',
    remedy: 'Write a program, or check whether this is the right file.',
    example: native('// to be written'),
  },
  FW1005: {
    meaning: 'The file contains bytes that are not valid UTF-8 text.',
    remedy: 'Give the source of a program, as UTF-8. A compiled program is no input.',
  },
  FW1006: {
    meaning:
      'A divisor is 0 in every execution. For divisors that are 0 only in some executions see FW3002.',
    remedy: 'Change the divisor.',
    example: native('program P', 'var x', 'const N = 0', 'thread t {', '  x = 7 / N;', '}'),
  },
  FW1007: {
    meaning:
      'All values are integers of 32 bits, and this number, or the result of this constant expression, is outside their range.',
    remedy: 'Use a smaller number. Robustness rarely depends on the size of a number.',
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
    meaning: 'The statement is well formed, but is not allowed at this place.',
    remedy:
      'Follow the hint. The usual case is a `break` outside a loop, or a jump out of an `atomic` block.',
    example: native('program P', 'var x', 'thread t {', '  x = 1;', '  break;', '}'),
  },
  FW1011: {
    meaning:
      'An operand is of a kind that the operation does not accept: an array without an index, a shared variable where only registers are allowed, and so on.',
    remedy:
      'Follow the hint. If the operand is a shared variable, load the variable into a register first.',
    example: native('program P', 'var x', 'thread t {', '  assume(x == 1);', '}'),
  },
  FW1012: {
    meaning:
      'The tool reads the input but does not support it: any number of copies where a fixed number is needed, or a construct that the target format of `convert` cannot express.',
    remedy: 'Write the program in another form, as the hint suggests.',
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
      'The file is missing, is a folder, is not readable, is too large, or has a name that does not determine its format.',
    remedy: 'Check the path; name the format with `--from`.',
  },
  FW1014: {
    meaning: 'The file has very many errors; the first hundred are shown.',
    remedy: 'Correct the errors shown and run again. Often the first error causes the others.',
  },
  FW1015: {
    meaning:
      '`convert --attack` names a thread that the program does not have, or a label or line without a store or load.',
    remedy:
      'Use the suggested name. `check --all-attacks --json` lists the attacks of a program with labels and lines.',
  },
  FW1016: {
    meaning:
      'The prefix `weak_` is only possible for operations that can fail without effect. The result of `fetch_add` and similar operations reveals the value of the cell, and these operations usually change the cell, so they cannot fail without effect.',
    remedy: 'Remove `weak_`, or use `cas` or `xchg`.',
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
      'A `fencewright.json` influenced this result. The message has the path of the file and the settings that were used: the settings known to the verb, except those that options of the command line replace.',
    remedy:
      'Nothing; or ignore the file with `--no-config`. See [suites.md](suites.md#a-configuration).',
  },
  FW2001: {
    meaning: 'No execution reaches the label, because no path through the thread leads to it.',
    remedy:
      'Look for a misspelt target, which can disconnect half a program unnoticed. Otherwise ignore the warning.',
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
      'The thread ends here although its text continues. A label that no instruction leaves is an end; this label does not look like an intended end.',
    remedy: 'Add the missing instruction, or correct the label that should lead on.',
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
    meaning:
      'Registers start at 0, and no instruction assigns to this register, so it is always 0.',
    remedy: 'Assign a value to the register, or write 0.',
    example: native('program P', 'var x', 'thread t {', '  local r;', '  x = r;', '}'),
  },
  FW2004: {
    meaning:
      'The address of the store depends on values that are known only during an execution, so the store may hit any cell.',
    remedy:
      'Nothing, if this is intended: the searches use the addresses that occur. Otherwise store to a variable or an array.',
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
      "The first line `memory N` or `memory_size N`, from a dialect of Trencher's format, has no effect.",
    remedy: 'Nothing; every address is a cell.',
    example: {
      format: 'trencher',
      text: ['memory_size 8', 'thread t', 'initial a', 'transition a b write 1 5', 'end'].join(
        '\n',
      ),
    },
  },
  FW2006: {
    meaning:
      'The target format of `convert` cannot express this part of the program, so the part is left out.',
    remedy:
      'Nothing, if the converted program is only used for robustness. Properties and assertions are not converted.',
    example: {
      format: 'native-to-trencher',
      text: ['program P', 'var x', 'thread t { x = 1; }', 'property small: never (x > 1)'].join(
        '\n',
      ),
    },
  },
  FW2007: {
    meaning:
      "Every path from the attack's store to its load contains a fence or a locked instruction, so the store cannot be delayed past the load.",
    remedy: 'Nothing. The goal of the written program is unreachable.',
  },
  FW2008: {
    meaning:
      'A `havoc` with a shared variable in its condition stands for a load of the variable. It may allow more values than the load, but must not exclude a possible value. This condition excludes a value that the load could return.',
    remedy: 'Allow every value of the variable, in addition to other values of the register.',
  },
  FW2009: {
    meaning:
      'The program is robust, but no execution under SC runs these stores, loads or rmws, although all executions were searched. So the verdict says nothing about them. Each thread gets one warning, at its first such access; `--json` lists all. `check` gives this warning; if not all executions were searched, `check` says that it did not look.',
    remedy:
      'Look for a flag that no thread sets, or a condition that is never true. Ignore the warning if this is intended, as for code that reports an impossible error. With `--fail-on vacuous` such programs fail.',
    example: native(
      'program P',
      'var go, x, y',
      'thread a { local r; while (go == 0) { }  x = 1; r = y; }',
      'thread b { local r; while (go == 0) { }  y = 1; r = x; }',
    ),
  },
  FW2010: {
    meaning:
      'The program is robust, but no execution under SC reaches the end of the thread, although all executions were searched and the code has an end: the thread waits or loops for ever.',
    remedy:
      'Find out what the thread waits for; `property p: stuck (true)` with `reach` shows whether all threads wait. Write a thread that is meant to run for ever with `loop`.',
    example: native(
      'program P',
      'var x',
      'thread a { local r; r = x; assume(r == 1); }',
      'thread b { x = 2; }',
    ),
  },
  FW2011: {
    meaning:
      'A `never` is about every reachable state. Under TSO, a thread may be past its stores while the stores are still in its buffer, so that memory does not contain the values yet. Robust programs have such states, too.',
    remedy:
      'If the condition is about stores that have reached memory, say so: `never (ended(a) && drained(a) && x == 0)`. Otherwise ignore the note.',
    example: native(
      'program P',
      'var x',
      'thread a { x = 1; }',
      'property p: never (ended(a) && x == 0)',
    ),
  },
  FW2012: {
    meaning:
      'No event runs the procedure, neither directly nor through other procedures, by a call or by a task.',
    remedy: 'Call or post the procedure, or remove it.',
    example: native(
      'program P',
      'var x',
      'event tick() { x = 1; }',
      'procedure tock() { x = 2; }',
      'events tick()',
    ),
  },
  FW2013: {
    meaning:
      'The environment starts only the events listed after `events`, and this event is not listed.',
    remedy: 'Add the event to the list; `*` stands for any number of instances.',
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
      'A task posted by `async[any]` may run immediately, on its own thread, while the posting task continues; the same holds for a task that a background task posts to main. Here both tasks access one variable, and at least one of them stores to it. On a single thread the posting task always comes first, so a program that executes both accesses is not robust against concurrency.',
    remedy: 'Post the task after the access, or pass the value as an argument.',
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
      'Every path to the end of the procedure calls the procedure again, directly or through other procedures, so no call ever returns.',
    remedy: 'Put the call into an `if` that does not always take it, or post a task instead.',
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
      'Some execution computes a value that 32 bits cannot hold. Values do not wrap: the execution ends here. A search that meets this execution can still find a violation, but cannot prove robustness (`unknown`, reason `unsupported`).',
    remedy: 'Bound the value: let the program stop earlier, or count modulo a number.',
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
      'Some execution divides by 0. This is an error of the program: exit code 65, unless the program was found to be not robust before.',
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
    remedy: 'Widen the domain, or find out why the value becomes so large.',
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
    meaning: 'Some execution uses an index outside the array.',
    remedy: 'Enlarge the array, or guard the index.',
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
    meaning: 'A `havoc` may choose among more values than can be tried one by one.',
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
      'The engine `spin` gives memory a fixed number of cells: the cells of variables, the cells at addresses known in advance, and a few more. An execution accessed another cell.',
    remedy: 'Use the engine `search`, or declare the memory as an array.',
  },
  FW3008: {
    meaning:
      'An execution of a program in C has undefined behaviour: it reads uninitialised memory (of `malloc`, or of a local variable), accesses an address without an object, leaves an array, or reaches the end of a function without the required `return`. Or the execution ends by `std::terminate` of C++: a joinable `std::thread` is destroyed, or an exception is not caught.',
    remedy:
      'Correct the program. Copying an uninitialised value, as in the assignment of a structure, counts as reading it.',
  },
  FW3009: {
    meaning:
      'An execution of a program in C reaches a limit of its model: the pool of a call of `malloc` is empty, an unknown function is called, a class of the supplied headers has no more room, or a thread gets to a statement without a model that it can also pass by. Since the rest of the execution is unknown, the program is not called robust.',
    remedy: 'Give pools more blocks with `--pool`, or follow the hint of the message.',
  },
  FW3010: {
    meaning:
      'In an execution of a program in C, two threads are about to access a cell at the same time, at least one of them stores, and at least one of the accesses is neither atomic nor volatile. This is undefined behaviour in C. The verdict assumes that accesses are executed as written, so it holds for the hardware; a compiler may change the accesses. `check`, `explain`, `reach` and `fence` warn once for each variable: the message has the first pair of places, and the further places. They do not warn about accesses that a lock, a flag, or the start or end of a thread orders. If not all executions were searched, the report says that the search for races was incomplete. With `--fail-on races`, races decide the exit code of `check`.',
    remedy:
      'Make both accesses atomic (`_Atomic`, `__atomic_load_n`, `READ_ONCE`), or order them by a lock or an atomic flag. See [c.md](c.md#data-races).',
  },
  FW3011: {
    meaning:
      'In an execution of a program in C, an instruction accesses memory that has been freed and not allocated again, or frees it once more. The message says if store buffers alone lead there. This is undefined behaviour in C. The verdict assumes that freed memory keeps its contents. `check`, `explain`, `reach` and `fence` warn once for each place. Executions beyond the first 100,000 states are not looked at, nor some accesses: no warning is no proof.',
    remedy:
      'Free a block only when no thread can reach it any more: by hazard pointers, epochs or reference counts, or after the threads have been joined. See [c.md](c.md#uses-of-freed-memory).',
  },
  FW4001: {
    meaning:
      'The engine `spin` needs SPIN and a C compiler, and the engine `chc` with `--solver native` needs Z3. The required program is not installed.',
    remedy:
      'On Debian and Ubuntu, `apt install spin gcc z3` installs all of them. The environment variable `CC` names another compiler; without `--solver native`, the engine `chc` uses the supplied Z3.',
  },
  FW4002: {
    meaning: 'SPIN, the C compiler, or the verifier that they built ended with an error.',
    remedy:
      'Read the error output. Common causes are a full disk, or another program with the name `spin`.',
  },
  FW5001: {
    meaning: 'The C or C++ file has an error. The message comes from clang.',
    remedy:
      'Correct the file, or pass the necessary arguments to clang after `--`: `-- -IFOLDER -DNAME -std=c17`. [c.md](c.md) says whose headers are used.',
  },
  FW5002: {
    meaning: "A warning of clang, in clang's words.",
    remedy: 'Correct the file, or disable the warning with `-- -Wno-...`.',
  },
  FW5003: {
    meaning:
      'Files in C are compiled by clang, version 15 or later. Clang is missing, has failed, or was given an argument that would change the compiled code.',
    remedy:
      'Install clang, or `npm install @yowasp/clang` beside fencewright; `--clang` names the compiler to use. LLVM IR (`.ll`) needs clang only for library functions.',
  },
  FW5004: {
    meaning:
      'A program in C is decided as compiled statement by statement. A result is about the hardware and assumes that the compiler keeps every access in source order; an optimiser may not.',
    remedy:
      'Nothing: every result about C says this once, with the compiler that was used. Where the language itself keeps the order of accesses, the JSON document still names the compiler, and texts say nothing: in each thread all accesses are atomic and seq_cst, or loads acquire, stores release, and no read-modify-write or lock is used.',
  },
  FW5005: {
    meaning:
      'With `--threads`, `main` is not executed: `main` starts and joins as many threads as the option says. The code after all joins runs concurrently with no thread; this code and its assertions are not examined.',
    remedy:
      'Nothing; or, to check assertions at the end, write the number of threads into the program.',
  },
  FW5007: {
    meaning:
      "Linux's `membarrier` with an expedited command needs a registration of the process. Without it, the private commands fail with `EPERM` and order nothing, and `MEMBARRIER_CMD_GLOBAL_EXPEDITED` is a fence of its own thread alone.",
    remedy:
      'Register once, before threads start, and look at the results of both calls: `syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0)`.',
  },
  FW5008: {
    meaning:
      'An answer assumes that a registered `membarrier` succeeds. A kernel without the command returns -1: no fence has happened then.',
    remedy:
      'Look at the result. Where the command is missing, the light side needs a fence of its own: `if (has_membarrier) ...; else atomic_thread_fence(memory_order_seq_cst)`.',
  },
  FW5009: {
    meaning:
      'A heavy fence of another thread drains the buffer of the processor, and the light side needs no fence instruction. The compiler knows nothing of it: it may exchange an atomic store that is weaker than `memory_order_seq_cst` and a later load of another variable. Stores and loads are compared within one function; calls of functions outside of the program count as barriers.',
    remedy:
      'A barrier for the compiler between them: `atomic_signal_fence(memory_order_seq_cst)`, `asm volatile("" ::: "memory")`, or `asymmetric_thread_fence_light`.',
  },
  FW5010: {
    meaning:
      'The fences are found, but the text with the fences does not compile: a fault of Fencewright, not of the program. The following errors are those of clang about the text with the fences, which is not written. Exit code 70.',
    remedy:
      'Write the fences by hand at the places in the report, and ask `check` about the result. Report the fault with the smallest file that shows it.',
  },
};
