/** The relations between numbers that random conditions use. */
export const relations = ['==', '!=', '<', '<=', '>', '>='] as const;
export type Relation = (typeof relations)[number];

/** Whether a relation holds between two numbers. */
export function holds<T extends number | bigint>(left: T, relation: Relation, right: T): boolean {
  switch (relation) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}
