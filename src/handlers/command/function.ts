import { extname, resolve } from 'node:path'
import { readRegularText } from '../../system/regular-file.ts'
import type { CommandProgram } from './program.ts'

/**
 * A script whose hook is a function of the tool name, its arguments and a context, in Python or JavaScript.
 * Undefined: it has no such function, and is an ordinary program.
 */
export function functionProgram(command: string, root: string): CommandProgram | undefined {
  const file = resolve(root, command)
  const language = LANGUAGES[extname(file)]
  if (language === undefined || !language.defines.test(textOf(file))) return undefined
  return { file: language.runs, args: [...language.with, file], isAnywhere: true }
}

const SCRIPT_MAX_BYTES = 8 * 1024 * 1024

/** A file that cannot be read is reported when it is started. */
function textOf(file: string): string {
  return readRegularText(file, SCRIPT_MAX_BYTES) ?? ''
}

/** It runs under another module name, so that its own `main` does not run. What it prints is not an answer. */
const PYTHON = `
import sys
del sys.path[0]
import inspect, json, os, traceback, types

path = sys.argv[1]
sys.argv = [path]
sys.path.insert(0, os.path.dirname(path))
answers = os.fdopen(os.dup(1), 'w', encoding='utf-8')
os.dup2(2, 1)
sys.stdout = sys.stderr
try:
    module = types.ModuleType('pre_tool_use')
    module.__file__ = path
    sys.modules['pre_tool_use'] = module
    with open(path, 'rb') as script:
        exec(compile(script.read(), path, 'exec'), module.__dict__)
    event = json.loads(sys.stdin.buffer.read())
    result = module.pre_tool_use_hook(event['tool_name'], event['tool_args'], event['context'])
    if inspect.isawaitable(result):
        import asyncio

        async def wait():
            return await result

        result = asyncio.run(wait())
    if not isinstance(result, dict):
        raise TypeError(f'pre_tool_use_hook returned {type(result).__name__}, not a dict')
    answers.write(json.dumps(result))
    answers.close()
except BaseException as error:
    traceback.print_exc()
    print(f'pre_tool_use_hook: {type(error).__name__}: {error}', file=sys.stderr, flush=True)
    os._exit(1)
`

const JAVASCRIPT = `
const { readFileSync, writeSync } = require('node:fs')
const { pathToFileURL } = require('node:url')
process.stdout.write = process.stderr.write.bind(process.stderr)
async function main(file) {
  const all = await import(pathToFileURL(file).href)
  const places = [all, all.default ?? {}]
  const names = ['pre_tool_use_hook', 'preToolUseHook']
  const hook = places.flatMap((place) => names.map((name) => place[name])).find((each) => typeof each === 'function')
  if (hook === undefined) throw new TypeError('it exports neither pre_tool_use_hook nor preToolUseHook')
  const event = JSON.parse(readFileSync(0, 'utf8'))
  const result = await hook(event.tool_name, event.tool_args, event.context)
  if (typeof result !== 'object' || result === null) throw new TypeError('the hook returned no object')
  writeSync(1, JSON.stringify(result))
}
main(process.argv[1]).then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(String(error) + '\\n')
    process.exit(1)
  },
)
`

interface Language {
  readonly defines: RegExp
  readonly runs: string
  readonly with: readonly string[]
}

const SCRIPT: Language = {
  defines: /\b(?:pre_tool_use_hook|preToolUseHook)\b/,
  runs: process.execPath,
  with: ['-e', JAVASCRIPT],
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  '.py': {
    defines:
      /^(?:async\s+)?def\s+pre_tool_use_hook\b|^pre_tool_use_hook\s*=|\bimport\b.*\bpre_tool_use_hook\b/m,
    runs: 'python3',
    with: ['-c', PYTHON],
  },
  '.js': SCRIPT,
  '.mjs': SCRIPT,
  '.cjs': SCRIPT,
}
