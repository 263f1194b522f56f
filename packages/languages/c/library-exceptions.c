/*
 * The exceptions of libstdc++, whose descriptions, constructors and functions lie in its binary.
 * Each begins with its table of virtual functions; behind that, most have a text.
 */
void *__cxa_allocate_exception(size_t size);
void __cxa_throw(void *object, const void *type, void (*destroy)(void *))
    __attribute__((noreturn));
/* The text, if nobody can change it; NULL else. */
const char *__fencewright_constant_text(const char *text);

struct fw_exception {
  const void *const *table;
  const char *text;
  /* Of a std::system_error or a std::future_error: an error code. */
  int code;
  const void *category;
};

/* The tables of the classes of descriptions, which are told by their names. */
#define DESCRIBING(name, symbol)                                                                   \
  const void *const name[11] __asm__("_ZTVN10__cxxabiv1" symbol "E") = {NULL};
DESCRIBING(fw_class, "17__class_type_info")
DESCRIBING(fw_derived, "20__si_class_type_info")
DESCRIBING(fw_several, "21__vmi_class_type_info")
DESCRIBING(fw_pointer, "19__pointer_type_info")
DESCRIBING(fw_member, "29__pointer_to_member_type_info")
DESCRIBING(fw_enum, "16__enum_type_info")
DESCRIBING(fw_array, "17__array_type_info")
DESCRIBING(fw_function, "20__function_type_info")
DESCRIBING(fw_fundamental, "23__fundamental_type_info")

static const char *fw_text_of(const struct fw_exception *self) {
  if (!self->text)
    __fencewright_refuse("the text of an exception is followed only if it is a constant");
  return self->text;
}

/* All are destroyed as the states of threads are, which calls through pointers may call anyway. */
#define ENDING __attribute__((alias("_ZNSt6thread6_StateD2Ev")))
#define DELETING __attribute__((alias("fw_delete_state")))
/* A class: its description, its destructors, and the table with them. */
#define CLASS(id, symbol, says, ...)                                                               \
  extern const void *const fw_type_##id[] __asm__("_ZTI" symbol);                                  \
  const char fw_name_##id[] __asm__("_ZTS" symbol) = symbol;                                       \
  const void *const fw_type_##id[] = {__VA_ARGS__};                                                \
  void fw_end_##id(void *self) __asm__("_ZN" symbol "D1Ev") ENDING;                                \
  void fw_end_base_##id(void *self) __asm__("_ZN" symbol "D2Ev") ENDING;                           \
  void fw_delete_##id(void *self) __asm__("_ZN" symbol "D0Ev") DELETING;                           \
  const void *const fw_table_##id[5] __asm__("_ZTV" symbol) = {                                    \
      NULL, fw_type_##id, (void *)fw_end_##id, (void *)fw_delete_##id, (void *)says};
#define DERIVED(id, symbol, says, base)                                                            \
  CLASS(id, symbol, says, fw_derived + 2, fw_name_##id, fw_type_##base)

/* Classes whose text is always the same. */
#define SAYING(id, symbol, words)                                                                  \
  const char *fw_what_##id(const struct fw_exception *self) __asm__("_ZNK" symbol "4whatEv");      \
  const char *fw_what_##id(const struct fw_exception *self) { return words; }
#define SIMPLE(id, symbol, words, base)                                                            \
  SAYING(id, symbol, words)                                                                        \
  DERIVED(id, symbol, fw_what_##id, base)

SAYING(exception, "St9exception", "std::exception")
CLASS(exception, "St9exception", fw_what_exception, fw_class + 2, fw_name_exception)
SIMPLE(bad_exception, "St13bad_exception", "std::bad_exception", exception)
SIMPLE(bad_alloc, "St9bad_alloc", "std::bad_alloc", exception)
SIMPLE(bad_length, "St20bad_array_new_length", "std::bad_array_new_length", bad_alloc)
SIMPLE(bad_cast, "St8bad_cast", "std::bad_cast", exception)
SIMPLE(bad_typeid, "St10bad_typeid", "std::bad_typeid", exception)
SIMPLE(bad_call, "St17bad_function_call", "bad_function_call", exception)
SIMPLE(bad_weak, "St12bad_weak_ptr", "bad_weak_ptr", exception)
SIMPLE(bad_optional, "St19bad_optional_access", "bad optional access", exception)

/* Classes with a text, which is a copy: one of a text that may change is not followed. */
#define STRING "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
#define CONSTRUCTORS(id, symbol, kind)                                                             \
  void fw_begin_##kind##_##id(struct fw_exception *self, const char *text)                         \
      __asm__("_ZN" symbol kind##_SYMBOL "EPKc");                                                  \
  void fw_begin_##kind##_##id(struct fw_exception *self, const char *text) {                       \
    self->table = fw_table_##id + 2;                                                               \
    self->text = __fencewright_constant_text(text);                                                \
  }                                                                                                \
  void fw_begin_string_##kind##_##id(struct fw_exception *self, const void *string)                \
      __asm__("_ZN" symbol kind##_SYMBOL "ERK" STRING);                                            \
  void fw_begin_string_##kind##_##id(struct fw_exception *self, const void *string) {              \
    self->table = fw_table_##id + 2;                                                               \
    self->text = NULL;                                                                             \
  }
#define whole_SYMBOL "C1"
#define base_SYMBOL "C2"
#define COPIES(id, symbol, kind)                                                                   \
  void fw_copy_##kind##_##id(struct fw_exception *self, const struct fw_exception *other)          \
      __asm__("_ZN" symbol kind##_SYMBOL "ERKS_");                                                 \
  void fw_copy_##kind##_##id(struct fw_exception *self, const struct fw_exception *other) {        \
    self->table = fw_table_##id + 2;                                                               \
    self->text = other->text;                                                                      \
  }                                                                                                \
  void fw_move_##kind##_##id(struct fw_exception *self, struct fw_exception *other)                \
      __asm__("_ZN" symbol kind##_SYMBOL "EOS_");                                                  \
  void fw_move_##kind##_##id(struct fw_exception *self, struct fw_exception *other) {              \
    self->table = fw_table_##id + 2;                                                               \
    self->text = other->text;                                                                      \
  }
#define WITH_TEXT(id, symbol, first)                                                               \
  DERIVED(id, symbol, fw_what_##first, first)                                                      \
  CONSTRUCTORS(id, symbol, whole)                                                                  \
  CONSTRUCTORS(id, symbol, base)
#define FIRST_WITH_TEXT(id, symbol)                                                                \
  const char *fw_what_##id(const struct fw_exception *self) __asm__("_ZNK" symbol "4whatEv");      \
  const char *fw_what_##id(const struct fw_exception *self) { return fw_text_of(self); }           \
  DERIVED(id, symbol, fw_what_##id, exception)                                                     \
  CONSTRUCTORS(id, symbol, whole)                                                                  \
  CONSTRUCTORS(id, symbol, base)                                                                   \
  COPIES(id, symbol, whole)                                                                        \
  COPIES(id, symbol, base)

FIRST_WITH_TEXT(logic, "St11logic_error")
WITH_TEXT(domain, "St12domain_error", logic)
WITH_TEXT(invalid, "St16invalid_argument", logic)
WITH_TEXT(length, "St12length_error", logic)
WITH_TEXT(range, "St12out_of_range", logic)
FIRST_WITH_TEXT(runtime, "St13runtime_error")
WITH_TEXT(result, "St11range_error", runtime)
WITH_TEXT(overflow, "St14overflow_error", runtime)
WITH_TEXT(underflow, "St15underflow_error", runtime)
DERIVED(system, "St12system_error", fw_what_runtime, runtime)
DERIVED(future, "St12future_error", fw_what_logic, logic)

static void fw_no_category(const void *self) {
  __fencewright_refuse("the category of an error code has no model");
}
static const void *const fw_category_table[8] = {
    (void *)fw_no_category, (void *)fw_no_category, (void *)fw_no_category,
    (void *)fw_no_category, (void *)fw_no_category, (void *)fw_no_category,
    (void *)fw_no_category, (void *)fw_no_category};
static const void *const fw_category[1] = {fw_category_table};

/* What libstdc++ calls where it throws; texts with numbers in them are not followed. */
#define THROW(id, size, words)                                                                     \
  struct fw_exception *made = __cxa_allocate_exception(size);                                      \
  made->table = fw_table_##id + 2;                                                                 \
  words;                                                                                           \
  __cxa_throw(made, fw_type_##id, (void (*)(void *))fw_end_##id);
#define THROWS(id, symbol)                                                                         \
  void fw_throw_##id(void) __asm__(symbol);                                                        \
  void fw_throw_##id(void) { THROW(id, 8, (void)0) }
#define THROWS_TEXT(id, symbol)                                                                    \
  void fw_throw_##id(const char *text) __asm__(symbol);                                            \
  void fw_throw_##id(const char *text) {                                                           \
    THROW(id, 16, made->text = __fencewright_constant_text(text))                                  \
  }
#define THROWS_CODE(id, symbol)                                                                    \
  void fw_throw_##id(int code) __asm__(symbol) __attribute__((noreturn));                          \
  void fw_throw_##id(int code) {                                                                   \
    THROW(id, 32, (made->text = NULL, made->code = code, made->category = fw_category))            \
  }
THROWS(bad_exception, "_ZSt21__throw_bad_exceptionv")
THROWS(bad_alloc, "_ZSt17__throw_bad_allocv")
THROWS(bad_length, "_ZSt28__throw_bad_array_new_lengthv")
THROWS(bad_cast, "_ZSt16__throw_bad_castv")
THROWS(bad_typeid, "_ZSt18__throw_bad_typeidv")
THROWS(bad_call, "_ZSt25__throw_bad_function_callv")
THROWS(bad_weak, "_ZSt20__throw_bad_weak_ptrv")
THROWS(bad_optional, "_ZSt27__throw_bad_optional_accessv")
THROWS_TEXT(logic, "_ZSt19__throw_logic_errorPKc")
THROWS_TEXT(domain, "_ZSt20__throw_domain_errorPKc")
THROWS_TEXT(invalid, "_ZSt24__throw_invalid_argumentPKc")
THROWS_TEXT(length, "_ZSt20__throw_length_errorPKc")
THROWS_TEXT(range, "_ZSt20__throw_out_of_rangePKc")
THROWS_TEXT(runtime, "_ZSt21__throw_runtime_errorPKc")
THROWS_TEXT(result, "_ZSt19__throw_range_errorPKc")
THROWS_TEXT(overflow, "_ZSt22__throw_overflow_errorPKc")
THROWS_TEXT(underflow, "_ZSt23__throw_underflow_errorPKc")
THROWS_CODE(system, "_ZSt20__throw_system_errori")
THROWS_CODE(future, "_ZSt20__throw_future_errori")
void fw_throw_range_format(const char *format, ...) __asm__("_ZSt24__throw_out_of_range_fmtPKcz");
void fw_throw_range_format(const char *format, ...) { THROW(range, 16, made->text = NULL) }
void fw_throw_new(void) __asm__("__cxa_throw_bad_array_new_length");
void fw_throw_new(void) { fw_throw_bad_length(); }
