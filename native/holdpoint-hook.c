/*
 * The program an agent starts before every tool call. It hands what it was given to the daemon and gives back what
 * the daemon said; it parses nothing of either. With no daemon, or at any doubt before a reply is whole, the hook runs
 * as a Node process of its own, on the same input. When even that cannot be, or time is up, it answers as its command
 * line says. It may never end with exit 0 and nothing said, unless that is the answer: an agent reads that as "go".
 */
#include "client.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_MAX_MS = 10000 };

/* A closed standard descriptor would be reused for the next file opened: it becomes one whose every use fails. */
static void hold_standard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0) continue;
		if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) give_up("There is no /dev/null.");
	}
}

static int64_t deadline_in(const char *value)
{
	char *end;
	long number = strtol(value, &end, 10);
	return *end == '\0' && number >= DEADLINE_MIN_MS && number <= DEADLINE_MAX_MS ? number : DEADLINE_DEFAULT_MS;
}

/* As the Node side reads options: each takes the next word unless it has an `=`, and the last of a name counts. */
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

/* Half a reply at exit 0 would let the tool run: one that cannot be written whole ends with exit 2. */
static _Noreturn void give(const struct bytes *reply)
{
	int code = (int)number_at(reply->at + 4);
	size_t out_bytes = number_at(reply->at + 8), err_bytes = number_at(reply->at + 12);
	const char *out = reply->at + REPLY_HEAD_BYTES;
	set_failure_code(code == 0 && out_bytes == 0 ? 0 : 2);
	bool told = write_whole(STDERR_FILENO, out + out_bytes, err_bytes);
	bool said = write_whole(STDOUT_FILENO, out, out_bytes);
	_exit(said && (told || code == 0) ? code : 2);
}

int main(int argc, char **argv)
{
	start_clock();
	if (argc < 1) give_up("It was started without a name.");
	struct call call = { .argv = argv, .deadline_ms = DEADLINE_DEFAULT_MS };
	read_options(&call);
	hold_standard_descriptors();
	take_signals();
	if (call.home == NULL || *call.home != '/') {
		set_failure_code(2);
		give_up("The hook needs --home with an absolute path: `holdpoint init` writes it.");
	}
	set_alarm(call.deadline_ms < INPUT_MAX_MS ? call.deadline_ms : INPUT_MAX_MS);
	/* One byte more than is accepted is enough to be refused for it. */
	if (!read_whole(STDIN_FILENO, &call.input, INPUT_MAX_BYTES)) {
		if (call.input.length > 0) give_up("Standard input broke off.");
		run_one_shot(&call);
	}
	set_alarm(call.deadline_ms);
	int folder = open_run_folder(call.home);
	if (folder >= 0) {
		struct bytes reply = { 0 };
		if (ask_daemon(folder, &call, &reply)) give(&reply);
		start_daemon(folder, call.home);
		close(folder);
	}
	if (!replay_input(&call.input)) give_up("Its input cannot be handed on.");
	run_one_shot(&call);
}
