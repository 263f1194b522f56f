import { describe, expect, it } from 'vitest';
import type {
  Body,
  EventInstruction,
  EventProgram,
} from '@fencewright/model/program/event-program.js';
import { eventModel } from '@fencewright/model/program/model.js';
import { parseNative } from '@fencewright/core/native';

function parse(text: string): EventProgram {
  const { model, diagnostics } = parseNative(text);
  expect(diagnostics).toEqual([]);
  return eventModel(model)!.program;
}

const body = (program: EventProgram, name: string): Body =>
  program.bodies.find((one) => one.name === name)!;

/** Returns the kinds of the instructions in the order of the text, without their operands. */
const kinds = ({ transitions }: Body): readonly EventInstruction['kind'][] =>
  transitions.map(({ instruction }) => instruction.kind);

/** The news reader of [BEMR18] Fig. 1. */
const news = `program News
var list, shown, history, content
event searchForNews(key) { async[any] search(key); async[any] save(key); }
procedure search(key) { async[main] showList(key); }
procedure showList(result) { list = result; shown = 1; }
procedure save(key) { history = key; }
event showDetail() { local s, item; s = shown; if (s == 1) { item = list; async[any] download(item); } }
procedure download(item) { async[main] showContent(item); }
procedure showContent(text) { content = text; }
events searchForNews(1), showDetail()
`;

describe('a program of events', () => {
  it('has its events and procedures in the order of the text', () => {
    const { bodies, symbols, name } = parse(news);
    expect(name).toBe('News');
    expect(symbols.map((one) => one.name)).toEqual(['list', 'shown', 'history', 'content']);
    expect(bodies.map((one) => `${one.role} ${one.name}/${one.parameters}`)).toEqual([
      'event searchForNews/1',
      'procedure search/1',
      'procedure showList/1',
      'procedure save/1',
      'event showDetail/0',
      'procedure download/1',
      'procedure showContent/1',
    ]);
  });

  it('posts tasks with arguments that are evaluated at once', () => {
    const { transitions } = body(parse(news), 'searchForNews');
    expect(transitions.map(({ instruction }) => instruction)).toEqual([
      { kind: 'post', body: 1, to: 'any', arguments: [{ kind: 'register', register: 0 }] },
      { kind: 'post', body: 3, to: 'any', arguments: [{ kind: 'register', register: 0 }] },
    ]);
    const [post] = body(parse(news), 'search').transitions;
    expect(post?.instruction).toMatchObject({ kind: 'post', body: 2, to: 'main' });
  });

  it('gives parameters and locals registers, the parameters first', () => {
    const program = parse(
      'program P\nvar x\nevent e(a, b) { local c = b; x = a + c + x; }\nevents e(1, 2)',
    );
    expect(body(program, 'e').registers).toEqual([
      { name: 'a', hidden: false },
      { name: 'b', hidden: false },
      { name: 'c', hidden: false },
      { name: 'h1', hidden: true },
    ]);
  });

  it('calls procedures after the loads in the arguments, from left to right', () => {
    const program = parse(`program P
var x, y
event e() { call p(y, x + 1); }
procedure p(a, b) { if (a > 0) { call p(a - 1, b); } }
events e()`);
    const { transitions } = body(program, 'e');
    expect(transitions.map(({ instruction }) => instruction)).toMatchObject([
      { kind: 'load', into: 0, address: { symbol: 1 } },
      { kind: 'load', into: 1, address: { symbol: 0 } },
      { kind: 'call', body: 1, arguments: [{ register: 0 }, { kind: 'binary' }] },
    ]);
  });

  it('returns at once, also from within loops and branches', () => {
    const program = parse(`program P
var x
event e() { loop { if (x == 1) { return; } choose { return; } or { x = 2; } } }
events e()`);
    const { transitions, locations } = body(program, 'e');
    const left = new Set(transitions.map(({ from }) => from));
    const ends = [...locations.keys()].filter((location) => !left.has(location));
    expect(ends).toHaveLength(1);
    // The test, and the branch that only returns, lead to the end.
    const into = transitions.filter(({ to }) => to === ends[0]);
    expect(into.map(({ instruction }) => instruction.kind)).toEqual(['assume', 'skip']);
  });

  it('does not begin again where a choice only returns', () => {
    const program = parse(`program P
var x
event e() { choose { return; } or { x = 2; } x = 3; }
events e()`);
    const { transitions, initial } = body(program, 'e');
    expect(kinds(body(program, 'e'))).toEqual(['skip', 'store', 'store']);
    expect(transitions.filter(({ to }) => to === initial)).toEqual([]);
  });

  it('ends at the end of an empty body', () => {
    const program = parse('program P\nevent e() { }\nprocedure p() { return; }\nevents e()');
    for (const { transitions, locations, initial } of program.bodies) {
      expect(transitions).toEqual([]);
      expect(locations).toHaveLength(1);
      expect(initial).toBe(0);
    }
  });

  it('says how many instances of an event there are', () => {
    const { instances } = parse(`program P
const N = 3
event e(a) { }
event f() { }
event g(a, b) { }
events e(1) * 2, f(), g(N, -1) *
events e(N + 1) * N, f() *;`);
    expect(instances).toEqual([
      { event: 0, arguments: [1], count: 2 },
      { event: 1, arguments: [], count: 1 },
      { event: 2, arguments: [3, -1], count: 'any' },
      { event: 0, arguments: [4], count: 3 },
      { event: 1, arguments: [], count: 'any' },
    ]);
  });

  it('may have a declaration behind a star, whatever its first word is', () => {
    const { instances, bodies } = parse(
      'program P\nevents e() * event e() { }\nevents e() * procedure p() { }',
    );
    expect(instances.map(({ count }) => count)).toEqual(['any', 'any']);
    expect(bodies).toHaveLength(2);
  });

  it('has properties about shared variables', () => {
    const { properties } = parse(`program P
var x, a[2]
event e() { x = 1; }
events e()
property one: never (x == 2)
property two: finally (a[1] == 0)
property three: exists (x == 1)`);
    expect(properties.map(({ kind }) => kind)).toEqual(['never', 'finally', 'exists']);
  });

  it('has atomic blocks', () => {
    const program = parse('program P\nvar x\nevent e() { atomic { x = x + 1; } }\nevents e()');
    expect(kinds(body(program, 'e'))).toEqual(['lock', 'load', 'store', 'unlock']);
  });
});

describe('call, return, main and any', () => {
  it('may be names', () => {
    const program = parse(`program main
var call, any, async[2]
event e() { local return = call; return = return + 1; async[any] = return; any = 1; goto l; l: return; }
procedure p(main) { call = main; call q(any); return: any = 2; async[main] q(call); }
procedure q(r) { local h; h = any; }
events e()`);
    expect(kinds(body(program, 'e'))).toEqual(['load', 'assign', 'load', 'store', 'store']);
    expect(kinds(body(program, 'p'))).toEqual(['store', 'load', 'call', 'store', 'load', 'post']);
  });

  it('may be names in threads', () => {
    const { diagnostics } = parseNative(`program P
var call
thread main { local return, any; call = 1; return = call; any = return; return: call = 2; goto return; }
thread any regs call2 return init call begin call: return <- mem[call]; goto call; end`);
    expect(diagnostics).toEqual([]);
  });
});
