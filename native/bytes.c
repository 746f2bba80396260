/* Memory, and reads and writes that are complete or fail. */
#include "client.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGES_FROM = 1 << 18 };

void make_room(struct bytes *buffer, size_t room)
{
	if (room <= buffer->room) return;
	/* From here on the system moves pages; below, each larger buffer would be a copy. */
	if (buffer->is_lent && room < PAGES_FROM) room = PAGES_FROM;
	char *larger = realloc(buffer->is_lent ? NULL : buffer->at, room);
	if (larger == NULL) give_up("out of memory");
	if (buffer->is_lent) memcpy(larger, buffer->at, buffer->length);
	buffer->at = larger;
	buffer->room = room;
	buffer->is_lent = false;
}

void append(struct bytes *buffer, const char *at, size_t length)
{
	if (buffer->room - buffer->length < length) make_room(buffer, 2 * buffer->room + length);
	if (length > 0) memcpy(buffer->at + buffer->length, at, length);
	buffer->length += length;
}

char *join(const char *folder, const char *name)
{
	struct bytes path = { 0 };
	append(&path, folder, strlen(folder));
	append(&path, name, strlen(name) + 1);
	return path.at;
}

/* An interruption, or a non-blocking descriptor: this waits for it. */
static bool is_passing(int error, int fd, short events)
{
	struct pollfd wait = { .fd = fd, .events = events };
	if (error == EAGAIN || error == EWOULDBLOCK) return poll(&wait, 1, -1) >= 0 || errno == EINTR;
	return error == EINTR;
}

/* To the end, or to `max`. */
bool read_whole(int fd, struct bytes *buffer, size_t max)
{
	while (buffer->length < max) {
		if (buffer->length == buffer->room) make_room(buffer, buffer->room == 0 ? 1 << 16 : 2 * buffer->room);
		size_t room = (buffer->room < max ? buffer->room : max) - buffer->length;
		ssize_t got = read(fd, buffer->at + buffer->length, room);
		if (got == 0) return true;
		if (got < 0 && !is_passing(errno, fd, POLLIN)) return false;
		if (got > 0) buffer->length += (size_t)got;
	}
	return true;
}

bool write_whole(int fd, const char *at, size_t length)
{
	while (length > 0) {
		ssize_t written = write(fd, at, length);
		if (written < 0 && !is_passing(errno, fd, POLLOUT)) return false;
		if (written > 0) {
			at += written;
			length -= (size_t)written;
		}
	}
	return true;
}

/* Four bytes, the lowest first. */
uint32_t number_at(const char *at)
{
	uint32_t number = 0;
	for (int i = 3; i >= 0; i--) number = number << 8 | (unsigned char)at[i];
	return number;
}
