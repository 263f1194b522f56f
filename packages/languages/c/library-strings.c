/*
 * Whether a text lies outside of a string: std::string compares the order of addresses, which is
 * the same question for each place of objects in memory, and its answer does not depend on them.
 */
_Bool fw_is_outside(const char *const *string, const char *text)
    __asm__("_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE11_M_disjunctEPKc");
_Bool fw_is_outside(const char *const *string, const char *text) {
  unsigned long length = ((const unsigned long *)string)[1];
  for (unsigned long i = 0; i <= length; i = i + 1)
    if (text == string[0] + i)
      return 0;
  return 1;
}
