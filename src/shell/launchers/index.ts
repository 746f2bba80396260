import { fileAt } from '../expand/line-files.ts'
import {
  codeRun,
  type Launch,
  type LaunchCall,
  type Launcher,
  type StartedCommand,
} from '../vocabulary/launch.ts'
import { unwrap } from '../walk/unwrap.ts'
import { exactForm, exactWord, type Form } from '../words/words.ts'
import { APPLET_LAUNCHERS } from './applets.ts'
import { CODE_OPTION_LAUNCHERS } from './code-options.ts'
import { EDITOR_LAUNCHERS } from './editors.ts'
import { FOR_EACH_LAUNCHERS } from './for-each.ts'
import { gitLaunch } from './git.ts'
import { interpreterLaunch } from './interpreters.ts'
import { RECIPE_LAUNCHERS } from './recipes.ts'
import { scriptFileLaunch } from './script-files.ts'
import { SHELL_LAUNCHERS, writtenHere } from './shells.ts'
import { SSH_LAUNCHERS } from './ssh.ts'
import { TERMINAL_LAUNCHERS } from './terminals.ts'
import { WINDOWS_LAUNCHERS } from './windows-cmd.ts'

const LAUNCHERS: ReadonlyMap<string, Launcher> = new Map(
  Object.entries({
    ...SHELL_LAUNCHERS,
    ...APPLET_LAUNCHERS,
    ...FOR_EACH_LAUNCHERS,
    ...SSH_LAUNCHERS,
    ...CODE_OPTION_LAUNCHERS,
    ...EDITOR_LAUNCHERS,
    ...RECIPE_LAUNCHERS,
    ...TERMINAL_LAUNCHERS,
    ...WINDOWS_LAUNCHERS,
    git: gitLaunch,
    hub: asGit,
  }),
)

/** hub hands every command of git on to it. */
function asGit({ name, args }: LaunchCall): Launch {
  return { own: args.length, runs: [{ via: name, words: [exactWord('git'), ...args] }] }
}

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
  const known = LAUNCHERS.get(name)?.(call) ?? unwrap(call) ?? interpreterLaunch(call)
  if (known !== undefined) return startsNothing(known) ? (scriptFileLaunch(call) ?? known) : known
  // On disks that know no capitals, `SUDO BASH` works too.
  if (SHOUTED.test(name)) return launchOf({ ...call, name: name.toLowerCase() })
  if (CMDLET.test(name)) return asPowerShell(call)
  if (LOADER.test(name) && args.length > 0) return { own: 0, runs: [{ via: name, words: args }] }
  return call.place.files.size === 0 ? undefined : (scriptFileLaunch(call) ?? writtenProgram(call))
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
    const program = file.kind === 'text' ? programOf(file.forms) : []
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
function programOf(forms: readonly Form[]): readonly string[] {
  const line = /^#!\s*([^\n]+)/.exec(exactForm(forms[0] ?? []) ?? '')?.[1]
  return line === undefined ? [] : line.trim().split(/\s+/)
}
