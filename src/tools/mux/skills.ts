import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, textAt } from '../../core/json.ts'
import { removeTorn, writeWhole } from '../../system/files.ts'

/** The skills of the pack: files that `init` copies to the agent's folder of skills. */

/** One copied file, as it was copied. */
interface Copied {
  readonly file: string
  readonly sha256: string
  /** The scope it was copied for. */
  readonly scope: string
  /** The agents that read it: several share one folder of skills. */
  readonly hosts: readonly string[]
}

export interface SkillCopy {
  /** The skills in this package. */
  readonly from: string
  /** The agent's own folder of skills. */
  readonly to: string
  readonly host: string
  readonly scope: string
  /** The list of copied files, in Holdpoint's home. */
  readonly list: string
  /** The folder as agents are told to read from it. */
  readonly shown: string
  /** The command that replaces `{{hook EVENT}}` in the front matter of a skill. Missing: the agent knows no such hooks. */
  hook?(event: string): string
}

export interface CopiedSkills {
  readonly written: readonly string[]
  /** Files with the same name that the user wrote or has changed; they are not overwritten. */
  readonly kept: readonly string[]
}

/** A copied file that was not changed is updated; any other file stays as it is. */
export function installSkills(copy: SkillCopy): CopiedSkills {
  const before = readCopied(copy.list)
  const result = { written: [] as string[], kept: [] as string[] }
  let copied = before
  for (const name of filesBelow(copy.from)) {
    const text = filledSkill(readFileSync(join(copy.from, name), 'utf8'), copy)
    const file = join(copy.to, name)
    const there = readIfThere(file)
    const isOurs = before.some((each) => each.file === file && each.sha256 === hashOf(there ?? ''))
    if (there !== undefined && there !== text && !isOurs) {
      result.kept.push(file)
      continue
    }
    const hosts = before.find((each) => each.file === file)?.hosts ?? []
    copied = [
      ...copied.filter((each) => each.file !== file),
      {
        ...{ file, sha256: hashOf(text), scope: copy.scope },
        hosts: [...hosts.filter((host) => host !== copy.host), copy.host],
      },
    ]
    // Noted first: `uninstall` could not remove a file that was never noted.
    writeCopied(copy.list, copied)
    if (there !== text) writeWhole(file, text)
    result.written.push(file)
  }
  return result
}

/**
 * What a copy would add to the folder of skills: whole skills, or single files of one whose folder is there already,
 * because the user may have files of their own in it.
 */
export function plannedSkills({
  from,
  to,
  list,
}: Pick<SkillCopy, 'from' | 'to' | 'list'>): readonly string[] {
  const copied = readCopied(list)
  const isOurs = (file: string) => !existsSync(file) || copied.some((each) => each.file === file)
  return readdirSync(from)
    .sort()
    .flatMap((skill) => {
      const folder = join(to, skill)
      if (!existsSync(folder)) return [folder]
      return filesBelow(join(from, skill))
        .map((name) => join(folder, name))
        .filter(isOurs)
    })
}

/** Removes files that are unchanged since they were copied for this agent, of one scope or of all. */
export function removeSkills(list: string, host: string, scope: string | undefined): CopiedSkills {
  const result = { written: [] as string[], kept: [] as string[] }
  const isMeant = (each: Copied) => each.hosts.includes(host) && (scope === undefined || each.scope === scope)
  const all = readCopied(list).map((each) => (isMeant(each) ? without(each, host) : each))
  const chosen = all.filter(({ hosts }) => hosts.length === 0)
  for (const { file, sha256 } of chosen) {
    removeTorn(file)
    const there = readIfThere(file)
    if (there === undefined) continue
    if (hashOf(there) !== sha256) {
      result.kept.push(file)
      continue
    }
    rmSync(file, { force: true })
    removeEmpty(dirname(file), LEVELS_MAX)
    result.written.push(file)
  }
  const left = all.filter((each) => !chosen.includes(each))
  if (left.length > 0) writeCopied(list, left)
  else rmSync(list, { force: true })
  return result
}

function without(copied: Copied, host: string): Copied {
  return { ...copied, hosts: copied.hosts.filter((each) => each !== host) }
}

const HOOKS_IN_FRONT_MATTER = /^hooks:\n(?: .*\n)+/m

/** The text of a file of a skill, with its places filled in. */
export function filledSkill(text: string, { shown, hook }: Pick<SkillCopy, 'shown' | 'hook'>): string {
  const told = text.replaceAll('{{skills}}', shown)
  if (hook === undefined) return told.replace(HOOKS_IN_FRONT_MATTER, '')
  return told.replace(/\{\{hook ([\w-]+)\}\}/g, (_all, event: string) => JSON.stringify(hook(event)))
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/** `.agents/skills/mux/cookbook`. */
const LEVELS_MAX = 4

/** The skill's own folders and those that hold only skills, upwards, if they are empty. */
function removeEmpty(folder: string, levels: number): void {
  if (levels === 0) return
  try {
    rmdirSync(folder)
  } catch {
    return
  }
  removeEmpty(dirname(folder), levels - 1)
}

/** A list that cannot be read counts as empty: then nothing is removed. */
function readCopied(list: string): readonly Copied[] {
  try {
    const value: unknown = JSON.parse(readFileSync(list, 'utf8'))
    const files = isObject(value) && Array.isArray(value.files) ? value.files.filter(isObject) : []
    return files.flatMap((each) => {
      const [file, sha256, scope] = [textAt(each, 'file'), textAt(each, 'sha256'), textAt(each, 'scope')]
      if (file === undefined || sha256 === undefined || scope === undefined) return []
      return [{ file, sha256, scope, hosts: hostsIn(each.hosts) }]
    })
  } catch {
    return []
  }
}

/** A list of an older release names no agents: it was for Claude Code. */
function hostsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((host) => typeof host === 'string') : ['claude-code']
}

function writeCopied(list: string, files: readonly Copied[]): void {
  writeWhole(list, `${JSON.stringify({ version: 1, files }, null, 2)}\n`, 0o600)
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
