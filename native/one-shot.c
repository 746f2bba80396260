/* The hook as a Node process of its own, in the place of this one: its answer is the answer. */
#include "client.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Standard input again from its first byte: a file in memory, or a pipe that a process of its own fills. */
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

/* What makes a shell, a loader or Node run code of the environment's choice. */
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
	if (result == NULL) give_up("There is no memory.");
	for (size_t i = 0; i < entries; i++) {
		if (!is_hostile(environment[i])) result[kept++] = environment[i];
	}
	return result;
}

_Noreturn void run_one_shot(const struct call *call)
{
	extern char **environ;
	size_t words = 0;
	while (call->argv[words]) words++;
	char **command = calloc(words + 4, sizeof *command), **environment = harmless(environ);
	if (command == NULL) give_up("There is no memory.");
	command[0] = join(call->home, "/bin/holdpoint-node");
	command[1] = (char[]){ "hook" };
	for (size_t i = 1; i < words; i++) command[i + 1] = call->argv[i];
	/* A timer outlives exec and would kill Node; Node keeps the deadline from here on, and the last option counts. */
	set_alarm(0);
	int64_t left_ms = call->deadline_ms - elapsed_ms();
	char left[24];
	snprintf(left, sizeof left, "%lld", (long long)(left_ms < DEADLINE_MIN_MS ? DEADLINE_MIN_MS : left_ms));
	command[words + 1] = (char[]){ "--deadline-ms" };
	command[words + 2] = left;
	return_signals();
	execve(command[0], command, environment);
	give_up("Its program cannot be started: run `holdpoint init`.");
}
