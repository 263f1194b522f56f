import { describe, expect, it, test } from 'vitest';
import { parseNative } from '@fencewright/core/native';
import { errorsOf } from './listing.js';

/** Returns the errors of a program whose declarations start in line 3. */
function errors(...lines: readonly string[]): readonly string[] {
  return errorsOf(['program P', 'var x, a[2]', ...lines].join('\n'));
}

/**
 * Returns the errors of an event's body, which is line 4; the program has a procedure with one
 * parameter.
 */
function errorsIn(body: string): readonly string[] {
  return errors('event open(n) {', body, '}', 'procedure work(m) { x = m; }', 'events open(1)');
}

describe('invocations', () => {
  test.each([
    ['call wrok(1);', "FW1002 4:6 no procedure is named 'wrok' (did you mean 'work'?)"],
    ['async[any] wrok(1);', "FW1002 4:12 no procedure is named 'wrok' (did you mean 'work'?)"],
    [
      'call open(1);',
      "FW1011 4:6 'open' is an event, and only the environment starts events (move the code into a procedure that the event calls)",
    ],
    [
      'async[main] open(1);',
      "FW1011 4:13 'open' is an event, and only the environment starts events (move the code into a procedure that the event calls)",
    ],
    [
      'call work();',
      "FW1011 4:6 procedure 'work' takes 1 argument, not 0 (give one argument for each parameter)",
    ],
    [
      'async[any] work(1, 2);',
      "FW1011 4:12 procedure 'work' takes 1 argument, not 2 (give one argument for each parameter)",
    ],
    [
      'async[mian] work(1);',
      "FW1002 4:7 no thread for tasks is named 'mian' (did you mean 'main'?)",
    ],
    ['async[pool] work(1);', "FW1002 4:7 no thread for tasks is named 'pool' (there is main, any)"],
    [
      'atomic { call work(1); }',
      "FW1010 4:10 'call' stands inside of an atomic block (end the block first: an atomic block holds only memory accesses)",
    ],
    [
      'atomic { async[any] work(1); }',
      "FW1010 4:10 'async' stands inside of an atomic block (end the block first: an atomic block holds only memory accesses)",
    ],
    [
      'atomic { return; }',
      "FW1010 4:10 'return' leads out of an atomic block (end the block first: otherwise the bus lock stays held)",
    ],
    ['lock; x = 1;', "FW1012 4:1 'lock' stands in an event (write a block: atomic { ... })"],
    [
      'work(1);',
      "FW1011 4:1 'work' is a procedure, and has no result (call a procedure by a statement: call work(...))",
    ],
    [
      'return 1;',
      "FW1001 4:8 expected ';' but found '1' (a thread ends after its last statement: jump to its end with goto; a procedure has no result)",
    ],
  ])('%s', (body, message) => {
    expect(errorsIn(body)).toEqual([message]);
  });

  it('are all looked at, arguments too', () => {
    expect(errorsIn('call wrok(y); async[any] work(z); call work(x + w);')).toEqual([
      "FW1002 4:6 no procedure is named 'wrok' (did you mean 'work'?)",
      "FW1002 4:11 no variable is named 'y' (declare it first: 'local y;' in the thread, or 'var y' for all threads)",
      "FW1002 4:31 no variable is named 'z' (declare it first: 'local z;' in the thread, or 'var z' for all threads)",
      "FW1002 4:49 no variable is named 'w' (declare it first: 'local w;' in the thread, or 'var w' for all threads)",
    ]);
  });
});

describe('bodies', () => {
  test.each([
    [
      'x = self;',
      "FW1010 4:5 'self' is the number of a thread's copy, and events and procedures have no such number (pass the number as an argument)",
    ],
    [
      'assume(x == 1);',
      "FW1011 4:8 'assume' reads only registers, and 'x' is shared (load it into a register first, or wait in a loop: while (!(...)) { })",
    ],
    [
      'goto there;',
      "FW1002 4:6 no label of this event is named 'there' (write 'there:' before the statement that is meant)",
    ],
    [
      '@nofence return;',
      'FW1010 4:1 no fence can stand at this annotation (put the annotation before a statement that has an effect)',
    ],
    [
      '@nofence @cost(2) { l: ; }',
      'FW1010 4:1 no fence can stand at this annotation (put the annotation before a statement that has an effect)',
    ],
  ])('%s', (body, message) => {
    expect(errorsIn(body)[0]).toBe(message);
  });

  it('share no labels', () => {
    expect(
      errors(
        'event e() { goto l; }',
        'procedure p() { l: x = 1; goto m; m: x = 2; goto l; }',
        'events e()',
      ),
    ).toEqual([
      "FW1002 3:18 no label of this event is named 'l' (write 'l:' before the statement that is meant)",
    ]);
  });

  it('may have annotations where a fence has a place', () => {
    expect(errorsIn('@nofence call work(1); @cost(2) async[any] work(1); @nofence x = 1;')).toEqual(
      [],
    );
  });
});

describe('names', () => {
  it('are declared once, in whatever role', () => {
    expect(
      errors(
        'const N = 1',
        'event x() { local N; }',
        'event N() { }',
        'event e(a, p) { local e, q; }',
        'procedure e() { }',
        'procedure p(r, r) { local r; }',
        'procedure q(self) { }',
        'events e(1, 2)',
      ),
    ).toEqual([
      "FW1003 4:7 name 'x' is declared twice (first declared in line 2; rename one of them)",
      "FW1003 4:19 name 'N' is declared twice (first declared in line 3; rename one of them)",
      "FW1003 5:7 name 'N' is declared twice (first declared in line 3; rename one of them)",
      "FW1003 6:9 name 'a' is declared twice (first declared in line 2; rename one of them)",
      "FW1003 6:12 name 'p' is declared twice (first declared in line 8; rename one of them)",
      "FW1003 6:23 name 'e' is declared twice (first declared in line 6; rename one of them)",
      "FW1003 6:26 name 'q' is declared twice (first declared in line 9; rename one of them)",
      "FW1003 7:11 name 'e' is declared twice (first declared in line 6; rename one of them)",
      "FW1003 8:16 name 'r' is declared twice (first declared in line 8; rename one of them)",
      "FW1003 8:27 name 'r' is declared twice (first declared in line 8; rename one of them)",
      "FW1010 9:13 'self' is the number of a thread's copy (take another name)",
    ]);
  });
});

describe('instances', () => {
  test.each([
    ['opne(1)', "FW1002 5:8 no event is named 'opne' (did you mean 'open'?)"],
    [
      'work()',
      "FW1011 5:8 'work' is a procedure, and the environment starts events only (write an event that calls it: event e() { call work(); })",
    ],
    [
      'open()',
      "FW1011 5:8 event 'open' takes 1 argument, not 0 (give one argument for each parameter)",
    ],
    ['open(x)', "FW1011 5:13 a constant is needed here (use numbers and 'const' names)"],
    [
      'open(1) * 0',
      'FW1011 5:16 an event has 1 to 64 instances, not 0 (write * alone for any number of them)',
    ],
    [
      'open(1) * -2',
      'FW1011 5:16 an event has 1 to 64 instances, not -2 (write * alone for any number of them)',
    ],
    [
      'open(1) * 65',
      'FW1011 5:16 an event has 1 to 64 instances, not 65 (write * alone for any number of them)',
    ],
    ['open(1) * N', "FW1002 5:18 no constant is named 'N' (declare the constant first)"],
  ])('%s', (instance, message) => {
    expect(
      errors('event open(n) { x = n; }', 'procedure work() { }', `events ${instance}`),
    ).toContain(message);
  });

  it('are needed', () => {
    expect(errors('event e() { x = 1; }')).toEqual([
      "FW1010 3:1 the declaration 'events' is missing: no event has an instance (write events e(), or events e() * for any number)",
    ]);
  });
});

describe('programs', () => {
  it('have threads or events', () => {
    expect(errors('thread t { x = 1; }', 'event e() { x = 2; }', 'events e()')).toEqual([
      'FW1010 4:1 a program cannot have both threads and events (write the threads as procedures that an event posts: async[any] p();)',
    ]);
    expect(errors('events e()', 'event e() { x = 2; }', 'thread t { y = 1; }')).toEqual([
      'FW1010 5:1 a program cannot have both threads and events (write the threads as procedures that an event posts: async[any] p();)',
      "FW1002 5:12 no variable is named 'y' (declare it first: 'local y;' in the thread, or 'var y' for all threads)",
    ]);
  });

  it('of events have no invariants and no arrays without bounds', () => {
    expect(
      errors('var b[*]', 'event e() { b[1] = 1; }', 'events e()', 'invariant i: x == 0'),
    ).toEqual([
      "FW1010 3:5 'b' has no bounds: only proofs about threads support such arrays (give the number of its cells)",
      'FW1010 6:1 invariants are about threads, and a program of events has none (write a property: never (...))',
    ]);
  });

  it('have properties of shared variables only', () => {
    const beyond =
      'properties cannot read positions and registers of tasks (store the value in a shared variable)';
    expect(
      errors(
        'event e(n) { local r; l: x = 1; }',
        'events e(1)',
        'property one: never (e @ l)',
        'property two: finally (e.r == 0 || x == 1)',
        'property three: exists (ended(e))',
        'property four: never (r == 1)',
        'property five: stuck (x == 1)',
        'property six: always (x == 1)',
      ),
    ).toEqual([
      `FW1010 5:22 ${beyond}`,
      `FW1010 6:24 ${beyond}`,
      `FW1010 7:25 ${beyond}`,
      `FW1010 8:23 ${beyond}`,
      "FW1010 9:16 'stuck' is about waiting threads, and a program of events has none (ask with never, finally or exists)",
      "FW1002 10:15 no kind of property is named 'always' (for a condition that always holds, write never (!(...)))",
    ]);
  });

  it('report all their errors at once', () => {
    expect(
      errors('event e() { call p(; }', 'procedure q() { y = 1; }', 'events e(2), f()').length,
    ).toBeGreaterThan(3);
  });
});

describe('events that wait for a place', () => {
  const bodies = [
    'event e() { here: x = 1; atomic { inside: x = 2; } }',
    'event f() { there: ; call work(); }',
    'procedure work() { done: ; }',
  ];

  test.each([
    ['e(), f() after e.here', undefined],
    ['e(), f() * after e.here && work.done, f()', undefined],
    ['e(), f() after g.here', "FW1002 6:23 no event or procedure is named 'g'"],
    ['e(), f() after e.her', "FW1002 6:25 no label of 'e' is named 'her' (did you mean 'here'?)"],
    [
      'e(), f() after e.inside',
      "FW1010 6:25 'inside' stands inside of an atomic block (wait for a label behind the block)",
    ],
    [
      'e() after f.there, f() after e.here',
      "FW1011 6:18 'e' never starts: no other task reaches this place (wait for a place that another task reaches)",
    ],
    [
      'e(), f() after work.done',
      "FW1011 6:23 'f' never starts: no other task reaches this place (wait for a place that another task reaches)",
    ],
    ['e() * 2, f() after e', undefined],
    [
      'e(), f() after work',
      "FW1011 6:23 'work' is a procedure, and only an event ends with all its tasks (wait for an event, or for a label: work.label)",
    ],
    ['e(), f() after e.', 'FW1001 6:25 expected a name'],
    [
      'e() after f, f() after e',
      "FW1011 6:18 'e' never starts: no other task reaches this place (wait for a place that another task reaches)",
    ],
  ])('%s', (instances, message) => {
    const found = errors(...bodies, `events ${instances}`);
    if (message === undefined) expect(found).toEqual([]);
    else expect(found[0]).toContain(message);
  });

  const [under, twice, several] = [
    "'work' need not be posted exactly once",
    'a procedure that it calls posts tasks',
    'posts tasks and has several instances',
  ];

  test.each([
    ['async[any] work();', 'e()', undefined],
    ['{ l: async[main] work(); }', 'e()', undefined],
    ['x = 1; call other();', 'e() * 2', undefined],
    ['async[any] work();', 'e() * 2', several],
    ['async[any] work();', 'e() *', several],
    ['async[any] work();', 'e(), e()', several],
    ['if (x == 0) { async[any] work(); }', 'e()', under],
    ['while (x == 0) { async[any] work(); }', 'e()', under],
    ['choose { async[any] work(); } or { }', 'e()', under],
    ['if (x == 0) { return; } async[any] work();', 'e()', under],
    ['async[any] work(); async[any] work();', 'e()', under],
    ['async[any] work(); call work();', 'e()', under],
    ['call more();', 'e()', twice],
  ])('that end with their tasks: %s %s', (body, instances, message) => {
    const found = errors(
      `event e() { ${body} }`,
      'event f() { x = 2; }',
      'procedure work() { x = 3; }',
      'procedure other() { x = 4; }',
      'procedure more() { call less(); }',
      `procedure less() { ${message === twice ? 'async[any] work();' : ''} }`,
      `events ${instances}, f() after e`,
    );
    if (message === undefined) expect(found).toEqual([]);
    else expect(found[0]).toContain(message);
  });

  it('have no number of instances that splits an event from its tasks', () => {
    const text = `program P var x event e() { async[any] p(); } procedure p() { x = 1; }
event f() { x = 2; } events e(), f() after e`;
    const { diagnostics } = parseNative(text, new Map([['e', 2]]));
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "'e' posts tasks and has several instances, so that its end has no place in the text",
    ]);
  });

  it('are printed with labels at the ends', () => {
    const text = `program P var x event e() { finished: x = 1; async[any] p(); }
procedure p() { x = 2; } event f() { x = 3; } events e(), f() after e`;
    const { model } = parseNative(text);
    if (model?.kind !== 'events') throw new Error('no events');
    const { instances, milestones } = model.program;
    expect(instances[1]!.after).toEqual([0, 1]);
    expect(milestones).toEqual([
      { body: 0, label: 'finished1' },
      { body: 1, label: 'finished' },
    ]);
  });

  it('have no number of instances for different places', () => {
    const text = `program P var x event e() { here: x = 1; } event f() { x = 2; }
events e(), f() after e.here, f()`;
    const { diagnostics } = parseNative(text, new Map([['f', 2]]));
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "the number of instances of 'f' is given, but its instances wait for different places",
    ]);
  });
});
