/** A cost model as the user names it; plain data, so that a worker can be given it. */
export type CostChoice =
  | { readonly kind: 'size' }
  | { readonly kind: 'profile'; readonly seed: number; readonly runs: number }
  | { readonly kind: 'file'; readonly file: string };

export const defaultSeed = 1;
export const defaultRuns = 100;

/** The name of a cost model in results and certificates: with it, and with the file where it says `file`, the costs can be had again. */
export function costName(choice: CostChoice): string {
  return choice.kind === 'profile'
    ? `profile (seed ${choice.seed}, runs ${choice.runs})`
    : choice.kind;
}

/** The choice that a name stands for; absent for `file`, whose costs the name does not tell, and for names that are none. */
export function choiceNamed(name: string): CostChoice | undefined {
  if (name === 'size') return { kind: 'size' };
  const [, seed, runs] = /^profile \(seed (\d{1,15}), runs (\d{1,9})\)$/.exec(name) ?? [];
  return seed === undefined || runs === undefined
    ? undefined
    : { kind: 'profile', seed: Number(seed), runs: Number(runs) };
}
