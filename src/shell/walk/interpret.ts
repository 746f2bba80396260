import { readInline } from '../code/read.ts'
import { fileAt, knownTextAt } from '../expand/line-files.ts'
import type { Interpreter } from '../programs/aspects/interpreter.ts'
import type { Language } from '../vocabulary/command.ts'
import { type Launch, type LaunchCall, RUN_TIME_CODE, writtenHere } from '../vocabulary/launch.ts'
import { isMade, isStandardInput } from '../words/standard-input.ts'
import { exactText, exactWord, type Form, textPiece, type Word } from '../words/words.ts'
import { withModules } from './code-modules.ts'

/** Code for another language: given as an argument, on standard input, or in a file this line wrote. */
export function interpret(interpreter: Interpreter, call: LaunchCall): Launch | undefined {
  const given = interpreter.find(call.args)
  const language = given.language ?? interpreter.language
  const loaded = call.place.files.size === 0 ? [] : loadedFirst(interpreter, call)
  const preloaded = [...dataModules(call), ...loaded]
  if (given.code.length > 0) return launch(language, [...given.code, ...preloaded], call)
  const asModule = preloaded.length > 0 && (given.script === undefined || given.other === true)
  if (asModule) return launch(language, preloaded, call)
  if (given.script !== undefined && !isStandardInput(given.script))
    return scriptLaunch(language, given.script, call)
  if (!(interpreter.readsInput || given.program) || given.other) return undefined
  if (call.input.forms !== undefined) return launch(language, call.input.forms, call)
  return call.input.piped ? { own: call.args.length, runs: [], opaque: RUN_TIME_CODE } : undefined
}

/** `node --import 'data:text/javascript,code'`. */
function dataModules({ args }: LaunchCall): readonly Form[] {
  return args.flatMap((word) => {
    const [, base64, text] = /^(?:--import=)?data:[\w/]*(;base64)?,(.*)$/s.exec(exactText(word) ?? '') ?? []
    if (text === undefined) return []
    return [
      [textPiece(base64 === undefined ? unescaped(text) : Buffer.from(text, 'base64').toString('utf8'))],
    ]
  })
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `node -r ./x.js`, `python3 -m x`: files that run without being the script. */
function loadedFirst({ language }: Interpreter, { args, place }: LaunchCall): readonly Form[] {
  return args.flatMap((word, at) => {
    const option = exactText(args[at - 1]) ?? ''
    if (at > 0 && /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)$/.test(option))
      return knownTextAt(word, place) ?? []
    const text = exactText(word)
    if (option !== '-m' || text === undefined || language !== 'python') return []
    const path = text.replaceAll('.', '/')
    const found = [`${path}.py`, `${path}/__main__.py`].flatMap(
      (each) => knownTextAt(exactWord(each), place) ?? [],
    )
    // `python3 -m pytest test_x.py`
    const rest = /^(?:pytest|unittest|runpy|trace|pdb|cProfile|coverage)$/.test(text)
      ? args.slice(at + 1)
      : []
    return [...found, ...rest.flatMap((each) => knownTextAt(each, place) ?? [])]
  })
}

function launch(language: Language, given: readonly Form[], call: LaunchCall, script?: Word): Launch {
  const code = withModules(language, given, script, call.place)
  const inline = { language, code }
  const { runs, opaque } = readInline(inline, call.name, call.place)
  return { own: call.args.length, runs, inline, ...(opaque === undefined ? {} : { opaque }) }
}

function scriptLaunch(language: Language, script: Word, call: LaunchCall): Launch | undefined {
  const files = fileAt(script, call.place)
  if (files === undefined) {
    return isMade(script) ? { own: call.args.length, runs: [], opaque: RUN_TIME_CODE } : undefined
  }
  if (files.some((file) => file.kind === 'unknown'))
    return { own: call.args.length, runs: [], opaque: writtenHere(script) }
  const code = files.flatMap((file) => (file.kind === 'text' ? file.forms : []))
  return code.length === 0 ? undefined : launch(language, code, call, script)
}
