// A stand-in for the CUDA driver and NVRTC, so that tests run the library's whole way to a device on a computer without one:
// a test double, not an emulator. Kernels are compiled by the host's C++ compiler with `cuda/host.h` before them.
//
// It is strict where a GPU is silent. What a captured stream cannot take is refused, and memory of the pool is not asked for
// there. Work waits in its stream until something waits for that stream, so what one stream reads
// of another without an event is not there yet. Device memory cannot be touched but by work that runs; it is full of 0xFD where
// nothing was written, and gaps between blocks are checked when a block is freed. A launch whose parameters have another size
// than the kernel's structure is refused.
//
// STANDIN_CXX is the compiler, STANDIN_HEADER the path of `cuda/host.h`, STANDIN_DEVICES how many devices there are.
#include <dlfcn.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

extern char **environ;

namespace {
enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NOT_FOUND = 500, CAPTURING = 900, VOID = 901 };
typedef uint64_t Address;

// Protection changes by huge pages: of small ones that took most of the time.
const size_t ARENA = 4ull << 30, GAP = 256, PAGE = 2 << 20;
const unsigned char POISON = 0xFD;

std::recursive_mutex lock;
#define LOCKED std::lock_guard<std::recursive_mutex> guard(lock)

struct Graph {
    std::vector<std::function<void()>> work;
};

struct Stream {
    std::deque<std::function<void()>> work;
    // Where work is written down instead, and whether something ended that.
    Graph *capture = 0;
    bool is_void = false;

    void send(std::function<void()> next)
    {
        if (capture)
            capture->work.push_back(std::move(next));
        else
            work.push_back(std::move(next));
    }
    // For what has no place in a graph.
    bool refuses()
    {
        is_void |= capture != 0;
        return capture != 0;
    }
};

struct Mark {
    Stream *stream;
    bool done;
};

struct Event {
    std::shared_ptr<Mark> mark;
};

struct Kernel {
    void (*run)(const void *, const unsigned *);
    size_t bytes;
};

struct Block {
    size_t bytes, room;
    long context = 0;
};

int n_devices()
{
    const char *n = getenv("STANDIN_DEVICES");
    return n ? atoi(n) : 1;
}

char *arena;
size_t used, in_use, running;
std::map<Address, Block> blocks;
std::multimap<size_t, Address> free_blocks;
std::set<Stream *> streams;
thread_local long current;

// 1 and 2 stand for the default streams.
Stream *real(Stream *s)
{
    static Stream plain[3];
    Stream *known = (uintptr_t)s <= 2 ? plain + (uintptr_t)s : s;
    streams.insert(known);
    return known;
}

void protect(int access)
{
    if (used && mprotect(arena, used, access)) abort();
}

// Runs what waits in a stream up to where `until` is true.
void run(Stream *s, const std::function<bool()> &until)
{
    if (running++ == 0) protect(PROT_READ | PROT_WRITE);
    while (!s->work.empty() && !until()) {
        std::function<void()> next = std::move(s->work.front());
        s->work.pop_front();
        next();
    }
    if (--running == 0) protect(PROT_NONE);
}

void drain(Stream *s) { run(s, [] { return false; }); }

void check_gap(Address at, const Block &b)
{
    for (size_t i = b.bytes; i < b.room; ++i)
        if (((unsigned char *)at)[i] != POISON) {
            fprintf(stderr, "stand-in: byte %zu behind a block of %zu bytes was written to\n", i - b.bytes, b.bytes);
            abort();
        }
}

bool is_inside(Address at, size_t bytes)
{
    auto b = blocks.upper_bound(at);
    if (b == blocks.begin()) return bytes == 0;
    --b;
    return at + bytes <= b->first + b->second.bytes;
}
}

extern "C" {
int cuInit(unsigned) { return OK; }
int cuDeviceGetCount(int *n) { return *n = n_devices(), OK; }
int cuDeviceGet(int *device, int n) { return n < n_devices() ? (*device = n, OK) : 101; }
int cuDevicePrimaryCtxRetain(long *context, int device) { return *context = device + 1, OK; }
int cuDevicePrimaryCtxRelease_v2(int) { return OK; }
int cuCtxGetCurrent(long *context) { return *context = current, OK; }
int cuCtxSetCurrent(long context) { return current = context, OK; }
int cuDeviceGetAttribute(int *value, int attribute, int)
{
    // Compute capability, multiprocessors, memory pools.
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 16 ? 4 : attribute == 115 ? 1 : 0;
    return OK;
}
int cuGetErrorName(int error, const char **name)
{
    *name = error == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : error == INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE" : "CUDA_ERROR_UNKNOWN";
    return OK;
}
int cuGetErrorString(int error, const char **text) { return cuGetErrorName(error, text); }

int cuCtxSynchronize()
{
    LOCKED;
    if (!current) return INVALID_CONTEXT;
    for (Stream *s : streams) drain(s);
    return OK;
}

int cuStreamCreate(Stream **s, unsigned)
{
    LOCKED;
    if (!current) return INVALID_CONTEXT;
    streams.insert(*s = new Stream());
    return OK;
}
int cuStreamDestroy_v2(Stream *s)
{
    LOCKED;
    if (s->refuses()) return CAPTURING;
    drain(s);
    streams.erase(s);
    delete s;
    return OK;
}
int cuStreamSynchronize(Stream *s)
{
    LOCKED;
    if (s->refuses()) return CAPTURING;
    drain(s);
    return OK;
}

int cuEventCreate(Event **e, unsigned) { return *e = new Event(), OK; }
int cuEventDestroy_v2(Event *e) { return delete e, OK; }
int cuEventRecord(Event *e, Stream *s)
{
    LOCKED;
    s = real(s);
    if (s->refuses()) return CAPTURING;
    std::shared_ptr<Mark> mark(new Mark{s, false});
    e->mark = mark;
    s->send([mark] { mark->done = true; });
    return OK;
}
int cuEventSynchronize(Event *e)
{
    LOCKED;
    std::shared_ptr<Mark> mark = e->mark;
    if (mark) run(mark->stream, [mark] { return mark->done; });
    return OK;
}
int cuStreamWaitEvent(Stream *s, Event *e, unsigned)
{
    LOCKED;
    s = real(s);
    if (s->refuses()) return CAPTURING;
    std::shared_ptr<Mark> mark = e->mark;
    s->send([mark] {
        if (!mark->done) run(mark->stream, [mark] { return mark->done; });
    });
    return OK;
}

int cuDeviceGetDefaultMemPool(void **pool, int) { return *pool = &used, OK; }
int cuMemPoolSetAttribute(void *, int, void *) { return OK; }
int cuMemPoolGetAttribute(void *, int attribute, uint64_t *value)
{
    LOCKED;
    // 5 is what is reserved, 7 what is used.
    *value = attribute == 7 ? in_use : used;
    return OK;
}
int cuMemGetInfo_v2(size_t *free, size_t *total)
{
    LOCKED;
    *total = ARENA, *free = ARENA - in_use;
    return OK;
}

int cuMemAllocAsync(Address *at, size_t bytes, Stream *s)
{
    LOCKED;
    if (s->refuses()) return CAPTURING;
    if (!bytes) return INVALID_VALUE;
    if (!arena) {
        void *room = mmap(0, ARENA + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (room == MAP_FAILED) abort();
        arena = (char *)(((Address)room + PAGE - 1) / PAGE * PAGE);
        madvise(arena, ARENA, MADV_HUGEPAGE);
    }
    const size_t room = (bytes + 255) / 256 * 256 + GAP;
    auto found = free_blocks.lower_bound(room);
    if (found != free_blocks.end() && found->first <= 2 * room) {
        *at = found->second;
        blocks[*at] = Block{bytes, found->first, current};
        free_blocks.erase(found);
    } else {
        static size_t end;
        if (end + room > ARENA) return OUT_OF_MEMORY;
        *at = (Address)arena + end;
        blocks[*at] = Block{bytes, room, current};
        end += room;
        used = (end + PAGE - 1) / PAGE * PAGE;
        protect(running ? PROT_READ | PROT_WRITE : PROT_NONE);
    }
    in_use += bytes;
    const Address here = *at;
    const size_t all = blocks[here].room;
    s->send([here, all] { memset((void *)here, POISON, all); });
    return OK;
}
int cuMemFreeAsync(Address at, Stream *s)
{
    LOCKED;
    if (s->refuses()) return CAPTURING;
    if (!blocks.count(at)) return INVALID_VALUE;
    s->send([at] {
        const Block b = blocks[at];
        check_gap(at, b);
        memset((void *)at, POISON, b.room);
        in_use -= b.bytes;
        blocks.erase(at);
        free_blocks.emplace(b.room, at);
    });
    return OK;
}

// Page-locked memory of the host, which copies read when they run.
std::map<const char *, size_t> pinned;
bool is_pinned(const void *at)
{
    auto p = pinned.upper_bound((const char *)at);
    return p != pinned.begin() && (const char *)at < (--p)->first + p->second;
}
int cuMemHostAlloc(void **at, size_t bytes, unsigned)
{
    LOCKED;
    if (!current || !bytes) return INVALID_VALUE;
    pinned[(char *)(*at = malloc(bytes))] = bytes;
    return OK;
}
int cuMemFreeHost(void *at)
{
    LOCKED;
    if (!pinned.erase((char *)at)) return INVALID_VALUE;
    return free(at), OK;
}

int cuPointerGetAttribute(void *value, int attribute, Address at)
{
    LOCKED;
    auto b = blocks.upper_bound(at);
    // The number of the device alone is asked for.
    if (attribute != 9 || b == blocks.begin() || !is_inside(at, 1)) return INVALID_VALUE;
    *(int *)value = (--b)->second.context - 1;
    return OK;
}

int cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, Stream *s)
{
    LOCKED;
    if (s->refuses()) return CAPTURING;
    if (!is_inside(to, bytes)) return INVALID_VALUE;
    if (is_pinned(from)) {
        s->send([to, from, bytes] { memcpy((void *)to, from, bytes); });
        return OK;
    }
    // Memory that is not pinned may change once the call is back.
    std::vector<char> copy((const char *)from, (const char *)from + bytes);
    s->send([to, copy] { memcpy((void *)to, copy.data(), copy.size()); });
    return OK;
}
int cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, Stream *s)
{
    LOCKED;
    if (s->refuses()) return CAPTURING;
    if (!is_inside(from, bytes)) return INVALID_VALUE;
    s->send([to, from, bytes] { memcpy(to, (const void *)from, bytes); });
    return OK;
}
int cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, Stream *s)
{
    LOCKED;
    if (!is_inside(to, bytes) || !is_inside(from, bytes)) return INVALID_VALUE;
    s->send([to, from, bytes] { memmove((void *)to, (const void *)from, bytes); });
    return OK;
}
int cuMemsetD8Async(Address to, unsigned char value, size_t bytes, Stream *s)
{
    LOCKED;
    if (!is_inside(to, bytes)) return INVALID_VALUE;
    s->send([to, value, bytes] { memset((void *)to, value, bytes); });
    return OK;
}

long graph_launches;
// For tests: how many graphs were launched.
long standin_graph_launches() { return graph_launches; }
int cuStreamBeginCapture_v2(Stream *s, int)
{
    LOCKED;
    if (s->capture) return INVALID_VALUE;
    s->capture = new Graph();
    s->is_void = false;
    return OK;
}
int cuStreamEndCapture(Stream *s, Graph **graph)
{
    LOCKED;
    if (!s->capture) return INVALID_VALUE;
    *graph = s->capture;
    s->capture = 0;
    if (!s->is_void) return OK;
    delete *graph;
    return *graph = 0, VOID;
}
int cuGraphInstantiateWithFlags(Graph **exec, Graph *graph, uint64_t) { return *exec = new Graph(*graph), OK; }
int cuGraphDestroy(Graph *graph) { return delete graph, OK; }
int cuGraphExecDestroy(Graph *exec)
{
    LOCKED;
    return delete exec, OK;
}
int cuGraphLaunch(Graph *exec, Stream *s)
{
    LOCKED;
    if (s->refuses()) return CAPTURING;
    for (const std::function<void()> &next : exec->work) s->send(next);
    ++graph_launches;
    return OK;
}

// An image is the length of a shared library and its bytes.
int cuModuleLoadData(void **module, const void *image)
{
    LOCKED;
    if (!current) return INVALID_CONTEXT;
    uint64_t size;
    memcpy(&size, image, 8);
    char path[] = "/tmp/standin-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0) return INVALID_IMAGE;
    const bool written = write(file, (const char *)image + 8, size) == (ssize_t)size;
    close(file);
    *module = written ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : 0;
    if (!*module) fprintf(stderr, "stand-in: %s\n", dlerror());
    unlink(path);
    return *module ? OK : INVALID_IMAGE;
}
int cuModuleGetFunction(Kernel **kernel, void *module, const char *name)
{
    LOCKED;
    void *run = dlsym(module, name), *bytes = dlsym(module, (std::string(name) + "_bytes").c_str());
    if (!run || !bytes) return NOT_FOUND;
    *kernel = new Kernel{(void (*)(const void *, const unsigned *))run, *(const unsigned long *)bytes};
    return OK;
}
int cuLaunchKernel(Kernel *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned,
                   Stream *s, void **parameters, void **extra)
{
    LOCKED;
    if (!current || parameters || !extra || !gx || !gy || !gz || !bx || !by || !bz || bx * by * bz > 1024) return INVALID_VALUE;
    // Pairs of a tag and a pointer: 1 the bytes, 2 their number.
    if (extra[0] != (void *)1 || extra[2] != (void *)2 || *(size_t *)extra[3] != kernel->bytes) {
        fprintf(stderr, "stand-in: a launch has %zu bytes of parameters, the kernel %zu\n", *(size_t *)extra[3], kernel->bytes);
        return INVALID_VALUE;
    }
    std::vector<uint64_t> bytes((kernel->bytes + 7) / 8);
    memcpy(bytes.data(), extra[1], kernel->bytes);
    const std::vector<unsigned> shape = {gx, gy, gz, bx, by, bz};
    s->send([kernel, bytes, shape] { kernel->run(bytes.data(), shape.data()); });
    return OK;
}

// For the stand-ins of other libraries: their work in a stream, whether memory is that of a block, whether some stream captures.
void standin_send(Stream *s, const std::function<void()> *work)
{
    LOCKED;
    s->send(*work);
}
bool standin_is_inside(Address at, size_t bytes)
{
    LOCKED;
    return is_inside(at, bytes);
}
bool standin_is_capturing()
{
    LOCKED;
    for (Stream *s : streams)
        if (s->capture) return true;
    return false;
}

// NVRTC.
struct Program {
    std::string text, code, log;
};
int nvrtcVersion(int *major, int *minor) { return *major = 0, *minor = 1, 0; }
int nvrtcCreateProgram(Program **p, const char *text, const char *, int, const char *const *, const char *const *)
{
    *p = new Program();
    (*p)->text = text;
    return 0;
}
int nvrtcDestroyProgram(Program **p) { return delete *p, 0; }
static std::string read_all(const std::string &path)
{
    std::string all;
    if (FILE *f = fopen(path.c_str(), "rb")) {
        char part[1 << 16];
        for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) all.append(part, n);
        fclose(f);
    }
    return all;
}
int nvrtcCompileProgram(Program *p, int, const char *const *)
{
    char folder[] = "/tmp/standin-XXXXXX";
    if (!mkdtemp(folder)) return 1;
    const std::string at = folder, source = at + "/kernel.cc", library = at + "/kernel.so", log = at + "/log";
    FILE *f = fopen(source.c_str(), "w");
    fprintf(f, "#include \"%s\"\n#line 1 \"sciarray.cu\"\n%s", getenv("STANDIN_HEADER"), p->text.c_str());
    fclose(f);
    const std::string compiler = getenv("STANDIN_CXX");
    const char *arguments[] = {compiler.c_str(), "-std=c++17", "-O1", "-ffp-contract=off", "-w", "-shared", "-fPIC", "-o",
                               library.c_str(), source.c_str(), 0};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), 0x241, 0600);
    pid_t child;
    int status = 1;
    // The compiler must not be loaded with the stand-in.
    std::vector<char *> environment;
    for (char **e = environ; *e; ++e)
        if (strncmp(*e, "LD_LIBRARY_PATH=", 16)) environment.push_back(*e);
    environment.push_back(0);
    if (posix_spawnp(&child, compiler.c_str(), &actions, 0, (char **)arguments, environment.data()) == 0) waitpid(child, &status, 0);
    posix_spawn_file_actions_destroy(&actions);
    p->log = read_all(log);
    const std::string code = read_all(library);
    const uint64_t size = code.size();
    p->code = std::string((const char *)&size, 8) + code;
    for (const std::string &path : {source, library, log}) unlink(path.c_str());
    rmdir(folder);
    return status == 0 ? 0 : 6;
}
int nvrtcGetCUBINSize(Program *p, size_t *size) { return *size = p->code.size(), 0; }
int nvrtcGetCUBIN(Program *p, char *to) { return memcpy(to, p->code.data(), p->code.size()), 0; }
int nvrtcGetProgramLogSize(Program *p, size_t *size) { return *size = p->log.size() + 1, 0; }
int nvrtcGetProgramLog(Program *p, char *to) { return memcpy(to, p->log.c_str(), p->log.size() + 1), 0; }
}
