/* Texts, character by character. */
char *strerror(int error) { return __fencewright_unknown_text("strerror"); }
int strncmp(const char *one, const char *other, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (one[i] != other[i])
      return (unsigned char)one[i] - (unsigned char)other[i];
    if (!one[i])
      break;
  }
  return 0;
}
char *strchr(const char *text, int character) {
  for (; *text != (char)character; text++)
    if (!*text)
      return NULL;
  return (char *)text;
}
char *strcpy(char *to, const char *from) {
  size_t i = 0;
  for (; from[i]; i++)
    to[i] = from[i];
  to[i] = 0;
  return to;
}
char *strncpy(char *to, const char *from, size_t size) {
  size_t i = 0;
  for (; i < size && from[i]; i++)
    to[i] = from[i];
  for (; i < size; i++)
    to[i] = 0;
  return to;
}
char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t size) {
  size_t end = strlen(to), i = 0;
  for (; i < size && from[i]; i++)
    to[end + i] = from[i];
  to[end + i] = 0;
  return to;
}
size_t strnlen(const char *text, size_t most) {
  size_t length = 0;
  while (length < most && text[length])
    length++;
  return length;
}
char *strrchr(const char *text, int character) {
  for (size_t i = strlen(text) + 1; i > 0; i--)
    if (text[i - 1] == (char)character)
      return (char *)text + i - 1;
  return NULL;
}
char *strstr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (;; text++) {
    if (strncmp(text, part, length) == 0)
      return (char *)text;
    if (!*text)
      return NULL;
  }
}
void *memchr(const void *start, int byte, size_t size) {
  const unsigned char *bytes = start;
  for (size_t i = 0; i < size; i++)
    if (bytes[i] == (unsigned char)byte)
      return (void *)(bytes + i);
  return NULL;
}
char *strdup(const char *text) {
  char *copy = malloc(strlen(text) + 1);
  return strcpy(copy, text);
}

/* Numbers: blanks, a sign, a prefix by the base, digits. What is too large becomes the bound. */
static int is_blank(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }
static unsigned digit_of(char letter) {
  if (letter >= '0' && letter <= '9')
    return (unsigned)(letter - '0');
  if (letter >= 'a' && letter <= 'z')
    return (unsigned)(letter - 'a' + 10);
  return letter >= 'A' && letter <= 'Z' ? (unsigned)(letter - 'A' + 10) : 99;
}
static unsigned long read_number(const char *text, const char **end, unsigned base, int *is_minus,
                                 int *is_large) {
  const char *at = text;
  *is_minus = *is_large = 0;
  *end = text;
  while (is_blank(*at))
    at++;
  if (*at == '-' || *at == '+')
    *is_minus = *at++ == '-';
  int is_hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_of(at[2]) < 16;
  if ((base == 0 || base == 16) && is_hex) {
    at += 2;
    base = 16;
  }
  if (base == 0)
    base = *at == '0' ? 8 : 10;
  unsigned long value = 0;
  for (; digit_of(*at) < base; at++) {
    unsigned digit = digit_of(*at);
    if (value > (~0ul - digit) / base)
      *is_large = 1;
    else
      value = value * base + digit;
    *end = at + 1;
  }
  return value;
}
static int is_base(int base) { return base == 0 || (base >= 2 && base <= 36); }
static unsigned long no_base(void) {
  errno = EINVAL;
  return 0;
}
unsigned long strtoul(const char *text, char **end, int base) {
  if (!is_base(base))
    return no_base();
  const char *last;
  int is_minus, is_large;
  unsigned long value = read_number(text, &last, (unsigned)base, &is_minus, &is_large);
  if (end)
    *end = (char *)last;
  if (!is_large)
    return is_minus ? -value : value;
  errno = ERANGE;
  return ~0ul;
}
long strtol(const char *text, char **end, int base) {
  if (!is_base(base))
    return (long)no_base();
  const char *last;
  int is_minus, is_large;
  unsigned long value = read_number(text, &last, (unsigned)base, &is_minus, &is_large);
  unsigned long most = (~0ul >> 1) + (unsigned long)is_minus;
  if (end)
    *end = (char *)last;
  if (is_large || value > most) {
    errno = ERANGE;
    value = most;
  }
  return (long)(is_minus ? -value : value);
}
unsigned long long strtoull(const char *text, char **end, int base) {
  return strtoul(text, end, base);
}
long long strtoll(const char *text, char **end, int base) { return strtol(text, end, base); }
long atol(const char *text) { return strtol(text, NULL, 10); }
long long atoll(const char *text) { return strtol(text, NULL, 10); }
