// Preloaded into a process (LD_PRELOAD): every flush to disk takes SLOW_FLUSH_US microseconds longer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void linger(void) {
  static long micros = -1;
  if (micros < 0) {
    const char *text = getenv("SLOW_FLUSH_US");
    micros = text ? atol(text) : 0;
  }
  struct timespec left = {micros / 1000000, micros % 1000000 * 1000};
  while (nanosleep(&left, &left) != 0) {
  }
}

int fsync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  linger();
  return real(file);
}

int fdatasync(int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  linger();
  return real(file);
}
