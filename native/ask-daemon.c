/* One request to the daemon, in the format of src/daemon/protocol.ts. Only a process of this user is trusted. */
#include "client.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { GREETING_MAX_MS = 2500, GREETING_BYTES = 4, REQUEST_HEAD_BYTES = 24 };

/* The folder of the socket, created if necessary, or -1. Another user who can write to it could answer
 * instead of the daemon. */
int open_run_folder(const char *home)
{
	static char first_path[1024];
	struct bytes joined = { .at = first_path, .room = sizeof first_path, .is_lent = true };
	append(&joined, home, strlen(home));
	append(&joined, "/run", sizeof "/run");
	const char *path = joined.at;
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int folder = open(path, flags);
	if (folder < 0 && errno == ENOENT) {
		/* If many processes start at once, one creates it and all use it. */
		if (mkdir(path, 0700) == 0 || errno == EEXIST) folder = open(path, flags);
	}
	if (folder < 0) return -1;
	struct stat found;
	if (fstat(folder, &found) == 0 && found.st_uid == geteuid() && (found.st_mode & 022) == 0) return folder;
	close(folder);
	return -1;
}

static bool is_own(int connection)
{
#ifdef SO_PEERCRED
	struct ucred peer;
	socklen_t length = sizeof peer;
	return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
#else
	uid_t user;
	gid_t group;
	return getpeereid(connection, &user, &group) == 0 && user == geteuid();
#endif
}

static int open_socket(void)
{
#ifdef SOCK_NONBLOCK
	return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
#else
	int connection = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connection >= 0 && fcntl(connection, F_SETFL, O_NONBLOCK) == 0) return connection;
	if (connection >= 0) close(connection);
	return -1;
#endif
}

/* From inside the folder, because a socket address has room for 100 bytes and a home may be longer. */
static bool connect_from(int folder, int connection)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "hook.sock" };
	int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (here < 0) return false;
	bool connected = fchdir(folder) == 0 && connect(connection, (struct sockaddr *)&address, sizeof address) == 0;
	if (fchdir(here) != 0) give_up("the working directory could not be restored");
	close(here);
	return connected;
}

/* Never waits. */
static int connect_daemon(int folder, const char *home)
{
	static const char end[] = "/run/hook.sock";
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(home);
	int connection = open_socket();
	if (connection < 0) return -1;
	bool connected = false;
	if (length + sizeof end <= sizeof address.sun_path) {
		memcpy(address.sun_path, home, length);
		memcpy(address.sun_path + length, end, sizeof end);
		connected = connect(connection, (struct sockaddr *)&address, sizeof address) == 0;
	} else {
		connected = connect_from(folder, connection);
	}
	if (connected && is_own(connection)) return connection;
	close(connection);
	return -1;
}

static bool set_number(char *at, uint64_t number)
{
	for (int i = 0; i < 4; i++) at[i] = (char)(number >> (8 * i) & 255);
	return number <= UINT32_MAX;
}

/* Everything of a request except the input, which follows it; false if a number does not fit its field. */
static bool make_request(struct bytes *request, const struct call *call, char **environment)
{
	static char first_cwd[1024];
	char *cwd = getcwd(first_cwd, sizeof first_cwd);
	if (cwd == NULL) cwd = getcwd(NULL, 0);
	append(request, "HPO1 elapsed argv cwd... ", REQUEST_HEAD_BYTES);
	for (char **word = call->argv + 1; *word; word++) append(request, *word, strlen(*word) + 1);
	size_t argv_end = request->length;
	append(request, cwd ? cwd : "/", cwd ? strlen(cwd) : 1);
	size_t cwd_end = request->length;
	for (char **entry = environment; *entry; entry++) append(request, *entry, strlen(*entry) + 1);
	uint64_t numbers[] = {
		(uint64_t)elapsed_ms(), argv_end - REQUEST_HEAD_BYTES, cwd_end - argv_end, request->length - cwd_end,
		call->input.length,
	};
	bool fits = true;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		fits = set_number(request->at + 4 + 4 * i, numbers[i]) && fits;
	}
	return fits;
}

/* As much as the socket takes now. */
static bool send_some(int connection, struct iovec parts[2])
{
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
	ssize_t sent = sendmsg(connection, &message, MSG_NOSIGNAL);
	if (sent < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
	size_t left = (size_t)sent;
	for (int i = 0; i < 2; i++) {
		size_t of_this = left < parts[i].iov_len ? left : parts[i].iov_len;
		parts[i].iov_base = (char *)parts[i].iov_base + of_this;
		parts[i].iov_len -= of_this;
		left -= of_this;
	}
	return true;
}

/* The length of a reply, from the bytes that have arrived, or 0 if it is not a reply. */
static size_t reply_bytes(const struct bytes *reply)
{
	size_t greeted = reply->length < GREETING_BYTES ? reply->length : GREETING_BYTES;
	if (memcmp(reply->at, "HPA1", greeted) != 0) return 0;
	if (reply->length < REPLY_HEAD_BYTES) return REPLY_HEAD_BYTES;
	uint64_t texts = (uint64_t)number_at(reply->at + 8) + number_at(reply->at + 12);
	return number_at(reply->at + 4) > 255 || texts > REPLY_MAX_BYTES ? 0 : REPLY_HEAD_BYTES + (size_t)texts;
}

static bool receive_some(int connection, struct bytes *reply, size_t whole)
{
	make_room(reply, whole < 4096 ? 4096 : whole);
	ssize_t got = recv(connection, reply->at + reply->length, reply->room - reply->length, 0);
	if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
	reply->length += (size_t)got;
	return got > 0;
}

/* Sends and receives at once. A daemon that does not greet hangs; one that did may take until the alarm. */
static bool converse(int connection, struct iovec parts[2], struct bytes *reply)
{
	int64_t greeting_due_ms = elapsed_ms() + GREETING_MAX_MS;
	if (!send_some(connection, parts)) return false;
	for (size_t whole = REPLY_HEAD_BYTES; reply->length < whole;) {
		bool unsent = parts[0].iov_len + parts[1].iov_len > 0;
		struct pollfd wait = { .fd = connection, .events = unsent ? POLLIN | POLLOUT : POLLIN };
		bool greeted = reply->length >= GREETING_BYTES;
		int64_t left_ms = greeted ? -1 : greeting_due_ms - elapsed_ms();
		int ready = !greeted && left_ms < 0 ? 0 : poll(&wait, 1, (int)left_ms);
		if (ready < 0 && errno == EINTR) continue;
		if (ready <= 0) return false;
		if ((wait.revents & POLLOUT) != 0 && !send_some(connection, parts)) return false;
		if ((wait.revents & ~POLLOUT) == 0) continue;
		if (!receive_some(connection, reply, whole)) return false;
		whole = reply_bytes(reply);
		if (whole == 0) return false;
	}
	/* A process that answers before the request was sent is not Holdpoint's daemon. */
	return parts[0].iov_len + parts[1].iov_len == 0;
}

/* True when the whole reply has arrived. The request is made before the connection: a daemon that wakes up before the
 * request is there takes it in a slower way. */
bool ask_daemon(int folder, const struct call *call, struct bytes *reply)
{
	extern char **environ;
	static char first_request[1 << 14];
	struct bytes request = { .at = first_request, .room = sizeof first_request, .is_lent = true };
	if (!make_request(&request, call, environ)) return false;
	int connection = connect_daemon(folder, call->home);
	if (connection < 0) return false;
	struct iovec parts[2] = { { request.at, request.length }, { call->input.at, call->input.length } };
	if (converse(connection, parts, reply)) return true;
	close(connection);
	return false;
}
