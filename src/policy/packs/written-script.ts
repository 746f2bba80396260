import type { Answer, Patch } from '../../core/decision.ts'
import { type Event, toolOf } from '../../core/event.ts'
import { type Facts, timerOf } from '../../core/facts.ts'
import {
  type EventExample,
  type Guard,
  type GuardInput,
  type GuardMatch,
  isGuardMatch,
} from '../../core/guard.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { wordSet } from '../../core/word-list.ts'
import { baseName, isInside } from '../../shell/words/paths.ts'
import { exactForm } from '../../shell/words/words.ts'
import { changedPaths } from '../analysis/changed-paths.ts'
import { commandText, isShellCall, shellOf } from '../analysis/shell-of.ts'
import { ANY_COMMAND, PATH_CHANGES } from '../analysis/topics.ts'
import { impliedRun, impliedScript } from './implied-runs.ts'
import { mayAct } from './language-families.ts'
import { shellCall, WAITS, waitingFor, waitingPatch, writtenText } from './late-scripts.ts'
import { oncePerInput } from './once-per-input.ts'
import { filesInFolders, filesToRead, isNamed, MENTIONS } from './written-files.ts'

const KEY = 'holdpoint/note/written'
/** More than a session writes by hand, so that many small files do not push one out. */
const KEPT = 500

/** Programs that put many files into a folder at once. */
const FILLS = wordSet('tar bsdtar unzip 7z 7za 7zz unrar cpio pax rsync cp mv ditto install')

interface WrittenScript extends Pick<Guard, 'id' | 'title' | 'why' | 'instead' | 'modes' | 'examples'> {
  /** The guards whose acts a script may not do either; loaded when there is something to judge. */
  guards(): Promise<readonly Guard[]>
  /** Guards whose catch counts only in shell code: programs in other languages do this as their work. */
  readonly shellOnly?: ReadonlySet<string>
}

/**
 * An agent that may not do something in a command may still write it into a file and run that. Files written in this
 * session are remembered. A command that names one is judged again with what the file holds, as if the command itself
 * had written it: so copies, moves, links, pipes and redirections are followed as everywhere.
 */
export function writtenScriptGuard({ guards, shellOnly, ...guard }: WrittenScript): Guard {
  return {
    ...guard,
    on: ['PreToolUse'],
    match: '*',
    topics: [ANY_COMMAND, PATH_CHANGES],
    // What could not be remembered must not stop the work.
    onFailure: 'pass',
    check(input) {
      if (input.memory === undefined) return null
      const judges = { guards, ...(shellOnly === undefined ? {} : { shellOnly }) }
      if (namedFiles(input).length > 0) return judgeNamed(input, judges)
      const waiting = waitingFor(() => writtenBy(input), input.memory)
      return waiting.length === 0 ? remembering(input) : judgeLate(waiting, input, judges)
    },
  }
}

/** Files of this session that the command names, or may run without naming them. */
const namedFiles = oncePerInput(({ event, facts, memory }) => {
  const text = isShellCall(event) ? commandText(event) : undefined
  const written = writtenIn(memory ?? {})
  if (text === undefined || written.length === 0) return NOTHING
  return [...filesToRead(text, written), ...filesInFolders(text, written, facts)]
})

function writtenIn(memory: JsonObject): readonly string[] {
  const list = memory[KEY]
  if (!Array.isArray(list)) return NOTHING
  const known = READ.get(list)
  if (known !== undefined) return known
  const written = [...new Set(list.filter((each) => typeof each === 'string'))]
  READ.set(list, written)
  return written
}

const NOTHING: readonly string[] = []
/** The list stays the same object until a call adds to it. */
const READ = new WeakMap<readonly Json[], readonly string[]>()

function remembering(input: GuardInput): Answer | null {
  const { event, memory = {} } = input
  const paths = writtenBy(input)
  const known = paths.length === 0 ? [] : writtenIn(memory)
  const added = paths.filter((path) => !known.includes(path)).slice(0, KEPT)
  const files = added.map((value): Patch => ({ op: 'push', key: KEY, value, keep: KEPT }))
  const remember = [...files, ...waitingPatch(event, memory)]
  return remember.length === 0 ? null : { effect: 'pass', remember }
}

/** The files that the call writes, and the folders that it fills. */
const writtenBy = oncePerInput(({ event, facts }): readonly string[] => {
  const paths = changedPaths(event, facts).flatMap(({ path, does, guessed, whole, detail }) => {
    const names = path.parts.map(exactForm)
    const isFile = does === 'writes' && guessed !== true && path.anchored && !names.includes(undefined)
    if (!isFile || names[0] === 'dev') return []
    const written = `/${names.join('/')}`
    // A folder that is filled: which files are in it is not known, so it stands for all of them.
    const isFilled = whole && FILLS.has(String(detail?.program ?? '')) && !isInside(facts.project, written)
    return isFilled ? [written, `${written}/`] : [written]
  })
  return paths.length < 2 ? paths : [...new Set(paths)]
})

type Judges = Pick<WrittenScript, 'guards' | 'shellOnly'>

/** A file that a command which was started before may still run. */
async function judgeLate(
  waiting: readonly string[],
  input: GuardInput,
  guards: Judges,
): Promise<GuardMatch | Answer | null> {
  const { event, facts } = input
  const tool = toolOf(event)
  const own = isShellCall(event) ? commandText(event) : undefined
  const text = tool === undefined || own !== undefined ? '' : writtenText(tool)
  const files = new Map(writtenBy(input).map((path) => [path, text]))
  for (const command of waiting) {
    const line = own === undefined ? command : `${own}\n${command}`
    const late: GuardInput = { ...input, event: shellCall(event, line), facts }
    const found = await judge(
      own === undefined ? files : new Map(),
      late,
      guards,
      own === undefined ? late : input,
    )
    if (found !== null)
      return { ...found, caught: `writes a file that a running command runs: it ${found.caught}` }
  }
  return remembering(input)
}

async function judgeNamed(input: GuardInput, guards: Judges): Promise<GuardMatch | Answer | null> {
  const files = await readNamed(input)
  return (files.size === 0 ? null : await judge(files, input, guards)) ?? remembering(input)
}

const readNamed = oncePerInput((input) => readAll(namedFiles(input), input))

const TEXT_MAX_BYTES = 1024 * 1024

/** Files of which a session writes many. */
const MANY = /\.(?:py|[cm]?[jt]sx?|rb|php|go|pm|t|exs?)$/

/** The files, and those that they name in turn. */
async function readAll(
  named: readonly string[],
  { event, facts, memory }: GuardInput,
): Promise<ReadonlyMap<string, string>> {
  const command = commandText(event) ?? ''
  const written = writtenIn(memory ?? {})
  const files = new Map<string, string>()
  const seen = new Set<string>()
  const queue = [...named]
  for (let path = queue.shift(); path !== undefined && files.size < MENTIONS.most; path = queue.shift()) {
    if (seen.has(path) || seen.size >= MENTIONS.read) continue
    seen.add(path)
    const text = await facts.readText(path, TEXT_MAX_BYTES)
    const known = text ?? ((await isUnread(path, command, written, facts)) ? UNREADABLE : undefined)
    // A program that was compiled is no script; a shell looks for that in the first line alone.
    if (known === undefined || /^[^\n]*\0/.test(known)) continue
    // A session writes many files. One that the command does not name counts if it may start something.
    if (MANY.test(path) && !isNamed(command, path) && !mayAct(known)) continue
    files.set(path, known.replaceAll('\0', ''))
    queue.push(...filesToRead(known, written).filter((each) => !seen.has(each)))
  }
  return files
}

/** Stands for a script that is longer than what is read: no shell can read it either. */
const UNREADABLE = 'eval "'

/** Longer than what is read; or not there yet, because a call that is made at the same time writes it. */
async function isUnread(
  path: string,
  command: string,
  written: readonly string[],
  facts: Facts,
): Promise<boolean> {
  if (!/\.(?:sh|bash|zsh|py|[cm]?[jt]s|rb|pl|php|lua|sql|mk|awk|ps1)$/.test(path)) return false
  const info = await facts.stat(path)
  if (info === undefined)
    return (
      WAITS.test(command) && SHELL.test(path) && written.includes(path) && command.includes(baseName(path))
    )
  return info.kind === 'file' && info.sizeBytes > TEXT_MAX_BYTES
}

const SHELL = /\.(?:sh|bash|zsh)$/

async function judge(
  files: ReadonlyMap<string, string>,
  input: GuardInput,
  judges: Judges,
  before: GuardInput = input,
): Promise<GuardMatch | null> {
  try {
    return await judgeAll(files, input, judges, before)
  } catch {
    // Code that nobody can read is no reason to let it run.
    return { caught: RUNS_WRITTEN, unsure: 'its code cannot be read' }
  }
}

const RUNS_WRITTEN = 'runs a file written in this session'
/** Shorter than the time limit of a guard. */
const JUDGE_MAX_MS = 3_000

async function judgeAll(
  files: ReadonlyMap<string, string>,
  input: GuardInput,
  { guards, shellOnly }: Judges,
  before: GuardInput,
): Promise<GuardMatch | null> {
  const isOver = timerOf(input.facts)(JUDGE_MAX_MS)
  const inside: GuardInput = { ...input, ...insideOf(input, files) }
  const analysis = shellOf(inside.event, inside.facts)
  let doubt: GuardMatch | null = null
  for (const guard of await guards()) {
    if (isOver()) return { caught: RUNS_WRITTEN, unsure: 'it takes too long to check' }
    const outcome = await guard.check(inside)
    if (outcome === null || !isGuardMatch(outcome)) continue
    // What the command does without the file is said by the guard itself.
    const plain = await guard.check(before)
    if (plain !== null && isGuardMatch(plain)) continue
    if (shellOnly?.has(guard.id) === true && fileWith(outcome.fragment, files) === undefined) continue
    if (outcome.unsure === undefined) return said(files, guard, outcome)
    // Scripts are full of variables: a doubt counts only where being wrong cannot be undone.
    if (guard.modes.standard === 'deny') doubt ??= said(files, guard, outcome)
  }
  if (doubt !== null || analysis.judged || !shellOf(input.event, input.facts).judged) return doubt
  if (![...files.values()].some((text) => SUSPICIOUS.test(text))) return null
  return { caught: RUNS_WRITTEN, unsure: `its code cannot be read: ${analysis.why}` }
}

/** The call with its files. One object for all packs, whose guards take turns: it is analysed once. */
function insideOf({ event, facts }: GuardInput, files: ReadonlyMap<string, string>): InsideCall {
  if (lastInside?.files !== files || lastInside.outer !== event || lastInside.outerFacts !== facts) {
    const { scripts, ...inside } = withImpliedRuns(event, files)
    const made = { ...inside, facts: withFiles(facts, scripts) }
    lastInside = { files, outer: event, outerFacts: facts, made }
  }
  return lastInside.made
}

type InsideCall = Pick<GuardInput, 'event' | 'facts'>

let lastInside:
  | {
      readonly files: ReadonlyMap<string, string>
      readonly outer: Event
      readonly outerFacts: Facts
      readonly made: InsideCall
    }
  | undefined

/** The command, followed by what it runs without naming it. */
function withImpliedRuns(
  event: Event,
  files: ReadonlyMap<string, string>,
): { readonly event: Event; readonly scripts: ReadonlyMap<string, string> } {
  const text = commandText(event) ?? ''
  const scripts = new Map(files)
  const runs = [...files].flatMap(([path, content]) => {
    const how = impliedRun(path, text)
    if (how === undefined) return []
    const run = impliedScript(path, how, content, text)
    if (run.script !== undefined) scripts.set(run.path, run.script)
    return [`${run.by} '${run.path.replaceAll("'", `'\\''`)}'`]
  })
  const tool = toolOf(event)
  if (runs.length === 0 || tool === undefined) return { event: { ...event } as Event, scripts }
  const command = [text, ...runs].join('\n')
  return { event: { ...event, tool: { ...tool, name: 'Bash', input: { command } } } as Event, scripts }
}

/** Words that make it matter that a file could not be read to its end. */
const SUSPICIOUS =
  /\brm\s|--force|--hard|\bsudo\b|\bcurl\b|\bwget\b|\bdd\s|mkfs|\bDROP\s|TRUNCATE|\beval\b|base64|rmtree|unlink|\.ssh|\.aws|holdpoint|\.claude/i

/** The methods of the facts may need the object they belong to. */
function withFiles(facts: Facts, written: ReadonlyMap<string, string>): Facts {
  return { ...facts, written }
}

function said(files: ReadonlyMap<string, string>, guard: Guard, caught: GuardMatch): GuardMatch {
  const [first = ''] = (caught.fragment ?? '').split('\n')
  const found = fileWith(caught.fragment, files)
  const [script, text] = found ?? [...files][0] ?? ['a file', '']
  const line = found === undefined ? undefined : text.slice(0, text.indexOf(first)).split('\n').length
  const where = line === undefined ? '' : `, line ${line}`
  const detail = { ...caught.detail, script, caughtBy: guard.id, ...(line === undefined ? {} : { line }) }
  return {
    caught: `runs ${script}, written in this session, which ${caught.caught} (${guard.id}${where})`,
    ...(caught.fragment === undefined ? {} : { fragment: caught.fragment }),
    ...(caught.unsure === undefined ? {} : { unsure: caught.unsure }),
    detail,
  }
}

/** The file in which the command stands; none for what code of another language does. */
function fileWith(
  fragment: string | undefined,
  files: ReadonlyMap<string, string>,
): readonly [string, string] | undefined {
  const [first = ''] = (fragment ?? '').split('\n')
  return [...files].find(([, text]) => first !== '' && text.includes(first))
}

/** For examples: a command in a session that wrote these files; all of them unless others are named. */
export function ran(
  command: string,
  files: Readonly<Record<string, string>>,
  written: readonly string[] = Object.keys(files).map((name) => `/srv/project/${name}`),
): EventExample {
  const there = Object.entries(files).map(([name, text]) => [`/srv/project/${name}`, text])
  return {
    kind: 'PreToolUse',
    fields: { tool: { name: 'Bash', input: { command } } },
    files: Object.fromEntries(there),
    memory: { [KEY]: written },
  }
}
