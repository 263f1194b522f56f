/**
 * Declares a fact: a function of an immutable object, such as a program or a thread, that is
 * computed when a caller first asks, and once for each object. Handing the object along hands its
 * facts along. The value lives as long as the object.
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
