/**
 * Declares a fact: a function of an immutable object that is computed when a caller first asks, and
 * once for each object. The object is handed along, and its facts with the object: programs, threads
 * and tables of symbols have facts. The value lives as long as the object.
 */
export function fact<Subject extends object, Value>(
  compute: (subject: Subject) => Value,
): (subject: Subject) => Value {
  const known = new WeakMap<Subject, { readonly value: Value }>();
  return (subject) => {
    const found = known.get(subject);
    if (found) return found.value;
    const value = compute(subject);
    known.set(subject, { value });
    return value;
  };
}
