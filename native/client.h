#ifndef HOLDPOINT_CLIENT_H
#define HOLDPOINT_CLIENT_H

/* POSIX, and a few Linux calls on Linux. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory that grows. It may start with memory of the program itself, which costs no system call. */
struct bytes { char *at; size_t length, room; bool is_lent; };

/* What the agent passed. `argv` is forwarded unchanged; only the two first values are read from it. */
struct call {
	const char *home;
	int64_t deadline_ms;
	char **argv;
	struct bytes input;
};

enum { DEADLINE_MIN_MS = 10, DEADLINE_MAX_MS = 600000, DEADLINE_DEFAULT_MS = 295000 };
enum { INPUT_MAX_BYTES = (32 << 20) + 1, REPLY_MAX_BYTES = 64 << 20, REPLY_HEAD_BYTES = 16 };

/* last-resort.c: the clock, the alarm, and the message if there is no answer. */
void start_clock(void);
int64_t elapsed_ms(void);
void set_alarm(int64_t at_ms);
void set_failure_code(int code);
void take_signals(void);
void return_signals(void);
void set_child(int pid);
_Noreturn void give_up(const char *why);
_Noreturn void refuse(const char *why);

/* bytes.c: memory, and reads and writes that are complete or fail. */
void make_room(struct bytes *buffer, size_t room);
void append(struct bytes *buffer, const char *at, size_t length);
char *join(const char *folder, const char *name);
bool read_whole(int fd, struct bytes *buffer, size_t max);
bool write_whole(int fd, const char *at, size_t length);
uint32_t number_at(const char *at);

/* ask-daemon.c */
int open_run_folder(const char *home);
bool ask_daemon(int folder, const struct call *call, struct bytes *reply);

/* start-daemon.c */
int fork_away(void);
void close_from(int first);
void start_daemon(int folder, const char *home);

/* holdpoint-hook.c */
_Noreturn void give(int code, const struct bytes *out, const struct bytes *err);

/* one-shot.c */
bool replay_input(const struct bytes *input);
_Noreturn void run_one_shot(const struct call *call);

#endif
