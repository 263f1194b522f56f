/** Reads a mangled name of C++ from left to right. Source: Itanium C++ ABI, Sect. 5.1. */
class MangledName {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  take(pattern: RegExp): string | undefined {
    const [found] = pattern.exec(this.#rest) ?? [];
    if (found !== undefined) this.#rest = this.#rest.slice(found.length);
    return found;
  }

  /** Reads a length with a name, such as `4push`; returns the name. */
  takeName(): string | undefined {
    const digits = this.take(/^[0-9]+/);
    if (digits === undefined) return undefined;
    const name = this.#rest.slice(0, Number(digits));
    this.#rest = this.#rest.slice(name.length);
    return name;
  }

  /** Takes template arguments, if any, and returns whether there were some that can be read. */
  takeArguments(): boolean {
    if (this.take(/^I/) === undefined) return false;
    while (this.take(/^E/) === undefined) if (!this.#takeArgument()) return false;
    return true;
  }

  #takeArgument(): boolean {
    // A number such as `Li4E`, or a type.
    return this.take(/^L[a-z]n?[0-9]+E/) !== undefined || this.#takeType();
  }

  #takeType(): boolean {
    this.take(/^[rVKPRO]+/);
    if (this.take(/^(?:[a-z]|D[a-z]|T[0-9]*_)/) !== undefined) return true;
    if (this.take(/^N[rVK]*/) !== undefined) {
      while (this.take(/^E/) === undefined) if (!this.#takePart()) return false;
      return true;
    }
    return this.#takePart();
  }

  #takePart(): boolean {
    this.take(/^St(?=[0-9])/);
    const isNamed = this.take(/^S(?:[0-9A-Z]*_|[absiod])/) ?? this.takeName();
    if (isNamed === undefined) return false;
    this.takeArguments();
    return true;
  }
}

/**
 * Returns the name of a function as a program writes it, `Queue::push` or `Queue<...>::push`, by
 * its name in LLVM IR; the name itself for C, operators and names that cannot be read.
 */
export function readableName(name: string): string {
  const mangled = new MangledName(name);
  const start = mangled.take(/^_Z(?:N[rVKRO]*)?/);
  if (start === undefined) return name;
  const isNested = start !== '_Z';
  const parts: string[] = [];
  for (;;) {
    const special = mangled.take(/^[CD]\d/);
    const last = parts.at(-1)?.replace(/<\.\.\.>$/, '');
    if (special !== undefined && last !== undefined)
      parts.push(special.startsWith('D') ? `~${last}` : last);
    else {
      const part = mangled.takeName();
      if (part === undefined) return name;
      parts.push(mangled.takeArguments() ? `${part}<...>` : part);
    }
    if (!isNested || mangled.take(/^E/) !== undefined) return parts.join('::');
  }
}
