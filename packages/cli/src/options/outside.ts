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
 * Returns the range written as `4` or `1..4`; `undefined` for other texts, or if the bounds are not
 * in order.
 */
function rangeOf(text: string): { readonly low: number; readonly high: number } | undefined {
  const [, first, second = first] = /^(-?\d+)(?:\.\.(-?\d+))?$/.exec(text) ?? [];
  const [low, high] = [Number(first), Number(second)];
  return Number.isSafeInteger(low) && Number.isSafeInteger(high) && low <= high
    ? { low, high }
    : undefined;
}

/** Returns the range of a value from outside given by a text; throws for values out of bounds. */
function choiceOf(name: string, text: string): OutsideWishes[string] {
  const whole = wholeChoice(name);
  const range = rangeOf(text);
  if (!whole || !range || range.low < whole.low || range.high > whole.high) {
    const bounds = whole ? ` from ${whole.low} to ${whole.high}` : '';
    throw new InvalidArgumentError(`It has to be a number${bounds}, or MIN..MAX.`);
  }
  return range;
}

/** Returns the text of `--args`, if a valid range for `argc`. */
export function argumentCount(text: string): string {
  choiceOf('argc', text);
  return text;
}

/** Returns the names known to `--assume`, in alphabetical order. */
function knownNames(): readonly string[] {
  const assumed = [...libraryFunctions].flatMap(([name, { kind }]) =>
    kind === 'assumed' ? [name] : [],
  );
  return [...outsideNames(), ...assumed].filter((name) => !name.startsWith('_')).sort();
}

/**
 * Returns the assumption in one text of `--assume`; empty for assumptions that hold in any case.
 */
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

/** Adds a valid text to the texts of `--assume`. */
export function assumption(text: string, before: readonly string[] = []): readonly string[] {
  assumptionIn(text);
  return [...before, text];
}

/** Returns the assumptions about values from outside; `undefined` if there are none. */
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
