/* Linked into programs that are to start with glibc 2.17: the entry, which newer start files leave to newer C libraries, and the
   functions that a C library of that time has under other names. Freestanding: the headers here are of another version. */

typedef unsigned long size;

extern int main(int argc, char **argv, char **environment);

/* Version 2.2.5 is given what begins before `main`; 2.34 and later call it for programs like this one. */
extern int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                             void (*init)(int, char **, char **), void (*fini)(void),
                             void (*rtld_fini)(void), void *stack_end);

typedef void (*constructor)(int argc, char **argv, char **environment);
extern constructor __init_array_start[], __init_array_end[];

/* The loader itself runs .preinit_array and, at the end, .fini_array. */
static void init(int argc, char **argv, char **environment)
{
    size count = (size)(__init_array_end - __init_array_start);
    for (size i = 0; i < count; i++)
        __init_array_start[i](argc, argv, environment);
}

__attribute__((used, noreturn)) static void start(long *stack, void (*rtld_fini)(void))
{
    __libc_start_main(main, (int)stack[0], (char **)(stack + 1), init, 0, rtld_fini, stack);
    __builtin_trap();
}

/* The kernel's entry: the stack holds argc and argv, rdx what the loader wants to be called at the end. */
__asm__(".text\n"
        ".globl _start\n"
        ".type _start, @function\n"
        "_start:\n"
        "    xorl %ebp, %ebp\n"
        "    movq %rsp, %rdi\n"
        "    movq %rdx, %rsi\n"
        "    andq $-16, %rsp\n"
        "    call start\n"
        "    hlt\n"
        ".size _start, .-_start\n");

/* Names this program among shared objects; start files of compilers have it. */
__attribute__((visibility("hidden"))) void *__dso_handle = 0;

#define HIDDEN __attribute__((visibility("hidden")))

/* Until 2.33 these took a version of `struct stat`, of which x86_64 has one, and of device numbers. */
enum { STAT_VERSION = 1, DEVICE_VERSION = 0 };

extern int __xstat(int, const char *, void *), __xstat64(int, const char *, void *);
extern int __lxstat(int, const char *, void *), __lxstat64(int, const char *, void *);
extern int __fxstat(int, int, void *), __fxstat64(int, int, void *);
extern int __fxstatat(int, int, const char *, void *, int);
extern int __fxstatat64(int, int, const char *, void *, int);
extern int __xmknod(int, const char *, unsigned, size *);
extern int __xmknodat(int, int, const char *, unsigned, size *);

HIDDEN int stat(const char *path, void *to) { return __xstat(STAT_VERSION, path, to); }
HIDDEN int stat64(const char *path, void *to) { return __xstat64(STAT_VERSION, path, to); }
HIDDEN int lstat(const char *path, void *to) { return __lxstat(STAT_VERSION, path, to); }
HIDDEN int lstat64(const char *path, void *to) { return __lxstat64(STAT_VERSION, path, to); }
HIDDEN int fstat(int file, void *to) { return __fxstat(STAT_VERSION, file, to); }
HIDDEN int fstat64(int file, void *to) { return __fxstat64(STAT_VERSION, file, to); }
HIDDEN int fstatat(int folder, const char *path, void *to, int flags)
{
    return __fxstatat(STAT_VERSION, folder, path, to, flags);
}
HIDDEN int fstatat64(int folder, const char *path, void *to, int flags)
{
    return __fxstatat64(STAT_VERSION, folder, path, to, flags);
}
HIDDEN int mknod(const char *path, unsigned mode, size device)
{
    return __xmknod(DEVICE_VERSION, path, mode, &device);
}
HIDDEN int mknodat(int folder, const char *path, unsigned mode, size device)
{
    return __xmknodat(DEVICE_VERSION, folder, path, mode, &device);
}

/* What the C library adds to each program from an archive. */
extern int __cxa_atexit(void (*)(void *), void *, void *);
extern int __cxa_at_quick_exit(void (*)(void *), void *);
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);

HIDDEN int atexit(void (*function)(void))
{
    return __cxa_atexit((void (*)(void *))function, 0, __dso_handle);
}
HIDDEN int at_quick_exit(void (*function)(void))
{
    return __cxa_at_quick_exit((void (*)(void *))function, __dso_handle);
}
HIDDEN int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    return __register_atfork(prepare, parent, child, __dso_handle);
}

/* Headers of newer versions lead to these names. Where sizes and times have 64 bits anyway they do what the older ones do; of
   numbers, the newer ones also read `0b1`, which nothing here relies on. */
#define SAME_AS(name, older)                                                                       \
    __asm__(".text\n"                                                                              \
            ".globl " #name "\n"                                                                   \
            ".hidden " #name "\n"                                                                  \
            ".type " #name ", @function\n" #name ":\n"                                             \
            "    jmp " #older "@PLT\n"                                                             \
            ".size " #name ", .-" #name "\n")

SAME_AS(fcntl64, fcntl);
SAME_AS(__isoc23_strtol, strtol);
SAME_AS(__isoc23_strtoul, strtoul);
SAME_AS(__isoc23_strtoll, strtoll);
SAME_AS(__isoc23_strtoull, strtoull);
SAME_AS(__isoc23_sscanf, __isoc99_sscanf);
SAME_AS(__isoc23_fscanf, __isoc99_fscanf);
SAME_AS(__isoc23_vsscanf, __isoc99_vsscanf);
