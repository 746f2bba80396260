import { readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Program } from './program.ts'

/**
 * A script that holds its hook as a function of a tool's name, its arguments and a context, in Python or JavaScript.
 * Undefined: it holds none, and is a program like any other.
 */
export function functionProgram(command: string, root: string): Program | undefined {
  const file = resolve(root, command)
  const language = LANGUAGES[extname(file)]
  if (language === undefined || !language.defines.test(textOf(file))) return undefined
  return { file: language.runs, args: [...language.with, file], isAnywhere: true }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // What cannot be read is said where it is started.
    return ''
  }
}

/** It runs under another name, so that a `main` of its own stays quiet; what it prints is no answer. */
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
