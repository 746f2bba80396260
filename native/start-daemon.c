/* Starts a daemon for the next call. It inherits nothing of the agent: no descriptor, no variable, no
 * session. */
#include "client.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

enum { STARTING_MAX_S = 10 };

/* A grandchild in a new session, so that Node finds no child it did not start: returns 0 in it, otherwise 1,
 * or -1. */
int fork_away(void)
{
	pid_t child = fork();
	if (child < 0) return -1;
	if (child == 0) {
		if (setsid() < 0) _exit(1);
		pid_t grandchild = fork();
		if (grandchild != 0) _exit(grandchild < 0);
		return 0;
	}
	int status;
	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR) return -1;
	}
	return status == 0 ? 1 : -1;
}

/* An agent waits until the last process that holds its pipes has ended. */
void close_from(int first)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) return;
#endif
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) _exit(1);
	/* Some containers allow a thousand million descriptors; no process opens so many. */
	for (int fd = first; (rlim_t)fd < limit.rlim_cur && fd < 1 << 20; fd++) close(fd);
}

static _Noreturn void become_daemon(const char *home)
{
	char *words[] = { join(home, "/bin/holdpoint-node"), (char[]){ "daemon" }, (char[]){ "--home" }, join(home, ""), NULL };
	char *environment[] = { (char[]){ "PATH=/usr/local/bin:/usr/bin:/bin" }, NULL };
	close_from(0);
	if (open("/dev/null", O_RDWR) != 0 || dup(0) != 1 || dup(0) != 2 || chdir("/") != 0) _exit(1);
	return_signals();
	execve(words[0], words, environment);
	_exit(1);
}

/* The marker file keeps other processes from starting one until the daemon listens and removes it. An old
 * marker belongs to a daemon that never did. */
void start_daemon(int folder, const char *home)
{
	for (int tries = 0; tries < 2; tries++) {
		int mark = openat(folder, "starting", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
		if (mark >= 0) {
			close(mark);
			int forked = fork_away();
			if (forked == 0) become_daemon(home);
			if (forked < 0) unlinkat(folder, "starting", 0);
			return;
		}
		struct stat found;
		if (errno != EEXIST || fstatat(folder, "starting", &found, AT_SYMLINK_NOFOLLOW) != 0) return;
		time_t age_s = time(NULL) - found.st_mtime;
		/* If the clock was set back, the marker must not block the daemon for that long. */
		if (age_s >= -STARTING_MAX_S && age_s <= STARTING_MAX_S) return;
		if (unlinkat(folder, "starting", 0) != 0) return;
	}
}
