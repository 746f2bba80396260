import type { CommandProgram } from './program.ts'

/**
 * A Python function as a program: `python3` from the search path runs the text below, which imports the function,
 * passes it the event and prints its result. The text is passed on the command line, so that no file of ours has to
 * be found or trusted.
 */
export function pythonProgram(callable: string, root: string): CommandProgram {
  return { file: 'python3', args: ['-c', ONE_CALL, root, callable], isAnywhere: false }
}

/** Whether a text can be the dotted path of a function at all. */
export function isPythonName(text: string): boolean {
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(text)
}

/** The exit code if the function cannot be imported: an error in the configuration, not in the hook. */
export const EXIT_IMPORT = 78

/**
 * Modules are searched first in the folder of the configuration, not of the caller. Everything the function prints
 * goes to standard error. A result is read by the names of its fields, so any class with these fields works.
 *
 * The text of the modules is trusted: below the root no compiled file is read, and the modules of the function must be
 * text. Packages that are installed there (a virtual environment) are not pinned; use a lockfile.
 */
export const PYTHON_CALL = `
import sys
del sys.path[0]
import dataclasses, datetime, importlib.util, inspect, json, os, traceback
from importlib import machinery


@dataclasses.dataclass
class HookEvent:
    hook_type: str
    session_id: str
    orchestrator_id: str
    agent_id: 'str | None'
    timestamp: datetime.datetime
    tool_name: str
    tool_input: dict
    tool_output: 'str | None' = None

    def to_dict(self):
        return {**dataclasses.asdict(self), 'timestamp': self.timestamp.isoformat()}


FIELDS = ('allowed', 'decision', 'reason', 'updated_input', 'modified_args', 'inject', 'hook_errors')


class SourceOnly(machinery.SourceFileLoader):
    def path_stats(self, path):
        raise OSError('no compiled form counts')


def is_below(path, folder):
    return path == folder or path.startswith(folder.rstrip('/') + '/')


def is_own(path):
    return is_below(path, root) and not any(is_below(path, each) for each in installed)


def own_finder(path):
    if not is_own(path):
        raise ImportError('not a folder of the configuration')
    extensions = (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES)
    return machinery.FileFinder(path, extensions, (SourceOnly, machinery.SOURCE_SUFFIXES))


def load():
    module, _, function = name.rpartition('.')
    sys.path.insert(0, root)
    sys.path_hooks.insert(0, own_finder)
    sys.path_importer_cache.clear()
    steps = module.split('.')
    for count in range(len(steps)):
        spec = importlib.util.find_spec('.'.join(steps[:count + 1]))
        if spec and spec.origin and is_own(spec.origin) and not spec.origin.endswith('.py'):
            raise ImportError(f'{spec.origin} is not text')
    found = getattr(importlib.import_module(module), function)
    if not callable(found):
        raise TypeError('it is not callable')
    return found


def call(function):
    fields = json.loads(sys.stdin.buffer.read())
    fields['timestamp'] = datetime.datetime.fromisoformat(fields['timestamp'].replace('Z', '+00:00'))
    result = function(HookEvent(**fields))
    if inspect.isawaitable(result):
        import asyncio

        async def wait():
            return await result

        result = asyncio.run(wait())
    return result


def answer(result):
    if isinstance(result, bool):
        # What permission hooks answered before there were results.
        result = {'allowed': result}
    if not isinstance(result, dict):
        result = {field: getattr(result, field) for field in FIELDS if hasattr(result, field)}
        if not result:
            raise TypeError('it returned neither a result, nor a dict, nor None')
    text = json.dumps(result, default=lambda value: getattr(value, 'value', str(value)), skipkeys=True)
    return json.dumps(json.loads(text, parse_constant=str))


def run(in_root, of_name):
    global root, name, installed
    root, name = in_root, of_name
    installed = [each for each in sys.path if each.startswith(root.rstrip('/') + '/')]
    answers = os.fdopen(os.dup(1), 'w', encoding='utf-8')
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        function = load()
    except BaseException as error:
        print(f'{name} cannot be imported: {type(error).__name__}: {error}', file=sys.stderr, flush=True)
        os._exit(${EXIT_IMPORT})
    try:
        result = call(function)
        if result is not None:
            answers.write(answer(result))
        answers.close()
    except BaseException as error:
        traceback.print_exc()
        print(f'{name}: {type(error).__name__}: {error}', file=sys.stderr, flush=True)
        os._exit(1)
`

const ONE_CALL = `${PYTHON_CALL}
arguments = sys.argv[1:3]
sys.argv = sys.argv[:1]
run(*arguments)
`
