/** A type of C: as written, and without the names that `typedef` gave. */
export interface CType {
  readonly written: string;
  readonly canonical: string;
  /**
   * Present for a parameter of C++ that is a reference to a variable: the type is then that of a
   * pointer to the variable.
   */
  readonly isReference?: true;
}

/** A function that a header declares. */
export interface HeaderFunction {
  readonly name: string;
  readonly result: CType;
  readonly parameters: readonly { readonly name: string; readonly type: CType }[];
  /** Whether the header contains the function's body. */
  readonly isDefined: boolean;
  /** Present for a member function of C++: the first parameter points to the object. */
  readonly isMember?: true;
}

/** The functions of a header in the order of its text, and its structs and unions with members. */
export interface Header {
  readonly functions: readonly HeaderFunction[];
  /** The types that the header declares completely, in canonical form, such as `struct queue`. */
  readonly complete: ReadonlySet<string>;
}

/** A class of a header in C++, with `int` for its type parameter. */
export interface HeaderClass {
  /** The name of the class with namespaces and template arguments, such as `lf::Ring<int>`. */
  readonly name: string;
  readonly isTemplate: boolean;
  /**
   * The parameters without defaults of the constructor that makes the shared object; a text that
   * says why no constructor can be chosen.
   */
  readonly making: HeaderFunction['parameters'] | string;
  /** The public member functions; the first parameter of each points to the object. */
  readonly methods: readonly HeaderFunction[];
}

/** The classes and functions that a header in C++ declares, in the order of its text. */
export interface CxxHeader {
  readonly classes: readonly HeaderClass[];
  /** The functions outside of classes that are no templates. */
  readonly functions: readonly HeaderFunction[];
  /** The classes of which variables can be declared without arguments. */
  readonly complete: ReadonlySet<string>;
  /** The names of the namespaces of classes and functions. */
  readonly namespaces: readonly string[];
}

/** Matches the types whose values are numbers. */
const number = /^(?:bool|float|double|(?:(?:un)?signed )?(?:char|short|int|long|long long))$/;

/** Whether values of the type are numbers. */
export function isNumberInCxx(type: string): boolean {
  return number.test(type);
}

/** Type qualifiers that an assignable variable must not have. */
export const ofConstants = 'const|restrict|__restrict|_Nonnull|_Nullable';
/** Returns a type as written, without the qualifiers that forbid assignments to a variable. */
export function variableType(written: string): string {
  return written.replaceAll(new RegExp(`\\b(?:${ofConstants})\\b ?`, 'g'), '').trim();
}
