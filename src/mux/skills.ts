import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, textAt } from '../json.ts'
import { writeWhole } from '../world/files.ts'

/** The skills that come with the pack: files that `init` copies to where the agent looks for skills. */

/** One copied file, as it was copied. */
interface Copied {
  readonly file: string
  readonly sha256: string
  /** Whose configuration it was copied for. */
  readonly scope: string
}

export interface SkillCopy {
  /** Where the skills of this package are. */
  readonly from: string
  /** The agent's own folder of skills. */
  readonly to: string
  readonly scope: string
  /** The list of what was copied, in Holdpoint's home. */
  readonly list: string
  /** The command that stands in for `{{hook EVENT}}` in the head of a skill. */
  hook(event: string): string
}

export interface CopiedSkills {
  readonly written: readonly string[]
  /** Files of the same name that are somebody else's, or were changed since: they stay. */
  readonly kept: readonly string[]
}

/** A file that is ours and unchanged is renewed; any other stays as it is. */
export function installSkills(copy: SkillCopy): CopiedSkills {
  const before = readCopied(copy.list)
  const result = { written: [] as string[], kept: [] as string[] }
  let copied = before
  for (const name of filesBelow(copy.from)) {
    const text = filled(readFileSync(join(copy.from, name), 'utf8'), copy)
    const file = join(copy.to, name)
    const there = readIfThere(file)
    const isOurs = before.some((each) => each.file === file && each.sha256 === hashOf(there ?? ''))
    if (there !== undefined && there !== text && !isOurs) {
      result.kept.push(file)
      continue
    }
    copied = [
      ...copied.filter((each) => each.file !== file),
      { file, sha256: hashOf(text), scope: copy.scope },
    ]
    // Noted first: a file that nobody knows of would never be taken back.
    writeCopied(copy.list, copied)
    if (there !== text) writeWhole(file, text)
    result.written.push(file)
  }
  return result
}

/** Takes back what is as it was copied, of one scope or of all. */
export function removeSkills(list: string, scope: string | undefined): CopiedSkills {
  const result = { written: [] as string[], kept: [] as string[] }
  const all = readCopied(list)
  const chosen = all.filter((each) => scope === undefined || each.scope === scope)
  for (const { file, sha256 } of chosen) {
    const there = readIfThere(file)
    if (there === undefined) continue
    if (hashOf(there) !== sha256) {
      result.kept.push(file)
      continue
    }
    rmSync(file, { force: true })
    removeEmpty(dirname(file), 3)
    result.written.push(file)
  }
  const left = all.filter((each) => !chosen.includes(each))
  if (left.length > 0) writeCopied(list, left)
  else rmSync(list, { force: true })
  return result
}

function filled(text: string, copy: SkillCopy): string {
  return text.replace(/\{\{hook ([\w-]+)\}\}/g, (_all, event: string) => JSON.stringify(copy.hook(event)))
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/** The skill's own folders, as far up as they are empty. */
function removeEmpty(folder: string, levels: number): void {
  if (levels === 0) return
  try {
    rmdirSync(folder)
  } catch {
    return
  }
  removeEmpty(dirname(folder), levels - 1)
}

/** A list nobody can read is empty: then nothing is taken back. */
function readCopied(list: string): readonly Copied[] {
  try {
    const value: unknown = JSON.parse(readFileSync(list, 'utf8'))
    const files = isObject(value) && Array.isArray(value.files) ? value.files.filter(isObject) : []
    return files.flatMap((each) => {
      const [file, sha256, scope] = [textAt(each, 'file'), textAt(each, 'sha256'), textAt(each, 'scope')]
      return file === undefined || sha256 === undefined || scope === undefined
        ? []
        : [{ file, sha256, scope }]
    })
  } catch {
    return []
  }
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
