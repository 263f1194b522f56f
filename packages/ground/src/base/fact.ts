/**
 * Declares a fact: a function of an immutable object, such as a program or a thread, whose value is
 * computed at the first call for the object, and stored as long as the object lives. A stage that
 * receives the object also receives the stored facts.
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
