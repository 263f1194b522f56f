import {
  blocksAgain,
  libraryFunctions,
  noBlocks,
  outsideNames,
  wholeChoice,
} from '@fencewright/core/words';
import { InvalidArgumentError } from 'commander';
import type { OutsideWishes } from '../run-settings.js';

/**
 * Parses a range written as `4` or `1..4`; returns `undefined` for other texts, or if the bounds
 * are in the wrong order.
 */
function rangeOf(text: string): { readonly low: number; readonly high: number } | undefined {
  const [, first, second = first] = /^(-?\d+)(?:\.\.(-?\d+))?$/.exec(text) ?? [];
  const [low, high] = [Number(first), Number(second)];
  return Number.isSafeInteger(low) && Number.isSafeInteger(high) && low <= high
    ? { low, high }
    : undefined;
}

/**
 * Parses the range of a value that a program in C gets from outside. Throws if a bound is not
 * possible for the value.
 */
function choiceOf(name: string, text: string): OutsideWishes[string] {
  const whole = wholeChoice(name);
  const range = rangeOf(text);
  if (!whole || !range || range.low < whole.low || range.high > whole.high) {
    const bounds = whole ? ` from ${whole.low} to ${whole.high}` : '';
    throw new InvalidArgumentError(`It has to be a number${bounds}, or MIN..MAX.`);
  }
  return range;
}

/** Returns the argument of `--args` if it is a valid range for `argc`; throws otherwise. */
export function parseArgumentCount(text: string): string {
  choiceOf('argc', text);
  return text;
}

/** Returns the names of outside values that `--assume` accepts, in alphabetical order. */
function knownNames(): readonly string[] {
  const assumed = [...libraryFunctions].flatMap(([name, { kind }]) =>
    kind === 'assumed' ? [name] : [],
  );
  return [...outsideNames(), ...assumed].filter((name) => !name.startsWith('_')).sort();
}

/** Parses one argument of `--assume`; returns nothing for `NAME=succeeds`, assumed anyway. */
function assumptionIn(text: string): OutsideWishes {
  const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (!knownNames().includes(name))
    throw new InvalidArgumentError(
      `It has to be NAME=VALUE or NAME=MIN..MAX, with one of the names ${knownNames().join(', ')}.`,
    );
  if (!wholeChoice(name)) {
    if (value === 'succeeds') return {};
    if (name === blocksAgain && value === 'new') return { [blocksAgain]: noBlocks };
    const others = name === blocksAgain ? ` and ${name}=new` : '';
    throw new InvalidArgumentError(`Of ${name}, only ${name}=succeeds${others} can be said.`);
  }
  return { [name]: choiceOf(name, value) };
}

/** Adds an argument of `--assume` to the earlier arguments; throws if the argument is invalid. */
export function assumption(text: string, before: readonly string[] = []): readonly string[] {
  assumptionIn(text);
  return [...before, text];
}

/**
 * Returns the assumptions about values that a program in C gets from outside; `undefined` if there
 * are none.
 */
export function outsideWishes(
  args: string | undefined,
  assume: readonly string[] = [],
): OutsideWishes | undefined {
  const all = Object.assign(
    {},
    ...assume.map((text) => assumptionIn(text)),
    args === undefined ? {} : { argc: choiceOf('argc', args) },
  ) as OutsideWishes;
  return Object.keys(all).length > 0 ? all : undefined;
}
