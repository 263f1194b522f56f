/*
 * Operations of LLVM, to which builtins of the compiler are compiled: what is called llvm.cttz.i32
 * in the IR is __fencewright_cttz_i32 here, and so on. `isSome`: the operand is not 0.
 */
unsigned __fencewright_cttz_i32(unsigned word, _Bool isSome) {
  unsigned bit = 0;
  if (word == 0)
    return 32;
  for (unsigned step = 16; step > 0; step /= 2)
    if ((word & ((1u << step) - 1)) == 0) {
      bit += step;
      word >>= step;
    }
  return bit;
}
unsigned __fencewright_ctlz_i32(unsigned word, _Bool isSome) {
  unsigned bit = 0;
  if (word == 0)
    return 32;
  for (unsigned step = 16; step > 0; step /= 2)
    if (word >> (32 - step) == 0) {
      bit += step;
      word <<= step;
    }
  return bit;
}
unsigned __fencewright_ctpop_i32(unsigned word) {
  word -= word >> 1 & 0x55555555;
  word = (word & 0x33333333) + (word >> 2 & 0x33333333);
  return ((word + (word >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}
unsigned long __fencewright_cttz_i64(unsigned long word, _Bool isSome) {
  unsigned low = (unsigned)word;
  return low ? __fencewright_cttz_i32(low, isSome)
             : 32 + __fencewright_cttz_i32((unsigned)(word >> 32), isSome);
}
unsigned long __fencewright_ctlz_i64(unsigned long word, _Bool isSome) {
  unsigned high = (unsigned)(word >> 32);
  return high ? __fencewright_ctlz_i32(high, isSome)
              : 32 + __fencewright_ctlz_i32((unsigned)word, isSome);
}
unsigned long __fencewright_ctpop_i64(unsigned long word) {
  return __fencewright_ctpop_i32((unsigned)word) + __fencewright_ctpop_i32((unsigned)(word >> 32));
}
unsigned short __fencewright_bswap_i16(unsigned short word) {
  return (unsigned short)(word << 8 | word >> 8);
}
unsigned __fencewright_bswap_i32(unsigned word) {
  return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}
unsigned long __fencewright_bswap_i64(unsigned long word) {
  return (unsigned long)__fencewright_bswap_i32((unsigned)word) << 32 |
         __fencewright_bswap_i32((unsigned)(word >> 32));
}
unsigned char __fencewright_cttz_i8(unsigned char word, _Bool isSome) {
  return word ? (unsigned char)__fencewright_cttz_i32(word, isSome) : 8;
}
unsigned char __fencewright_ctlz_i8(unsigned char word, _Bool isSome) {
  return (unsigned char)(__fencewright_ctlz_i32(word, isSome) - 24);
}
unsigned char __fencewright_ctpop_i8(unsigned char word) {
  return (unsigned char)__fencewright_ctpop_i32(word);
}
unsigned short __fencewright_cttz_i16(unsigned short word, _Bool isSome) {
  return word ? (unsigned short)__fencewright_cttz_i32(word, isSome) : 16;
}
unsigned short __fencewright_ctlz_i16(unsigned short word, _Bool isSome) {
  return (unsigned short)(__fencewright_ctlz_i32(word, isSome) - 16);
}
unsigned short __fencewright_ctpop_i16(unsigned short word) {
  return (unsigned short)__fencewright_ctpop_i32(word);
}

/* For each size: rotations of two words, the bits in the other order, and extrema. */
#define ROTATE(bits, type)                                                                         \
  type __fencewright_fshl_i##bits(type high, type low, type by) {                                  \
    unsigned count = (unsigned)by & (bits - 1);                                                    \
    return count == 0 ? high : (type)(high << count | low >> (bits - count));                      \
  }                                                                                                \
  type __fencewright_fshr_i##bits(type high, type low, type by) {                                  \
    unsigned count = (unsigned)by & (bits - 1);                                                    \
    return count == 0 ? low : (type)(high << (bits - count) | low >> count);                       \
  }                                                                                                \
  type __fencewright_bitreverse_i##bits(type word) {                                               \
    type turned = 0;                                                                               \
    for (unsigned i = 0; i < bits; i++)                                                            \
      turned = (type)(turned << 1 | ((word >> i) & 1));                                            \
    return turned;                                                                                 \
  }
ROTATE(8, unsigned char)
ROTATE(16, unsigned short)
ROTATE(32, unsigned)
ROTATE(64, unsigned long)
#define EXTREMA(bits, type)                                                                        \
  type __fencewright_smax_i##bits(type one, type other) { return one > other ? one : other; }      \
  type __fencewright_smin_i##bits(type one, type other) { return one < other ? one : other; }      \
  unsigned type __fencewright_umax_i##bits(unsigned type one, unsigned type other) {               \
    return one > other ? one : other;                                                              \
  }                                                                                                \
  unsigned type __fencewright_umin_i##bits(unsigned type one, unsigned type other) {               \
    return one < other ? one : other;                                                              \
  }
EXTREMA(32, int)
EXTREMA(64, long)
/* The least number has no other sign: it stays where overflow is allowed, which C never does. */
int __fencewright_abs_i32(int word, _Bool isOther) {
  return word < 0 ? (int)(0u - (unsigned)word) : word;
}
long __fencewright_abs_i64(long word, _Bool isOther) {
  return word < 0 ? (long)(0ul - (unsigned long)word) : word;
}

/* As without optimisation: nothing is a constant, and no size of an object is known. */
#define CONSTANT(name, type)                                                                       \
  _Bool __fencewright_is_constant_##name(type value) { return 0; }
CONSTANT(i8, char)
CONSTANT(i16, short)
CONSTANT(i32, int)
CONSTANT(i64, long)
CONSTANT(p0, void *)
unsigned long __fencewright_objectsize_i64_p0(void *object, _Bool isLeast, _Bool isNull,
                                              _Bool isDynamic) {
  return isLeast ? 0 : ~0ul;
}

/* Caches and notes have no effect on what memory holds. */
void __fencewright_x86_sse2_clflush(void *line) {}
void __fencewright_x86_clflushopt(void *line) {}
void __fencewright_x86_clwb(void *line) {}
void __fencewright_var_annotation_p0_p0(void *local, void *text, void *file, int line,
                                        void *arguments) {}
