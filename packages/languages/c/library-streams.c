/*
 * The streams of libstdc++: what is printed is kept as an output of the thread, and nothing else
 * happens, by the names of the operators, before any body of the headers counts. The bodies would
 * look at parts of streams that lie in libstdc++'s binary.
 */
struct fw_stream {
  const void *const *table;
  /* What the headers call std::ios_base and std::basic_ios. */
  const void *const *base;
  long precision, width;
  int flags, exceptions, state, unused[45];
  void *tie;
  char fill, has_fill;
  void *buffer, *facets[3];
};
/* The first word of the table that a stream points into is where its std::basic_ios lies. */
static const long fw_stream_table[5] = {8};
/* Nothing has a model that is asked of it, and it is not NULL. */
static char fw_stream_buffer[64];
#define STREAM(id, symbol)                                                                         \
  struct fw_stream id __asm__(symbol) = {.table = (const void *const *)&fw_stream_table[3],        \
                                         .precision = 6,                                           \
                                         .flags = 0x1002,                                          \
                                         .fill = ' ',                                              \
                                         .has_fill = 1,                                            \
                                         .buffer = fw_stream_buffer};
STREAM(fw_cout, "_ZSt4cout")
STREAM(fw_cerr, "_ZSt4cerr")
STREAM(fw_clog, "_ZSt4clog")

void fw_streams_begin(void *object) __asm__("_ZNSt8ios_base4InitC1Ev");
void fw_streams_begin(void *object) {}
void fw_streams_end(void *object) __asm__("_ZNSt8ios_base4InitD1Ev");
void fw_streams_end(void *object) {}
_Bool fw_streams_alone(_Bool is_with_c) __asm__("_ZNSt8ios_base15sync_with_stdioEb");
_Bool fw_streams_alone(_Bool is_with_c) { return 1; }

/* Streams that a program makes keep what is written, and have no model. */
static void *fw_printing(void *stream) {
  if (stream != &fw_cout && stream != &fw_cerr && stream != &fw_clog)
    __fencewright_limit("of streams, std::cout, std::cerr and std::clog have a model");
  return stream;
}

#define PRINTING(id, symbol, type, print)                                                          \
  void *id(void *stream, type value) __asm__(symbol);                                              \
  void *id(void *stream, type value) {                                                             \
    stream = fw_printing(stream);                                                                  \
    print;                                                                                         \
    return stream;                                                                                 \
  }
#define NUMBER(id, letter, type)                                                                   \
  PRINTING(fw_print_##id, "_ZNSolsE" letter, type, __fencewright_print_number(value))
#define UNSIGNED(id, letter, type)                                                                 \
  PRINTING(fw_print_##id, "_ZNSolsE" letter, type, __fencewright_print_unsigned(value))
NUMBER(bool, "b", _Bool)
NUMBER(short, "s", short)
NUMBER(int, "i", int)
NUMBER(long, "l", long)
NUMBER(long_long, "x", long long)
UNSIGNED(unsigned_short, "t", unsigned short)
UNSIGNED(unsigned, "j", unsigned)
UNSIGNED(unsigned_long, "m", unsigned long)
UNSIGNED(unsigned_long_long, "y", unsigned long long)
PRINTING(fw_print_pointer, "_ZNSolsEPKv", const void *, __fencewright_print_pointer(value))

#define FRACTION(id, letter, type)                                                                 \
  PRINTING(fw_print_##id, "_ZNSolsE" letter, type,                                                 \
           __fencewright_refuse("floating-point numbers that are printed have no model"))
FRACTION(double, "d", double)
FRACTION(float, "f", float)
FRACTION(long_double, "e", long double)

#define TEXT(name) "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_" name
PRINTING(fw_print_char, TEXT("c"), char, __fencewright_print_number(value))
PRINTING(fw_print_signed_char, TEXT("a"), signed char, __fencewright_print_number(value))
PRINTING(fw_print_unsigned_char, TEXT("h"), unsigned char, __fencewright_print_number(value))
PRINTING(fw_print_text, TEXT("PKc"), const char *, __fencewright_print_text(value))
PRINTING(fw_put, "_ZNSo3putEc", char, __fencewright_print_number(value))

/* Texts of known length, which need not end with a 0. */
static void *fw_print_part(void *stream, const char *text, long length) {
  stream = fw_printing(stream);
  for (long i = 0; i < length; i++)
    __fencewright_print_number(text[i]);
  return stream;
}
void *fw_insert(void *stream, const char *text, long length) __asm__(
    "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l");
void *fw_insert(void *stream, const char *text, long length) {
  return fw_print_part(stream, text, length);
}
void *fw_write(void *stream, const char *text, long length) __asm__("_ZNSo5writeEPKcl");
void *fw_write(void *stream, const char *text, long length) {
  return fw_print_part(stream, text, length);
}

/* How numbers are written is not followed. */
#define CHANGING(id, symbol, ...)                                                                  \
  void *id(void *stream __VA_ARGS__) __asm__(symbol);                                              \
  void *id(void *stream __VA_ARGS__) { return fw_printing(stream); }
CHANGING(fw_flush, "_ZNSo5flushEv")
CHANGING(fw_change, "_ZNSolsEPFRSt8ios_baseS0_E", , void *change)
#define MANIPULATOR(name) "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St" name
CHANGING(fw_set_width, MANIPULATOR("5_Setw"), , int width)
CHANGING(fw_set_fill, MANIPULATOR("8_SetfillIS3_E"), , char fill)
CHANGING(fw_set_precision, MANIPULATOR("13_Setprecision"), , int precision)
#define ENDING_TEXT(name) "_ZSt" name "IcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_"
CHANGING(fw_flush_stream, ENDING_TEXT("5flush"))
void *fw_end_line(void *stream) __asm__(ENDING_TEXT("4endl"));
void *fw_end_line(void *stream) { return fw_print_text(stream, "\n"); }
void *fw_end_text(void *stream) __asm__(ENDING_TEXT("4ends"));
void *fw_end_text(void *stream) { return fw_print_char(stream, 0); }
