import type { HandlerSpec } from '../../../core/hook.ts'
import type { Json, JsonObject } from '../../../core/json.ts'
import { asksHoldpoint } from '../../../handlers/own-call.ts'
import type { Path } from '../locate.ts'
import type { MassGenReader } from './reading.ts'

/** How a hook is started. Undefined if that is unknown, which is reported. The default type is `python`. */
export function readRun(hook: JsonObject, path: Path, reading: MassGenReader): HandlerSpec | undefined {
  const { problems, file } = reading
  const { type = 'python', handler } = hook
  const read = typeof type === 'string' && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
  if (read === undefined) {
    problems.addWrongValue([...path, 'type'], '`python`, `command`, `module` or `callable`')
    return undefined
  }
  const text = typeof handler === 'string' && !handler.includes('\0') ? handler.trim() : ''
  if (text === '') {
    problems.addWrongValue([...path, 'handler'], EXPECTED[type as keyof typeof EXPECTED])
    return undefined
  }
  const env = readEnv(hook.env, [...path, 'env'], reading)
  if (env === undefined) return undefined
  const start = read(text, path, reading)
  const run: HandlerSpec = {
    ...start,
    protocol: 'massgen',
    root: file.root,
    ...(start.type === 'command' ? { env } : {}),
  }
  if (!asksHoldpoint({ run })) return run
  problems.add('CONFIG_VALUE', [...path, 'handler'], 'This starts Holdpoint again, which would never end.')
  return undefined
}

const EXPECTED = {
  python: 'a function by its module: `package.module.function`',
  command: 'a script or a command',
  module: 'a file and optionally one of its exports: `./hooks/check.ts#audit`',
  callable: 'the name of a function that the program registers',
}

type Reader = (handler: string, path: Path, reading: MassGenReader) => HandlerSpec

const TYPES: Readonly<Record<string, Reader>> = {
  python: readPython,
  command: (command) => ({
    type: 'command',
    command,
    // With arguments, even an empty list, one word is a program and not a shell line: a missing program is then recognised.
    ...(/\s/.test(command) ? {} : { args: [] }),
  }),
  module: (handler) => {
    const at = handler.lastIndexOf('#')
    return at <= 0
      ? { type: 'module', module: handler }
      : { type: 'module', module: handler.slice(0, at), export: handler.slice(at + 1) }
  },
  callable: (name) => ({ type: 'callable', name }),
}

/** An invalid function name is reported here, and the hook is kept: a hook that cannot be imported denies. */
function readPython(handler: string, path: Path, { problems }: MassGenReader): HandlerSpec {
  if (!CALLABLE.test(handler)) problems.addWrongValue([...path, 'handler'], EXPECTED.python)
  return { type: 'command', python: handler }
}

const CALLABLE = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/

/** Variables of the caller that the program gets in addition to the usual ones. */
function readEnv(
  env: Json | undefined,
  path: Path,
  { problems }: MassGenReader,
): readonly string[] | undefined {
  if (env === undefined || env === null) return []
  const isName = (name: Json): name is string => typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name)
  if (Array.isArray(env) && env.every(isName)) return env
  problems.addWrongValue(path, 'a list of variable names')
  return undefined
}
