/*
 * Asks the daemon as fast as it answers, over a number of connections with one question each in flight, and counts.
 * In C, because a generator in Node would take the processor the daemon is measured on.
 *
 *   load socket frames connections kept|fresh warmup_ms measured_ms
 *
 * `frames` holds questions one after the other: the length, 1 if it must be denied and 0 if not, the bytes
 * (numbers are 32 bit, little-endian). Eight @ in a question, once or twice, become a number that is never used again, so that no
 * question is a repeated delivery. `fresh` opens a connection for every question. Prints answers, nanoseconds, and the median and
 * 99th percentile of one answer in nanoseconds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 256, FRAMES_MAX = 1024, SAMPLES_MAX = 1 << 20, GREETING_BYTES = 4, HEAD_BYTES = 12 };

enum { MARKS_MAX = 2 };
struct frame { char *at; size_t length; char *marks[MARKS_MAX]; bool is_denied; };
struct visit { bool greeted; const struct frame *asked; size_t received; char reply[1 << 16]; int64_t asked_ns; };

static struct frame frames[FRAMES_MAX];
static size_t frame_count;
static struct visit visits[CONNECTIONS_MAX];
static struct pollfd sockets[CONNECTIONS_MAX];
static int64_t samples[SAMPLES_MAX];
static struct sockaddr_un address = { .sun_family = AF_UNIX };
static unsigned long asked;

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static uint32_t number_at(const char *at)
{
	const unsigned char *bytes = (const unsigned char *)at;
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void read_frames(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (file == NULL) fail(path);
	char head[8];
	while (frame_count < FRAMES_MAX && fread(head, sizeof head, 1, file) == 1) {
		struct frame frame = { .length = number_at(head), .is_denied = number_at(head + 4) != 0 };
		frame.at = malloc(frame.length);
		if (frame.at == NULL || fread(frame.at, frame.length, 1, file) != 1) fail(path);
		char *from = frame.at;
		for (int i = 0; i < MARKS_MAX && from != NULL; i++) {
			frame.marks[i] = memmem(from, frame.length - (size_t)(from - frame.at), "@@@@@@@@", 8);
			from = frame.marks[i] == NULL ? NULL : frame.marks[i] + 8;
		}
		if (frame.marks[0] == NULL) fail("a frame without a place for its number");
		frames[frame_count++] = frame;
	}
	fclose(file);
	if (frame_count == 0) fail("no frames");
}

static int open_connection(void)
{
	int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
	return connection;
}

/* A request is much smaller than a socket's buffer, and only one is in flight, so it is sent at once. */
static void ask(size_t i)
{
	struct frame *frame = &frames[asked % frame_count];
	char number[9];
	snprintf(number, sizeof number, "%08lx", asked++ & 0xffffffff);
	for (int i = 0; i < MARKS_MAX && frame->marks[i] != NULL; i++) memcpy(frame->marks[i], number, 8);
	visits[i].asked = frame;
	visits[i].received = 0;
	visits[i].asked_ns = now_ns();
	if (write(sockets[i].fd, frame->at, frame->length) != (ssize_t)frame->length) fail("ask");
}

static bool is_answered(struct visit *visit, int connection)
{
	ssize_t got = read(connection, visit->reply + visit->received, sizeof visit->reply - visit->received);
	if (got <= 0) fail("the daemon hung up");
	visit->received += (size_t)got;
	size_t greeting = visit->greeted ? 0 : GREETING_BYTES;
	if (visit->received < greeting + HEAD_BYTES) return false;
	const char *head = visit->reply + greeting;
	uint32_t said = number_at(head + 4);
	if (visit->received < greeting + HEAD_BYTES + said + number_at(head + 8)) return false;
	errno = 0;
	bool denies = memmem(head + HEAD_BYTES, said, "\"deny\"", 6) != NULL;
	if (number_at(head) != 0 || denies != visit->asked->is_denied) fail("not the answer that was expected");
	visit->greeted = true;
	return true;
}

static int by_size(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}

/* On the last processor, so that the daemon has the others for itself. */
static void stay_apart(void)
{
	cpu_set_t own;
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	if (count < 2) return;
	CPU_ZERO(&own);
	CPU_SET((size_t)count - 1, &own);
	sched_setaffinity(0, sizeof own, &own);
}

int main(int argc, char **argv)
{
	stay_apart();
	if (argc != 7 || strlen(argv[1]) >= sizeof address.sun_path) return 2;
	strcpy(address.sun_path, argv[1]);
	read_frames(argv[2]);
	size_t connections = (size_t)atoi(argv[3]), answers = 0;
	if (connections < 1 || connections > CONNECTIONS_MAX) return 2;
	bool fresh = strcmp(argv[4], "fresh") == 0;
	int64_t counted_from_ns = now_ns() + atol(argv[5]) * 1000000, until_ns = counted_from_ns + atol(argv[6]) * 1000000;
	for (size_t i = 0; i < connections; i++) {
		sockets[i] = (struct pollfd){ .fd = open_connection(), .events = POLLIN };
		ask(i);
	}
	for (int64_t now = now_ns(); now < until_ns;) {
		if (poll(sockets, connections, -1) < 0) fail("poll");
		for (size_t i = 0; i < connections; i++) {
			if (sockets[i].revents == 0 || !is_answered(&visits[i], sockets[i].fd)) continue;
			now = now_ns();
			if (now >= counted_from_ns) samples[answers++ % SAMPLES_MAX] = now - visits[i].asked_ns;
			if (fresh) {
				close(sockets[i].fd);
				sockets[i].fd = open_connection();
				visits[i].greeted = false;
			}
			ask(i);
		}
	}
	size_t sampled = answers < SAMPLES_MAX ? answers : SAMPLES_MAX;
	if (sampled == 0) fail("no answers");
	qsort(samples, sampled, sizeof *samples, by_size);
	long long elapsed_ns = (long long)(now_ns() - counted_from_ns);
	printf("%zu %lld %lld %lld\n", answers, elapsed_ns, (long long)samples[sampled / 2],
		(long long)samples[sampled * 99 / 100]);
	return 0;
}
