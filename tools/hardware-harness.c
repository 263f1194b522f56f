/*
 * Runs a program again and again, each time in a process of its own, with its threads pinned to
 * cores and begun together, after delays by chance. The program is compiled with
 * -Dmain=program_main, -Dpthread_create=pinned_create and -Dpthread_join=opening_join.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern int program_main(int argc, char **argv);

static volatile int isOpen;
static unsigned chances;
static int started;

struct begin {
  void *(*run)(void *);
  void *argument;
  unsigned delay;
  int core;
};

static unsigned chance(void) {
  chances = chances * 1664525u + 1013904223u;
  return chances >> 8;
}

static void *begin(void *given) {
  struct begin own = *(struct begin *)given;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(own.core, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
  while (!isOpen)
    ;
  for (volatile unsigned left = own.delay; left > 0; left--)
    ;
  return own.run(own.argument);
}

int pinned_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                  void *argument) {
  struct begin *own = malloc(sizeof *own);
  own->run = run;
  own->argument = argument;
  own->delay = chance() % (1u << (chance() % 9));
  own->core = started++ % (int)sysconf(_SC_NPROCESSORS_ONLN);
  return pthread_create(thread, attributes, begin, own);
}

int opening_join(pthread_t thread, void **value) {
  isOpen = 1;
  return pthread_join(thread, value);
}

int main(int argc, char **argv) {
  int rounds = atoi(argv[1]);
  chances = (unsigned)atoi(argv[2]);
  for (int i = 0; i < rounds; i++) {
    chance();
    if (fork() == 0) {
      alarm(5);
      exit(program_main(1, argv));
    }
    wait(0);
  }
  return 0;
}
