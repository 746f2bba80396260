/* The hook as a separate Node process, with this process's deadline: its answer is the answer. */
#include "client.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__) && !defined(WITHOUT_PDEATHSIG)
#include <sys/prctl.h>
#define ENDS_WITH_PARENT
#endif

enum { COULD_NOT_START = 127 };

/* Node ends with this code if the exit code of its answer is 0: anything can end a process with 0. The launcher in
 * src/system/program-text.ts takes it as its first option and has the same number. */
#define ANSWERED "113"
enum { ANSWERED_CODE = 113 };

/* Standard input again from its first byte: a file in memory, or a pipe that another process fills. */
bool replay_input(const struct bytes *input)
{
#if defined(MFD_CLOEXEC) && !defined(WITHOUT_MEMFD)
	int file = memfd_create("holdpoint-input", MFD_CLOEXEC);
	if (file >= 0 && write_whole(file, input->at, input->length) && lseek(file, 0, SEEK_SET) == 0) {
		return dup2(file, STDIN_FILENO) == STDIN_FILENO;
	}
	if (file >= 0) close(file);
#endif
	int ends[2];
	if (pipe(ends) != 0) return false;
	int forked = fork_away();
	if (forked == 0) {
		for (int fd = 0; fd <= 2; fd++) close(fd);
		close(ends[0]);
		_exit(!write_whole(ends[1], input->at, input->length));
	}
	close(ends[1]);
	return forked == 1 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO && close(ends[0]) == 0;
}

/* Variables that make a shell, a loader or Node run code from the environment. */
static bool is_hostile(const char *entry)
{
	static const char *const starts[] = {
		"LD_", "DYLD_", "NODE_", "OPENSSL_", "BASH_FUNC_", "BASH_ENV=", "ENV=", "SHELLOPTS=", "BASHOPTS=", "PS4=",
		"GCONV_PATH=", "IFS=", "CDPATH=",
	};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		if (strncmp(entry, starts[i], strlen(starts[i])) == 0) return true;
	}
	return false;
}

static char **harmless(char **environment)
{
	size_t entries = 0, kept = 0;
	while (environment[entries]) entries++;
	char **result = calloc(entries + 1, sizeof *result);
	if (result == NULL) give_up("out of memory");
	for (size_t i = 0; i < entries; i++) {
		if (!is_hostile(environment[i])) result[kept++] = environment[i];
	}
	return result;
}

enum { TICK_MS = 10 };

/* Without printf, which would be half of the program. */
static char *in_digits(int64_t number)
{
	static char digits[24];
	char *at = digits + sizeof digits - 1;
	do *--at = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	return at;
}

/* Starts Node with the hook's program, in a process group that ends with this process. */
static _Noreturn void become_hook(const struct call *call, int out, int err)
{
	extern char **environ;
	size_t words = 0;
	while (call->argv[words]) words++;
	char **command = calloc(words + 6, sizeof *command), **environment = harmless(environ);
	if (command == NULL) _exit(1);
	command[0] = join(call->home, "/bin/holdpoint-node");
	command[1] = (char[]){ "hook" };
	command[2] = (char[]){ "--answered" };
	command[3] = (char[]){ ANSWERED };
	for (size_t i = 1; i < words; i++) command[i + 3] = call->argv[i];
	/* Node answers by itself when its time is over; the alarm here is for a Node process that cannot. */
	int64_t left_ms = call->deadline_ms - elapsed_ms();
	command[words + 3] = (char[]){ "--deadline-ms" };
	command[words + 4] = in_digits(left_ms < DEADLINE_MIN_MS ? DEADLINE_MIN_MS : left_ms);
	return_signals();
#ifdef ENDS_WITH_PARENT
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (setpgid(0, 0) != 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) _exit(1);
	execve(command[0], command, environment);
	_exit(COULD_NOT_START);
}

#ifndef ENDS_WITH_PARENT
/* A process that outlives this one, where the system does not end a hook with its client. It waits for a byte, which says
 * that the hook is over, or for the end of the pipe: then the client was killed, and the hook ends with all it started.
 * Returns the other end. */
static int watch_over(pid_t hook)
{
	int ends[2];
	if (pipe(ends) != 0) give_up("no pipe could be made");
	int forked = fork_away();
	if (forked < 0) give_up("no process could be started");
	if (forked == 1) {
		close(ends[0]);
		return ends[1];
	}
	/* An agent waits for its pipes: this process keeps none of them. */
	if (dup2(ends[0], 0) != 0) _exit(1);
	close_from(1);
	char byte;
	ssize_t got;
	while ((got = read(0, &byte, 1)) < 0 && errno == EINTR) continue;
	if (got == 0 && kill(-hook, SIGKILL) != 0) kill(hook, SIGKILL);
	_exit(0);
}
#endif

/* Reads what arrived on one of the two pipes; false at its end. */
static bool take_some(int fd, struct bytes *text)
{
	if (text->length >= REPLY_MAX_BYTES) give_up("its answer is too large");
	if (text->length == text->room) make_room(text, text->room == 0 ? 4096 : 2 * text->room);
	ssize_t got = read(fd, text->at + text->length, text->room - text->length);
	if (got < 0) return errno == EINTR || errno == EAGAIN;
	text->length += (size_t)got;
	return got > 0;
}

/* Reads both pipes until they end, or the process has ended and nothing is left in them. Returns the exit
 * status. */
static int collect(pid_t hook, const int pipes[2], struct bytes texts[2])
{
	bool open[2] = { true, true }, ended = false;
	int status = 0;
	while (open[0] || open[1]) {
		struct pollfd waits[2] = { { .fd = open[0] ? pipes[0] : -1, .events = POLLIN },
					   { .fd = open[1] ? pipes[1] : -1, .events = POLLIN } };
		int ready = poll(waits, 2, ended ? 0 : TICK_MS);
		if (ready < 0 && errno != EINTR) give_up("the hook process cannot be heard");
		for (int i = 0; i < 2; i++) {
			if (ready > 0 && waits[i].revents != 0) open[i] = take_some(pipes[i], &texts[i]);
		}
		/* Output of a process that it left behind is not part of its answer. */
		if (ended && ready == 0) return status;
		if (!ended) ended = waitpid(hook, &status, WNOHANG) == hook;
	}
	while (!ended) ended = waitpid(hook, &status, 0) == hook || errno != EINTR;
	return status;
}

/* The deadline is kept here and not by Node: a process that waits for a disk that does not answer cannot keep
 * one. The reply is written when it is complete, so that only this process holds the agent's pipes. */
_Noreturn void run_one_shot(const struct call *call)
{
	int out[2], err[2];
	if (pipe(out) != 0 || pipe(err) != 0) give_up("no pipe could be made");
	pid_t hook = fork();
	if (hook < 0) give_up("no process could be started");
	if (hook == 0) become_hook(call, out[1], err[1]);
	set_child(hook);
	close(out[1]);
	close(err[1]);
#ifndef ENDS_WITH_PARENT
	int watch = watch_over(hook);
#endif
	struct bytes texts[2] = { { 0 }, { 0 } };
	int status = collect(hook, (int[]){ out[0], err[0] }, texts);
	set_child(0);
#ifndef ENDS_WITH_PARENT
	if (write(watch, "", 1) != 1) give_up("the hook process cannot be released");
#endif
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	if (code == COULD_NOT_START) give_up("bin/holdpoint-node could not be started; `npx holdpoint init` writes it");
	if (code == ANSWERED_CODE) give(0, &texts[0], &texts[1]);
	if (code != 2) give_up("the hook process ended without an answer");
	give(code, &texts[0], &texts[1]);
}
