import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { ModelReach } from '@fencewright/model/verdict/reach-result.js';

const limits = { maxStates: 400_000 };

/** The answers about a program, in terms of statements and cells. */
export interface Said {
  readonly verdict: string;
  /** The feasible attacks: source thread, store and load. */
  readonly attacks: readonly string[];
  readonly sc: readonly string[];
  readonly tso: readonly string[];
  /** Whether the final assertion can fail, under SC and under TSO in this order. */
  readonly wrong: readonly boolean[];
}

const isWrong = ({ failedAssertions, properties }: ModelReach): boolean =>
  failedAssertions.length > 0 || properties.some(({ verdict }) => verdict === 'violated');

/** Returns the final states, restricted to these cells. */
function finals(
  program: Program,
  { finalStates }: ModelReach,
  names: readonly string[],
): readonly string[] {
  if (names.length === 0) return [];
  const lines = finalStates.map(({ memory }) =>
    names
      .map((name) => {
        const { base } = program.symbols.find((one) => one.name === name)!;
        return `${name}=${memory.get(base) ?? 0}`;
      })
      .join(' '),
  );
  return [...new Set(lines)].toSorted();
}

/** Returns the program of a parse. Throws if the text has errors. */
export function programIn({ model, diagnostics }: ParseResult): Program {
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

/**
 * Returns the answers about a program whose lines are the statements; parts that are unknown are
 * absent. `watched` is the program in which no store to the observed cells is optimised away.
 */
export async function saidOf(
  program: Program,
  watched: Program,
  statements: ReadonlyMap<number, number>,
  names: readonly string[],
): Promise<Said | undefined> {
  const checked = await check(program, { allAttacks: true, limits });
  const { sc, tso } = await reach(watched, { limits });
  if (checked.verdict.kind === 'unknown' || sc.incomplete || tso.incomplete) return undefined;
  const statementOf = (thread: number, transition: number): string => {
    const line = program.threads[thread]?.transitions[transition]?.origin.span?.start.line;
    return String(statements.get(line ?? -1) ?? `line ${line}`);
  };
  const attacks = checked.attacks.flatMap(({ attack: { thread, store, load }, verdict }) =>
    verdict === 'feasible' ? [`${statementOf(thread, store)} ${statementOf(thread, load)}`] : [],
  );
  return {
    verdict: checked.verdict.kind,
    attacks: [...new Set(attacks)].toSorted(),
    sc: finals(watched, sc, names),
    tso: finals(watched, tso, names),
    wrong: [isWrong(sc), isWrong(tso)],
  };
}
