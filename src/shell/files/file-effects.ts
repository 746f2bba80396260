import { programOf } from '../programs/index.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { type FileEffect, namedFiles } from '../vocabulary/effect.ts'
import { candidates } from '../words/path-candidates.ts'
import { exactForm, exactText, hasUnknown, type Word } from '../words/words.ts'
import { connectionOf } from './connections.ts'
import { fileArguments } from './file-arguments.ts'
import { listedNames } from './listed-names.ts'

/**
 * The files among a command's redirections and arguments, and what it does with them. Every argument of a program not
 * in the tables counts as read: a program nobody thought of must not be a way around.
 */
export function fileEffects(command: SimpleCommand, home: string): readonly FileEffect[] {
  return foundIn(command, home).effects
}

/** The same without what the arguments of a program change, which its model knows better. */
export function fileEffectsBesideModel(command: SimpleCommand, home: string): readonly FileEffect[] {
  const { effects, redirected } = foundIn(command, home)
  return effects.filter(({ kind }, at) => at < redirected || (kind !== 'write' && kind !== 'delete'))
}

interface Found {
  readonly home: string
  readonly effects: readonly FileEffect[]
  /** How many of them, from the first, are of redirections. */
  readonly redirected: number
}

/** Several guards ask about the same command. Few are kept: a line has few, and the next line has others. */
const remembered = new Map<SimpleCommand, Found>()
const REMEMBERED_MAX = 32

function foundIn(command: SimpleCommand, home: string): Found {
  const known = remembered.get(command)
  if (known?.home === home) return known
  const redirections = redirectionEffects(command, home)
  const effects = [...redirections, ...argumentEffects(command, home)]
  const found = { home, effects, redirected: redirections.length }
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  remembered.set(command, found)
  return found
}

function redirectionEffects(command: SimpleCommand, home: string): readonly FileEffect[] {
  if (command.redirections.length === 0) return []
  return command.redirections.flatMap(({ operator, target }) => {
    const kind = redirected(operator, target)
    if (kind === undefined) return []
    return namedFiles(target, command.cwd)
      .filter((file) => connectionOf(file, home) === undefined)
      .map((file): FileEffect => ({ kind, ...file }))
  })
}

function redirected(operator: string, target: Word): 'read' | 'write' | undefined {
  if (operator.startsWith('<<')) return undefined
  if (operator.endsWith('&') && /^[\d-]+$/.test(exactText(target) ?? '')) return undefined
  return operator === '<' || operator === '<&' ? 'read' : 'write'
}

function argumentEffects(command: SimpleCommand, home: string): readonly FileEffect[] {
  const { cwd } = command
  const program = programOf(command.name)
  if (program?.namesFiles !== undefined) return program.namesFiles(command, home)
  const folders = [cwd, ...(program?.files?.alsoIn?.(command.args, { cwd, home }) ?? [])]
  const effects: FileEffect[] = []
  for (const { word, kind, loaded, unsure, guessed } of fileArguments(command)) {
    const use = {
      ...(loaded === true ? { loaded, unsure: LOADED } : unsure === undefined ? {} : { unsure }),
      ...(guessed === true ? { guessed } : {}),
    }
    for (const form of candidates(word)) {
      const source = exactForm(form) ?? word.source
      for (const folder of folders) effects.push({ kind, form, source, cwd: folder, ...use })
    }
    if (kind !== 'read' || !word.forms.some(hasUnknown)) continue
    for (const form of listedNames(word, command))
      effects.push({ kind, form, source: word.source, cwd, unsure: LET_THROUGH })
  }
  return effects
}

const LET_THROUGH = 'which files a search lists is known only at run time'

const LOADED = 'it is loaded, not shown; what is loaded can be shown by what comes after'
