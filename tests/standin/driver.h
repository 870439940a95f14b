// What stand-ins for libraries ask of the stand-in for the driver, which the process has loaded.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <functional>

typedef uint64_t Address;

namespace {
template <class F> F driver(const char *name)
{
    static void *library = dlopen("libcuda.so.1", RTLD_NOW);
    void *found = library ? dlsym(library, name) : 0;
    if (!found) abort();
    return (F)found;
}

bool is_inside(Address at, size_t bytes) { return driver<bool (*)(Address, size_t)>("standin_is_inside")(at, bytes); }

void send(void *stream, const std::function<void()> &work)
{
    driver<void (*)(void *, const std::function<void()> *)>("standin_send")(stream, &work);
}

void report(const char *call, const char *why) { fprintf(stderr, "stand-in: %s is refused: %s\n", call, why); }
} // namespace
