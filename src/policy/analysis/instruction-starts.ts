import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { type JsonObject, textAt } from '../../core/json.ts'
import { agentConfigFolder } from './instruction-writes.ts'
import { frontMatter } from './instructions.ts'
import { foldersBelow } from './nested-folders.ts'

/** Instructions that an event starts: by their names, with what they are given. */
export interface InstructionStart {
  /** A workflow is a script that starts agents by their names. */
  readonly kind: 'skill' | 'agent' | 'workflow'
  readonly names: readonly string[]
  readonly args: string
}

/** Sync: most events start none. */
export function startedInstruction(event: Event): InstructionStart | undefined {
  if (event.kind === 'UserPromptExpansion')
    return { kind: 'skill', names: [bare(event.command)], args: event.args }
  if (event.kind === 'UserPromptSubmit') return typed(event.prompt)
  if (event.kind !== 'PreToolUse' && event.kind !== 'PermissionRequest') return undefined
  const { name, input } = event.tool
  if (name === 'Skill' || name === 'skill' || name === 'activate_skill') {
    const skill = textAt(input, 'skill') ?? textAt(input, 'name') ?? textAt(input, 'command')
    if (skill === undefined) return undefined
    return {
      kind: 'skill',
      names: [bare(skill)],
      args: textAt(input, 'args') ?? textAt(input, 'arguments') ?? '',
    }
  }
  if (name === 'SlashCommand') return typed(textAt(input, 'command') ?? '')
  if (name === 'Workflow') return workflow(input)
  if (name !== 'Agent' && name !== 'Task') return undefined
  return { kind: 'agent', names: [bare(textAt(input, 'subagent_type') ?? ANY_AGENT)], args: '' }
}

/** What Claude Code starts if a call names no type. A project can have an agent of this name. */
export const ANY_AGENT = 'general-purpose'

/** With its text, or with the file or the name that it is read from. */
function workflow(input: JsonObject): InstructionStart {
  const names = [textAt(input, 'scriptPath'), textAt(input, 'name')].flatMap((each) => each ?? [])
  return { kind: 'workflow', names, args: textAt(input, 'script') ?? '' }
}

function typed(prompt: string): InstructionStart | undefined {
  const [, name, args = ''] = /^\s*\/([\w.:@/-]+)(?:\s+([\s\S]*))?$/.exec(prompt) ?? []
  return name === undefined ? undefined : { kind: 'skill', names: [bare(name)], args }
}

function bare(name: string): string {
  return name.trim().replace(/^\//, '')
}

/** The text of each file that may be the one that starts: a name can be in several places. */
export interface InstructionFile {
  readonly path: string
  readonly text: string
}

export async function startedInstructionFiles(
  event: Event,
  start: InstructionStart,
  facts: Facts,
): Promise<readonly InstructionFile[]> {
  const search = { facts, start, left: READS_MAX }
  const own = roots(event, facts)
  if (start.kind === 'workflow') return workflowFiles(own, search)
  const files: InstructionFile[] = []
  for (const root of own) {
    if (start.kind === 'agent') files.push(...(await markdownBelow(`${root}/agents`, search, 0)))
    else {
      files.push(...(await skillsIn(`${root}/skills`, search)))
      files.push(...(await markdownBelow(`${root}/commands`, search, 0)))
    }
    for (const plugin of pluginsOf(start))
      files.push(...(await pluginFiles(`${root}/plugins/cache`, plugin, search)))
  }
  // Claude Code also loads the skills of a folder of the project when it works in that folder.
  if (start.kind === 'skill') {
    for (const folder of await foldersBelow(facts.project, '.claude', facts))
      files.push(...(await skillsIn(`${folder}/.claude/skills`, search)))
  }
  return files
}

/** Its script: as given, in the named file, or among the saved ones. */
async function workflowFiles(own: readonly string[], search: Search): Promise<readonly InstructionFile[]> {
  const { names, args } = search.start
  const files = args === '' ? [] : [{ path: 'the script', text: args }]
  const saved = own.flatMap((root) => names.map((name) => `${root}/workflows/${name}.js`))
  const named = names.map((name) => (name.startsWith('/') ? name : `${search.facts.cwd}/${name}`))
  for (const path of [...named, ...saved]) {
    const text = await read(path, search)
    if (text !== undefined) files.push({ path, text })
  }
  return files
}

function pluginsOf({ names }: InstructionStart): readonly string[] {
  return names.flatMap((name) => (name.includes(':') ? (name.split(':')[0] ?? []) : []))
}

/** So many files are looked at. Who has more has one that is found by its name, which is looked for first. */
const READS_MAX = 300
const DEPTH_MAX = 4

interface Search {
  readonly facts: Facts
  readonly start: InstructionStart
  left: number
}

function roots(event: Event, { project, cwd, home, env }: Facts): readonly string[] {
  const above: string[] = []
  for (let folder = cwd; folder.startsWith(project) && above.length < 32; ) {
    above.push(folder)
    if (folder === project || !folder.includes('/')) break
    folder = folder.slice(0, folder.lastIndexOf('/'))
  }
  const own = [agentConfigFolder(event), env.CLAUDE_CONFIG_DIR].filter(
    (each) => each?.startsWith('/') === true,
  )
  const claude = [...new Set([project, ...above, home])].map((folder) => `${folder}/.claude`)
  return [...new Set([...claude, ...own.flatMap((each) => each ?? [])])]
}

/** The last part of `plugin:group:name`, and all of it as folders. */
function isNamed({ names }: InstructionStart, file: string, text: string): boolean {
  const asked = names.flatMap((name) => [name.toLowerCase(), name.toLowerCase().split(':').at(-1) ?? ''])
  if (asked.includes(file.toLowerCase())) return true
  const written = /^name\s*:\s*["']?(.*?)["']?\s*$/m.exec(frontMatter(text))?.[1]?.toLowerCase()
  return written !== undefined && written !== '' && asked.includes(written)
}

async function read(path: string, search: Search): Promise<string | undefined> {
  search.left -= 1
  return search.left < 0 ? undefined : search.facts.readText(path)
}

async function skillsIn(folder: string, search: Search): Promise<readonly InstructionFile[]> {
  const found: InstructionFile[] = []
  for (const name of await search.facts.list(folder)) {
    for (const file of ['SKILL.md', 'skill.md']) {
      const path = `${folder}/${name}/${file}`
      const text = await read(path, search)
      if (text === undefined) continue
      if (isNamed(search.start, name, text)) found.push({ path, text })
      break
    }
  }
  return found
}

async function markdownBelow(
  folder: string,
  search: Search,
  depth: number,
): Promise<readonly InstructionFile[]> {
  const found: InstructionFile[] = []
  for (const name of await search.facts.list(folder)) {
    const path = `${folder}/${name}`
    if (!/\.md$/i.test(name)) {
      if (depth < DEPTH_MAX && !name.startsWith('.'))
        found.push(...(await markdownBelow(path, search, depth + 1)))
      continue
    }
    const text = await read(path, search)
    if (text !== undefined && isNamed(search.start, name.slice(0, -3), text)) found.push({ path, text })
  }
  return found
}

/** `~/.claude/plugins/cache/<marketplace>/<plugin>/<version>/…`. */
async function pluginFiles(
  cache: string,
  plugin: string,
  search: Search,
): Promise<readonly InstructionFile[]> {
  const found: InstructionFile[] = []
  for (const market of await search.facts.list(cache)) {
    for (const version of await search.facts.list(`${cache}/${market}/${plugin}`)) {
      const root = `${cache}/${market}/${plugin}/${version}`
      if (search.start.kind === 'agent') found.push(...(await markdownBelow(`${root}/agents`, search, 0)))
      else {
        found.push(...(await skillsIn(`${root}/skills`, search)))
        found.push(...(await markdownBelow(`${root}/commands`, search, 0)))
      }
    }
  }
  return found
}
