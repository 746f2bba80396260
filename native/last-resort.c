/* The clock, the alarm, and the message if there is no answer. */
#include "client.h"
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t started_ms;
static volatile sig_atomic_t failure_code = 2;
/* The hook process, which is killed when the time is over; 0 if there is none. */
static volatile sig_atomic_t child;

static void on_alarm(int number);
static struct { int number; void (*handler)(int); struct sigaction before; } signals[] = {
	{ .number = SIGALRM, .handler = on_alarm },
	{ .number = SIGPIPE, .handler = SIG_IGN },
	{ .number = SIGXFSZ, .handler = SIG_IGN },
	{ .number = SIGCHLD, .handler = SIG_DFL },
};
static sigset_t mask_before;

void set_failure_code(int code)
{
	failure_code = code;
}

void set_child(int pid)
{
	child = pid;
}

/* Runs in a signal handler: only async-signal-safe calls, and none that can wait. A pipe with room takes a
 * whole short line. */
static void say(const char *text)
{
	struct pollfd errors = { .fd = STDERR_FILENO, .events = POLLOUT };
	if (poll(&errors, 1, 0) == 1 && write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

_Noreturn void give_up(const char *why)
{
	/* With everything it started. It may hang in the kernel and not die, so nothing waits for it. */
	if (child > 0) kill(-child, SIGKILL);
	say(failure_code == 0 ? "holdpoint: allowed without a check: " : "holdpoint: blocked without a check: ");
	say(why);
	say(failure_code == 0 ? ". " : ". Tell the user. ");
	say("`npx holdpoint doctor` tests the hooks.\n");
	_exit(failure_code);
}

/* For a command line that no agent was configured with: blocked, whatever `--on-failure` says. */
_Noreturn void refuse(const char *why)
{
	say("holdpoint: ");
	say(why);
	say("\n");
	_exit(2);
}

static void on_alarm(int number)
{
	(void)number;
	give_up("no answer in time");
}

int64_t elapsed_ms(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) give_up("the clock could not be read");
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 - started_ms;
}

void start_clock(void)
{
	started_ms = elapsed_ms();
}

/* Counted from the start of the process; 0 means no alarm. */
void set_alarm(int64_t at_ms)
{
	int64_t left_ms = at_ms == 0 ? 0 : at_ms - elapsed_ms();
	/* A timer of zero would be no timer. */
	if (at_ms != 0 && left_ms < 1) left_ms = 1;
	struct itimerval timer = { .it_value = { (time_t)(left_ms / 1000), (suseconds_t)(left_ms % 1000 * 1000) } };
	if (setitimer(ITIMER_REAL, &timer, NULL) != 0) give_up("the timer could not be set");
}

/* Whatever signals the agent blocks or ignores, the alarm must arrive, and a closed pipe must be a visible
 * error. */
void take_signals(void)
{
	sigset_t alarm_only;
	sigemptyset(&alarm_only);
	sigaddset(&alarm_only, SIGALRM);
	bool taken = sigprocmask(SIG_UNBLOCK, &alarm_only, &mask_before) == 0;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction action = { .sa_handler = signals[i].handler };
		taken = taken && sigaction(signals[i].number, &action, &signals[i].before) == 0;
	}
	if (!taken) give_up("signal handlers could not be set");
}

/* Before another program replaces this process: it inherits the original signal settings. */
void return_signals(void)
{
	bool returned = true;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		returned = returned && sigaction(signals[i].number, &signals[i].before, NULL) == 0;
	}
	if (!returned || sigprocmask(SIG_SETMASK, &mask_before, NULL) != 0) give_up("signal handlers could not be set");
}
