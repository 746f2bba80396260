import { PYTHON_PLATFORM } from '../../../system/platform/python.ts'
import { EXIT_IMPORT, PYTHON_CALL } from '../python.ts'

/**
 * The worker: Python with the modules that most hooks import, which is forked for each call. It imports nothing of the
 * configuration itself. So a hook is read again at each call, and everything it does ends with its own process.
 *
 * It reads requests from standard input and writes frames to file descriptor 3: the number of the call, a kind and
 * bytes. Kinds: `R` ready; `S` started, with the process id; `O` and `E` output; `X` ended; `C` start it cold instead.
 *
 * A process is forked in advance. It waits for its request, which it gets only after `S` was written. So no hook runs
 * that Holdpoint does not know of. If Holdpoint is gone, standard input ends, and the worker ends with all of its calls.
 */
export const PYTHON_WORKER = `${PYTHON_CALL}
LOADED_BY_EVERY_CALL = frozenset(sys.modules)
import atexit, gc, select, signal, struct, threading, time
import asyncio, base64, collections, contextlib, copy, enum, fnmatch, functools, glob, hashlib, itertools, logging
import math, pathlib, random, re, shlex, shutil, string, subprocess, tempfile, textwrap, typing, urllib.parse, uuid

DRAIN_SECONDS = 0.1
READ = select.POLLIN | select.POLLHUP | select.POLLERR


class Call:
    def __init__(self, number, pid, ends, text):
        self.number, self.pid, self.text = number, pid, text
        self.feed, out, err, done = ends
        self.streams, self.done = {out: b'O', err: b'E'}, done
        self.words, self.ended, self.until = [], None, None


def send(number, kind, data=b''):
    data = struct.pack('>IcI', number, kind, len(data)) + data
    while data:
        data = data[os.write(3, data):]


WORKER, LEAVING = os.getpid(), []


def leave(calls):
    for each in calls.values() if os.getpid() == WORKER else ():
        for kill in (os.killpg, os.kill):
            try:
                if each.ended is None:
                    kill(each.pid, signal.SIGKILL)
            except OSError:
                pass
    os._exit(0)

${PYTHON_PLATFORM}

def is_alone():
    return threading.active_count() == 1 and thread_count() == 1


EXTRA = {each.split('.')[0] for each in sys.modules if each not in LOADED_BY_EVERY_CALL}


def shadows(folder):
    """Whether a module of the configuration has the name of one that only this process has loaded already."""
    return any(each.split('.')[0] in EXTRA for each in os.listdir(folder))


def take_request():
    """In a forked process: waits for its request. What follows on standard input is the event."""
    def exactly(size):
        data = b''
        while len(data) < size:
            more = os.read(0, size - len(data))
            if not more:
                os._exit(1)
            data += more
        return data

    return json.loads(exactly(struct.unpack('>I', exactly(4))[0]))


def fork(spares):
    """True: this is the new process."""
    pipes = [os.pipe() for _ in range(4)]
    theirs, ours = [pipes[0][0]] + [each[1] for each in pipes[1:]], [pipes[0][1]] + [each[0] for each in pipes[1:]]
    pid = os.fork()
    if pid > 0:
        for end in theirs:
            os.close(end)
        for end in ours:
            os.set_blocking(end, False)
        spares.append((pid, ours))
        return False
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # The last one may be number 3 already: then it stays where it is.
    for target, end in enumerate(theirs):
        os.dup2(end, target, inheritable=target < 3)
    for each in open_files():
        if each > 3:
            try:
                os.close(each)
            except OSError:
                pass
    return True


def begin(request, calls, spares, poll):
    """True: this is the process of the call."""
    number, event = request.pop('id'), request.pop('stdin')
    try:
        if shadows(request['root']):
            raise OSError('not here')
        os.chdir(request['cwd'])
        if spares and os.waitpid(spares[0][0], os.WNOHANG)[0] != 0:
            for end in spares.pop()[1]:
                os.close(end)
        if not spares and fork(spares):
            return True
    except OSError:
        send(number, b'C')
        return False
    pid, ends = spares.pop()
    head = json.dumps(request).encode()
    text = struct.pack('>I', len(head)) + head + event.encode('utf-8', 'replace')
    call = Call(number, pid, ends, text)
    calls[number] = call
    send(number, b'S', str(pid).encode())
    poll.register(call.feed, select.POLLOUT)
    for end in (*call.streams, call.done):
        poll.register(end, READ)
    fed(call, poll)
    return False


def drop(end, poll):
    poll.unregister(end)
    os.close(end)


def fed(call, poll):
    try:
        call.text = call.text[os.write(call.feed, call.text[:65536]):]
    except BlockingIOError:
        return
    except OSError:
        call.text = b''
    if not call.text:
        drop(call.feed, poll)
        call.feed = None


def relay(call, end, poll):
    """False: there is nothing more to read now."""
    try:
        data = os.read(end, 65536)
    except BlockingIOError:
        return False
    if data:
        send(call.number, call.streams[end], data)
        return True
    drop(end, poll)
    del call.streams[end]
    return False


def hear(call, poll):
    """What the process says of itself: that it has begun, and that it is over but for taking itself apart."""
    try:
        data = os.read(call.done, 4096)
    except BlockingIOError:
        return
    if not data:
        drop(call.done, poll)
        call.done = None
    call.words += data.split()
    # A child of it that says the same does not count.
    if call.ended is None and str(call.pid).encode() in call.words:
        call.ended, call.until = {'code': 0, 'signal': None}, time.monotonic() + DRAIN_SECONDS
        LEAVING.append(call.pid)


def reap(calls):
    LEAVING[:] = [each for each in LEAVING if os.waitpid(each, os.WNOHANG)[0] == 0]
    for call in calls.values():
        if call.ended is not None:
            continue
        pid, status = os.waitpid(call.pid, os.WNOHANG)
        if pid == 0:
            continue
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
        by = None if code is not None else signal.Signals(os.WTERMSIG(status)).name
        call.ended, call.until = {'code': code, 'signal': by}, time.monotonic() + DRAIN_SECONDS


def finish(calls, poll):
    """Reports the calls that have ended, once their output was read or a child of theirs keeps it open for too long."""
    for call in list(calls.values()):
        if call.ended is None or (call.streams and time.monotonic() < call.until):
            continue
        for end in list(call.streams):
            while relay(call, end, poll):
                pass
        if call.done is not None:
            hear(call, poll)
        for end in (*call.streams, call.feed, call.done):
            if end is not None:
                drop(end, poll)
        del calls[call.number]
        if b'begun' in call.words:
            send(call.number, b'X', json.dumps(call.ended).encode())
        else:
            send(call.number, b'C')


def requests(buffer):
    while len(buffer) >= 4:
        size = struct.unpack('>I', buffer[:4])[0]
        if len(buffer) < 4 + size:
            return
        text = bytes(buffer[4:4 + size])
        del buffer[:4 + size]
        yield json.loads(text)


def serve():
    """Returns in the process of a call only."""
    woken, wakes = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    calls, spares, buffer, poll = {}, [], bytearray(), select.poll()
    for end in (0, woken):
        poll.register(end, READ)
    try:
        if not is_alone():
            os._exit(1)
        gc.collect()
        gc.freeze()
        send(0, b'R')
        while True:
            waiting = any(each.ended is not None for each in calls.values())
            ready = poll.poll(20 if waiting else None if calls or spares else 5)
            # A process in advance, while nobody waits for anything: a call then costs no fork.
            if not ready and not calls and not spares and fork(spares):
                return
            for end, _ in ready:
                if end == 0:
                    data = os.read(0, 65536)
                    if not data:
                        leave(calls)
                    buffer += data
                elif end == woken:
                    os.read(woken, 512)
                for call in list(calls.values()):
                    if end == call.feed:
                        fed(call, poll)
                    elif end == call.done:
                        hear(call, poll)
                    elif end in call.streams:
                        relay(call, end, poll)
            for request in requests(buffer):
                if begin(request, calls, spares, poll):
                    return
            reap(calls)
            finish(calls, poll)
    except BaseException:
        leave(calls)


def limber():
    """Touches now, while nobody waits, the memory that every call writes to."""
    compile('def hook(event):\\n    return {"decision": event}\\n', 'hook', 'exec')
    HookEvent('', '', '', None, datetime.datetime.fromisoformat('2026-01-15T12:00:00+00:00'), '', {})
    answer({'decision': json.loads('{"a": ["b", 1]}')})
    try:
        machinery.FileFinder('/', (SourceOnly, machinery.SOURCE_SUFFIXES)).find_spec('nothing')
    except OSError:
        pass


serve()
limber()
request = take_request()
os.write(3, b'begun ')
os.environ.update(request['env'])
try:
    os.chdir(request['cwd'])
except OSError:
    os._exit(${EXIT_IMPORT})
run(request['root'], request['name'])
# As at the end of any program, without the time it takes to take Python itself apart.
threading._shutdown()
atexit._run_exitfuncs()
for each in (sys.stdout, sys.stderr):
    try:
        each.flush()
    except (OSError, ValueError):
        pass
try:
    os.write(3, f'{os.getpid()} '.encode())
    os.closerange(1, 3)
except OSError:
    pass
os._exit(0)
`
