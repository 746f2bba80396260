import { listedWords } from '../arguments/listed-words.ts'
import { type ReadOptions, readOptions, valuesOf } from '../arguments/options.ts'
import type { Wrapper } from '../programs/aspects/wrapper.ts'
import type { Launch, LaunchCall, StartedCommand } from '../vocabulary/launch.ts'
import { codeRun } from '../vocabulary/launch.ts'
import { type Folder, folderAt } from '../words/folders.ts'
import { isInside, resolvePath } from '../words/paths.ts'
import { exactText, exactWord, joinWords, textPiece, type Word } from '../words/words.ts'

/** The command behind a wrapper; undefined when with this verb it is none. */
export function unwrap(wrapper: Wrapper, call: LaunchCall): Launch | undefined {
  return unwrapWith(wrapper, call.name, 0, call)
}

function unwrapWith(wrapper: Wrapper, via: string, from: number, call: LaunchCall): Launch | undefined {
  const args = call.args.slice(from)
  const read = readOptions(args, wrapper.options, { stopAtOperand: true })
  if (isAsked(wrapper.inert, read)) {
    return wrapper.verbs === undefined ? { own: call.args.length, runs: [] } : undefined
  }
  if (wrapper.verbs !== undefined) {
    const verb = exactText(read.operands[0]) ?? ''
    const inner = Object.hasOwn(wrapper.verbs, verb) ? wrapper.verbs[verb] : undefined
    if (inner !== undefined) return unwrapWith(inner, `${via} ${verb}`, from + read.operandsAt + 1, call)
    if (wrapper.ownVerbs === undefined || listedWords(wrapper.ownVerbs).includes(verb) || verb === '')
      return undefined
  }
  const start = startOfCommand(args, read, wrapper)
  const launch = launchAt(wrapper, via, args, start, read, call)
  // A word that may be a verb after all stays with the program too.
  return { ...launch, own: wrapper.ownVerbs === undefined ? launch.own + from : call.args.length }
}

function launchAt(
  wrapper: Wrapper,
  via: string,
  args: readonly Word[],
  start: number,
  read: ReadOptions,
  call: LaunchCall,
): Launch {
  const words = args.slice(start)
  const common = commonOf(wrapper, via, args, start, read, call)
  const codes = wrapper.code === undefined ? [] : valuesOf(read, wrapper.code)
  const asCode = (forms: ReturnType<typeof joinWords>): StartedCommand => codeRun(common.via, forms, common)
  if (wrapper.texts === true)
    return { own: start, runs: [...codes, ...words].map((word) => asCode(word.forms)) }
  const [code] = codes
  if (code !== undefined) return { own: start, runs: [asCode(joinWords([code, ...words]))] }
  const entry = wrapper.entry === undefined ? undefined : valuesOf(read, wrapper.entry)[0]
  // Compose reads it as a command line of its own.
  if (entry !== undefined && /\s/.test(exactText(entry) ?? ''))
    return { own: start, runs: [asCode(joinWords([entry, ...words]))] }
  if (entry !== undefined) return { own: start, runs: [{ ...common, words: [entry, ...words] }] }
  if (words.length === 0 && startsShell(wrapper, read, call))
    return { own: args.length, runs: [{ ...common, words: [SHELL] }] }
  // In a container, words that begin with a dash go to the program the image would run.
  if (words.length === 0 || (wrapper.remote === true && /^-/.test(exactText(words[0]) ?? ''))) {
    return { own: args.length, runs: [] }
  }
  if (isAsked(wrapper.joins, read)) return { own: start, runs: [asCode(joinWords(words))] }
  if (wrapper.code === 'command' && exactText(words[0]) === '-c') {
    return { own: start, runs: [asCode(words[1]?.forms ?? [])] }
  }
  // A terminal hands one word with blanks in it to a shell.
  if (wrapper.after !== undefined && words.length === 1 && /\s/.test(exactText(words[0]) ?? '')) {
    return { own: start, runs: [asCode(words[0]?.forms ?? [])] }
  }
  // An option we do not know may take the next word: then the command begins one later. Both are looked at.
  const doubt = read.options.some((option) => !option.listed && !/^\d$/.test(option.name)) && words.length > 1
  const readings = doubt && wrapper.after === undefined ? [words, words.slice(1)] : [words]
  const named = wrapper.versioned === true ? readings.map(withoutVersion) : readings
  return { own: start, runs: named.map((each) => ({ ...common, words: each })) }
}

const SHELL = exactWord('sh')

/** `sudo -s <<< code`: what stands on standard input is for the shell it starts. */
function startsShell(wrapper: Wrapper, read: ReadOptions, { input }: LaunchCall): boolean {
  if (input.forms === undefined && !input.piped) return false
  if (read.operands.length === 0 && read.options.some(({ name }) => name === 'help' || name === 'version'))
    return false
  return isAsked(wrapper.shell, read)
}

/** Always, or with one of these options. */
function isAsked(names: true | string | undefined, read: ReadOptions): boolean {
  if (names === undefined || names === true) return names === true
  return listedWords(names).some((name) => read.options.some((option) => option.name === name))
}

function commonOf(
  wrapper: Wrapper,
  via: string,
  args: readonly Word[],
  start: number,
  read: ReadOptions,
  call: LaunchCall,
): StartedCommand {
  const bare =
    wrapper.bare !== undefined &&
    (read.options.some((option) => option.name === wrapper.bare) || exactText(args[read.operandsAt]) === '-')
  const shell = wrapper.sameShell === true ? { shell: 'same' as const } : {}
  if (wrapper.remote !== true)
    return { via, ...shell, ...placed(wrapper, read, call), ...(bare ? { bare } : {}) }
  const operand = (wrapper.operands ?? 0) > 0 ? exactText(read.operands[0]) : undefined
  const place = operand === undefined || start <= read.operandsAt ? via : `${via} ${operand}`
  const { moved } = placed(wrapper, read, {
    ...call,
    place: { ...call.place, cwd: undefined, mayBeIn: undefined },
  })
  const mounted = hostFolder(moved?.cwd, valuesOf(read, 'volume'), call)
  if (mounted !== undefined) return { via: place, shell: 'child', moved: { cwd: mounted } }
  return { via: place, remote: place, shell: 'child', moved: moved ?? { cwd: undefined } }
}

/** `docker run -v "$PWD":/work -w /work`: relative names are files of this machine. */
function hostFolder(
  folder: string | undefined,
  volumes: readonly Word[],
  call: LaunchCall,
): string | undefined {
  if (folder === undefined) return undefined
  for (const volume of volumes) {
    const [host, target] = (exactText(volume) ?? '').split(':')
    if (host === undefined || !/^[/.~]/.test(host) || target === undefined || !isInside(folder, target))
      continue
    const root = resolvePath(host, call.place)
    return root === undefined
      ? undefined
      : resolvePath(`.${folder.slice(target.length)}`, { ...call.place, cwd: root })
  }
  return undefined
}

function startOfCommand(args: readonly Word[], read: ReadOptions, wrapper: Wrapper): number {
  if (wrapper.after !== undefined) {
    const marks = listedWords(wrapper.after)
    const at = args.findIndex((word) => marks.includes(exactText(word) ?? ''))
    return at < 0 ? args.length : at + 1
  }
  if (wrapper.separated === true) {
    const at = args.findIndex((word) => exactText(word) === '--')
    if (at >= 0) return at + 1
  }
  let start = read.operandsAt + (wrapper.operands ?? 0)
  // `kubectl exec pod -c app ls`: options also stand behind the first operand.
  if (wrapper.operands !== undefined && wrapper.separated === true) {
    start += readOptions(args.slice(start), wrapper.options, { stopAtOperand: true }).operandsAt
  }
  if (wrapper.assignments !== true) return start
  const passed = (word: Word | undefined): boolean => {
    const [first] = word?.forms[0] ?? []
    if (first?.kind === 'unknown') return SETTINGS_OF_FILE.test(first.text)
    return first?.kind === 'text' && (first.text === '-' || /^[A-Za-z_]\w*(%%)?=/.test(first.text))
  }
  while (passed(args[start])) start += 1
  return start
}

/** `env $(grep -v '^#' .env.example | xargs) npm start`: what stands in such a file are variables. */
const SETTINGS_OF_FILE =
  /^\$\((?:cat|[ef]?grep|sed)\s[^;&`$()]*\.env[\w.-]*(?:\s*\|\s*(?:xargs|[ef]?grep|sed)\b[^;&`$()]*)*\)$/

function placed(wrapper: Wrapper, read: ReadOptions, call: LaunchCall): { moved?: Folder } {
  const folder = wrapper.folder === undefined ? undefined : valuesOf(read, wrapper.folder).at(-1)
  if (folder === undefined) return {}
  return { moved: folderAt(folder, call.place, call.place.home) }
}

/** `npx rimraf@5 dist` runs rimraf; so does `npx @scope/rimraf`, as far as its name tells. */
function withoutVersion(words: readonly Word[]): readonly Word[] {
  const [name, ...rest] = words
  const text = exactText(name)
  if (name === undefined || text === undefined) return words
  const bare = text.replace(/(?<=.)@[^/]*$/, '')
  return bare === text ? words : [{ ...name, forms: [[textPiece(bare)]] }, ...rest]
}
