/*
 * Before every file of C++ that is compiled with the headers of the machine: templates that
 * libstdc++ keeps in its binary are made from its headers. It defines the macro without asking.
 */
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#ifdef _GLIBCXX_EXTERN_TEMPLATE
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
#endif
