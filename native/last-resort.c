/* The clock, the alarm, and what is said when there is no answer. */
#include "client.h"
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t started_ms;
static volatile sig_atomic_t failure_code = 2;

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

/* Runs in a signal handler: only calls that may, and none that can wait. A pipe with room takes a whole short line. */
static void say(const char *text)
{
	struct pollfd errors = { .fd = STDERR_FILENO, .events = POLLOUT };
	if (poll(&errors, 1, 0) == 1 && write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

_Noreturn void give_up(const char *why)
{
	say("holdpoint: this could not be judged. ");
	say(why);
	say(failure_code == 0 ? " It was let through.\n" : " It was stopped; tell the user.\n");
	_exit(failure_code);
}

static void on_alarm(int number)
{
	(void)number;
	give_up("There was no answer in time.");
}

int64_t elapsed_ms(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) give_up("There is no clock.");
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 - started_ms;
}

void start_clock(void)
{
	started_ms = elapsed_ms();
}

/* Counted from the start of the process; 0 is no alarm. */
void set_alarm(int64_t at_ms)
{
	int64_t left_ms = at_ms == 0 ? 0 : at_ms - elapsed_ms();
	/* A timer of zero would be none. */
	if (at_ms != 0 && left_ms < 1) left_ms = 1;
	struct itimerval timer = { .it_value = { (time_t)(left_ms / 1000), (suseconds_t)(left_ms % 1000 * 1000) } };
	if (setitimer(ITIMER_REAL, &timer, NULL) != 0) give_up("There is no timer.");
}

/* Whatever the agent blocks or ignores, the alarm must arrive and a closed pipe must be an error to see. */
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
	if (!taken) give_up("Signals cannot be set.");
}

/* Before another program takes over this process: it inherits what we were given. */
void return_signals(void)
{
	bool returned = true;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		returned = returned && sigaction(signals[i].number, &signals[i].before, NULL) == 0;
	}
	if (!returned || sigprocmask(SIG_SETMASK, &mask_before, NULL) != 0) give_up("Signals cannot be set.");
}
