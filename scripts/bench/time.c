/*
 * Times whole processes the way an agent runs a hook: a pipe with the event as standard input, a pipe that is read to
 * its end as standard output, a wait. It does as little as that takes, because what it costs itself is in every figure.
 *
 *   time rounds N file program words... [--next file program words...]...   a line a round: nanoseconds of each, in turn
 *   time burst N file program words...                                      N at once: nanoseconds, how many denied it
 *
 * A file has one event, or several with a NUL byte between them, which are sent in turn. Eight @ in an event become a
 * number that is never used twice. The word @event becomes the name of the event. Every program must exit 0.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CONTENDERS_MAX = 64, EVENTS_MAX_BYTES = 65536, OUTPUT_MAX_BYTES = 16384, BURST_MAX = 2500 };

struct contender { char **words; char **event_word; char events[EVENTS_MAX_BYTES]; size_t bytes; size_t next; };
struct running { pid_t pid; int output; };

extern char **environ;

static _Noreturn void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void open_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
}

static void number(char *event, size_t bytes)
{
	static unsigned long numbered;
	/* Other runs of this program have used other numbers. */
	if (numbered == 0) numbered = (unsigned long)(now_ns() / 1000);
	char *mark = memmem(event, bytes, "@@@@@@@@", 8);
	if (mark == NULL) return;
	char digits[9];
	snprintf(digits, sizeof digits, "%08lu", ++numbered % 100000000);
	memcpy(mark, digits, 8);
	number(mark + 8, bytes - (size_t)(mark + 8 - event));
}

/* `"hook_event_name":"Stop"`: as an argument, as agents give it to each hook. */
static char *event_name(const char *event, size_t bytes)
{
	static char name[64];
	static const char key[] = "\"hook_event_name\":\"";
	const char *found = memmem(event, bytes, key, sizeof key - 1);
	if (found == NULL) return "";
	snprintf(name, sizeof name, "%s", found + sizeof key - 1);
	char *quote = strchr(name, '"');
	if (quote != NULL) *quote = 0;
	return name;
}

/* The event fits into the pipe, so no process has to fill it. */
static int filled_pipe(struct contender *contender)
{
	static char event[EVENTS_MAX_BYTES];
	const char *from = contender->events + contender->next;
	size_t left = contender->bytes - contender->next;
	const char *end = memchr(from, 0, left);
	size_t bytes = end == NULL ? left : (size_t)(end - from);
	contender->next = end == NULL ? 0 : contender->next + bytes + 1;
	memcpy(event, from, bytes);
	number(event, bytes);
	if (contender->event_word != NULL) *contender->event_word = event_name(event, bytes);
	int ends[2];
	open_pipe(ends);
	if (write(ends[1], event, bytes) != (ssize_t)bytes) fail("write");
	close(ends[1]);
	return ends[0];
}

static struct running start(const struct contender *contender, int input, const int output[2])
{
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
	struct running running = { .output = output[0] };
	int error = posix_spawn(&running.pid, contender->words[0], &actions, NULL, contender->words, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error != 0) {
		fprintf(stderr, "%s: %s\n", contender->words[0], strerror(error));
		exit(1);
	}
	close(output[1]);
	close(input);
	return running;
}

/* Whether the output was a denial. */
static bool finish(struct running running, const char *name)
{
	char said[OUTPUT_MAX_BYTES];
	size_t length = 0;
	ssize_t got;
	while ((got = read(running.output, said + length, sizeof said - length)) > 0) length += (size_t)got;
	int status;
	if (waitpid(running.pid, &status, 0) != running.pid) fail("wait");
	close(running.output);
	if (status != 0) {
		fprintf(stderr, "%s ended with status %d\n", name, status);
		exit(1);
	}
	return memmem(said, length, "\"deny\"", 6) != NULL;
}

static int64_t time_one(struct contender *contender)
{
	int output[2], input = filled_pipe(contender);
	open_pipe(output);
	int64_t started_ns = now_ns();
	finish(start(contender, input, output), contender->words[0]);
	return now_ns() - started_ns;
}

static void race(struct contender *contenders, size_t count, long rounds)
{
	for (long round = 0; round < rounds; round++) {
		for (size_t i = 0; i < count; i++) {
			printf("%lld%c", (long long)time_one(&contenders[i]), i + 1 < count ? ' ' : '\n');
		}
	}
}

static void burst(struct contender *contender, long count)
{
	static struct running all[BURST_MAX];
	long denied = 0;
	if (count > BURST_MAX) count = BURST_MAX;
	int64_t started_ns = now_ns();
	for (long i = 0; i < count; i++) {
		int output[2], input = filled_pipe(contender);
		open_pipe(output);
		all[i] = start(contender, input, output);
	}
	for (long i = 0; i < count; i++) denied += finish(all[i], contender->words[0]);
	printf("%lld %ld\n", (long long)(now_ns() - started_ns), denied);
}

static struct contender read_contender(char **words)
{
	struct contender contender = { .words = words + 1 };
	int file = open(words[0], O_RDONLY | O_CLOEXEC);
	if (file < 0) fail(words[0]);
	ssize_t got = read(file, contender.events, sizeof contender.events);
	if (got < 0) fail(words[0]);
	contender.bytes = (size_t)got;
	close(file);
	for (char **word = words + 1; *word; word++) if (strcmp(*word, "@event") == 0) contender.event_word = word;
	return contender;
}

int main(int argc, char **argv)
{
	static struct contender contenders[CONTENDERS_MAX];
	size_t count = 0;
	if (argc < 5) return 2;
	for (char **word = argv + 3; *word && count < CONTENDERS_MAX;) {
		char **next = word;
		while (*next && strcmp(*next, "--next") != 0) next++;
		if (next - word < 2) return 2;
		bool is_last = *next == NULL;
		*next = NULL;
		contenders[count++] = read_contender(word);
		if (is_last) break;
		word = next + 1;
	}
	if (strcmp(argv[1], "burst") == 0) burst(&contenders[0], atol(argv[2]));
	else race(contenders, count, atol(argv[2]));
	return 0;
}
