/* The program that an agent starts before every tool call. It sends its input to the daemon and writes the
 * daemon's reply; it parses neither. Without a daemon, or if anything is wrong before the reply is complete,
 * it starts the hook as a Node process with the same input. If that fails too, or the time is over, it
 * answers as its command line says. It may never end with exit code 0 and no output unless that is the
 * answer: an agent reads that as "continue". */
#include "client.h"
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

enum { INPUT_MAX_MS = 10000 };

/* The number of a closed standard descriptor would be reused for the next opened file, so it is replaced with
 * a descriptor whose every use fails. */
static void hold_standard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0) continue;
		if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) give_up("/dev/null could not be opened");
	}
}

static int64_t deadline_in(const char *value)
{
	int64_t number = 0;
	for (const char *at = value; *at; at++) {
		if (*at < '0' || *at > '9' || number > DEADLINE_MAX_MS) return DEADLINE_DEFAULT_MS;
		number = number * 10 + *at - '0';
	}
	return number >= DEADLINE_MIN_MS && number <= DEADLINE_MAX_MS ? number : DEADLINE_DEFAULT_MS;
}

/* Reads options as the Node side does: each takes the next word unless it has an `=`, and the last one with a
 * name counts. */
static void read_options(struct call *call)
{
	for (char **word = call->argv + 1; *word; word++) {
		const char *name = *word;
		if (strncmp(name, "--", 2) != 0) continue;
		const char *equals = strchr(name, '=');
		size_t length = equals ? (size_t)(equals - name) : strlen(name);
		if (!equals && !word[1]) return;
		const char *value = equals ? equals + 1 : *++word;
		if (*value == '\0') continue;
		if (length == strlen("--home") && strncmp(name, "--home", length) == 0) call->home = value;
		if (length == strlen("--on-failure") && strncmp(name, "--on-failure", length) == 0) {
			set_failure_code(strcmp(value, "pass") == 0 ? 0 : 2);
		}
		if (length == strlen("--deadline-ms") && strncmp(name, "--deadline-ms", length) == 0) {
			call->deadline_ms = deadline_in(value);
		}
	}
}

/* Half a reply with exit code 0 would allow the tool call, so an incomplete write ends with exit code 2. */
_Noreturn void give(int code, const struct bytes *out, const struct bytes *err)
{
	set_failure_code(code == 0 && out->length == 0 ? 0 : 2);
	bool told = write_whole(STDERR_FILENO, err->at, err->length);
	bool said = write_whole(STDOUT_FILENO, out->at, out->length);
	_exit(said && (told || code == 0) ? code : 2);
}

static _Noreturn void give_reply(const struct bytes *reply)
{
	struct bytes out = { .at = reply->at + REPLY_HEAD_BYTES, .length = number_at(reply->at + 8) };
	struct bytes err = { .at = out.at + out.length, .length = number_at(reply->at + 12) };
	give((int)number_at(reply->at + 4), &out, &err);
}

/* The file of this program, with every link resolved, and its length; 0 if it is not known. */
static size_t own_path(char path[PATH_MAX])
{
#ifdef __APPLE__
	static char named[PATH_MAX];
	uint32_t room = sizeof named;
	return _NSGetExecutablePath(named, &room) == 0 && realpath(named, path) != NULL ? strlen(path) : 0;
#else
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
	if (length <= 0) return 0;
	path[length] = '\0';
	return (size_t)length;
#endif
}

/*
 * An agent that reads the hooks of Claude Code may leave out their arguments. Then the home folder is the one that this
 * program was installed in, and the host knows the agent by its payload. Anywhere else nothing is known.
 */
static char **bare_arguments(char *name)
{
	static const char end[] = "/bin/holdpoint-hook";
	static char home[PATH_MAX];
	static char *arguments[5];
	arguments[0] = name;
	size_t length = own_path(home);
	if (length < sizeof end || memcmp(home + length - strlen(end), end, strlen(end)) != 0) return arguments;
	home[length - strlen(end)] = '\0';
	arguments[1] = "claude-code";
	arguments[2] = "--home";
	arguments[3] = home;
	return arguments;
}

int main(int argc, char **argv)
{
	start_clock();
	if (argc < 1) refuse("holdpoint-hook was started without a program name.");
	static char first_input[1 << 13], first_reply[4096];
	struct call call = {
		.argv = argc == 1 ? bare_arguments(argv[0]) : argv,
		.deadline_ms = DEADLINE_DEFAULT_MS,
		.input = { .at = first_input, .room = sizeof first_input, .is_lent = true },
	};
	read_options(&call);
	hold_standard_descriptors();
	take_signals();
	if (call.home == NULL) {
		refuse("this hook was started without its arguments, so nothing could be checked. An agent's hook "
		       "configuration starts it; run `npx holdpoint init` to write it.");
	}
	if (*call.home != '/') refuse("--home must be an absolute path. Run `npx holdpoint init` to write it.");
	set_alarm(call.deadline_ms < INPUT_MAX_MS ? call.deadline_ms : INPUT_MAX_MS);
	/* One byte more than the maximum is enough to be refused. */
	if (!read_whole(STDIN_FILENO, &call.input, INPUT_MAX_BYTES)) {
		if (call.input.length > 0) give_up("standard input could not be read to its end");
		run_one_shot(&call);
	}
	set_alarm(call.deadline_ms);
	int folder = open_run_folder(call.home);
	if (folder >= 0) {
		struct bytes reply = { .at = first_reply, .room = sizeof first_reply, .is_lent = true };
		if (ask_daemon(folder, &call, &reply)) give_reply(&reply);
		start_daemon(folder, call.home);
		close(folder);
	}
	if (!replay_input(&call.input)) give_up("the event could not be passed to Node");
	run_one_shot(&call);
}
