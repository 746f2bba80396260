import { fileAt } from '../expand/line-files.ts'
import { programOf } from '../programs/index.ts'
import {
  codeRun,
  type Launch,
  type LaunchCall,
  type StartedCommand,
  writtenHere,
} from '../vocabulary/launch.ts'
import { exactForm, exactWord, type Form } from '../words/words.ts'
import { interpret } from './interpret.ts'
import { runScriptFiles } from './script-files.ts'
import { unwrap } from './unwrap.ts'

/** The dynamic loader runs the program it is given. */
const LOADER = /^ld(-linux.*|-musl.*)?\.so(\.\d+)?$/

/** A command of PowerShell, typed where a Unix shell reads it. */
const CMDLET = /^[A-Z][a-z]+-[A-Z][A-Za-z]+$/

function asPowerShell({ name, word, args }: LaunchCall): Launch {
  const code = [word, ...args].map(({ source }) => source).join(' ')
  return { own: 0, runs: [{ via: name, words: ['pwsh', '-Command', code].map(exactWord) }] }
}

const SHOUTED = /^[A-Z]{2,}$/

/** What a call of a program starts in turn; undefined when that is nothing. */
export function launchOf(call: LaunchCall): Launch | undefined {
  const { name, args } = call
  const program = programOf(name)
  const known =
    program?.starts?.(call) ??
    (program?.wraps === undefined ? undefined : unwrap(program.wraps, call)) ??
    (program?.interprets === undefined ? undefined : interpret(program.interprets, call))
  const scripts = () => (program?.scripts === undefined ? undefined : runScriptFiles(program.scripts, call))
  if (known !== undefined) return startsNothing(known) ? (scripts() ?? known) : known
  // On disks that know no capitals, `SUDO BASH` works too.
  if (SHOUTED.test(name)) return launchOf({ ...call, name: name.toLowerCase() })
  if (CMDLET.test(name)) return asPowerShell(call)
  if (LOADER.test(name) && args.length > 0) return { own: 0, runs: [{ via: name, words: args }] }
  return call.place.files.size === 0 ? undefined : (scripts() ?? writtenProgram(call))
}

function startsNothing({ runs, inline, opaque }: Launch): boolean {
  return runs.length === 0 && inline === undefined && opaque === undefined
}

/** `./x.sh`, where this line wrote it or made it a copy of another program. */
function writtenProgram(call: LaunchCall): Launch | undefined {
  const { word, args } = call
  const named = word.forms.some((form) => form.some((piece) => piece.text.includes('/')))
  const byEnding = ENDINGS.find(([ending]) => ending.test(call.name))?.[1]
  const files = named || byEnding !== undefined ? fileAt(word, call.place) : undefined
  if (files === undefined) return undefined
  // `uv run x.py`: a wrapper chooses the interpreter.
  if (!named && byEnding !== undefined)
    return { own: 0, runs: [{ via: word.source, words: [exactWord(byEnding), word, ...args] }] }
  const runs = files.flatMap((file): readonly StartedCommand[] => {
    if (file.kind === 'program') return [{ via: word.source, words: [file.word, ...args] }]
    const program = file.kind === 'text' ? interpreterIn(file.forms) : []
    if (program.length > 0) return [{ via: word.source, words: [...program.map(exactWord), word, ...args] }]
    return file.kind === 'text'
      ? [codeRun(word.source, file.forms, { shell: 'child', positional: args, script: word.source })]
      : []
  })
  const unknown = files.some((file) => file.kind === 'unknown')
  return { own: args.length, runs, ...(unknown ? { opaque: writtenHere(word) } : {}) }
}

const ENDINGS: readonly (readonly [ending: RegExp, program: string])[] = [
  [/\.py$/, 'python3'],
  [/\.[cm]?[jt]sx?$/, 'node'],
  [/\.rb$/, 'ruby'],
  [/\.(?:ba)?sh$/, 'bash'],
]

/** The interpreter in the first line of a script: `#!/usr/bin/env python3`. */
function interpreterIn(forms: readonly Form[]): readonly string[] {
  const line = /^#!\s*([^\n]+)/.exec(exactForm(forms[0] ?? []) ?? '')?.[1]
  return line === undefined ? [] : line.trim().split(/\s+/)
}
