import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import { HOLE } from '../../words/gate.ts'
import { exactTexts, type Word } from '../../words/words.ts'
import { CONFIGURE, FLUSH, uncertain } from './acts.ts'

/** One Redis command: its words as arguments, or as a line that was piped in. */
export function redisEffects(
  words: readonly (Word | string)[],
  inputs: readonly SimpleCommand[],
): readonly ActEffect[] {
  const [name, ...args] = words.map(spoken)
  if (name === undefined || name.length === 0)
    return [uncertain(FLUSH, 'its command is known only at run time')]
  const second = args[0]?.[0] ?? ''
  for (const each of name) {
    if (each === 'FLUSHALL' || each === 'FLUSHDB') return [FLUSH]
    if (each === 'CLUSTER' && /^(RESET|FLUSHSLOTS)$/.test(second)) return [FLUSH]
    if (each === 'CONFIG' && /^(SET|REWRITE)$/.test(second)) return [CONFIGURE]
    if (each === 'SHUTDOWN' || (each === 'DEBUG' && second !== 'OBJECT')) return [CONFIGURE]
    if (/^(REPLICAOF|SLAVEOF)$/.test(each) && second !== 'NO') return [CONFIGURE]
    if (each === 'MODULE' && second.startsWith('LOAD')) return [CONFIGURE]
    if (/^EVAL/.test(each) && args.flat().some((text) => EMPTIES.test(text))) return [FLUSH]
    if (/^(DEL|UNLINK)$/.test(each) && takesEveryKey(words, inputs)) return [FLUSH]
  }
  return []
}

/** A script that calls it, or that goes through all keys to delete them. */
const EMPTIES = /['"]FLUSH(ALL|DB)['"]|['"]KEYS['"]\s*,\s*['"]\*['"][^;]*['"](DEL|UNLINK)['"]/

/** The texts a word may be, in capitals; none where it is not known. */
function spoken(word: Word | string): readonly string[] {
  if (typeof word === 'string') return word.includes(HOLE) ? [] : [word.toUpperCase()]
  return exactTexts(word).map((text) => text.toUpperCase())
}

/** `KEYS *` or a scan without a pattern before the pipe, or in a substitution. */
function takesEveryKey(words: readonly (Word | string)[], inputs: readonly SimpleCommand[]): boolean {
  const given = words.some((word) => typeof word !== 'string' && word.source === 'standard input')
  const listed = given ? inputs.map((input) => input.fragment) : []
  const substituted = words.flatMap((word) =>
    typeof word === 'string' ? [] : word.forms.flatMap((form) => form.map((piece) => piece.text)),
  )
  return [...listed, ...substituted].some((text) => {
    return /\bkeys\s+["']?\*["']?(\s|\)|$)/i.test(text) || isWholeScan(text)
  })
}

function isWholeScan(text: string): boolean {
  if (!text.includes('--scan')) return false
  const pattern = /--pattern[ =]["']?([^\s"')]*)/.exec(text)?.[1]
  return pattern === undefined || pattern === '*'
}
