import { wordList } from '../../core/word-list.ts'
import type { Token } from './tokens.ts'
import type { CodeValue } from './values.ts'

/** The names that a program's imports give to modules and their parts. */
export function importedNames(tokens: readonly Token[]): Map<string, CodeValue> {
  const names = new Map<string, CodeValue>()
  const bind = (name: string | undefined, thing: string): void => {
    if (name !== undefined && name !== '*') names.set(name, { kind: 'thing', name: thing })
  }
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'name') continue
    const line = lineFrom(tokens, at)
    if (token.text === 'import' && !isPythonFrom(tokens, at)) bindImport(line, bind)
    else if (token.text === 'from' && line.some((each) => each.text === 'import')) bindFrom(line, bind)
  }
  return names
}

const LINE_MAX = 60

/** The `import` of `from os.path import join`. */
function isPythonFrom(tokens: readonly Token[], at: number): boolean {
  let before = at - 1
  while (tokens[before]?.kind === 'name' && tokens[before]?.text !== 'from')
    before -= tokens[before - 1]?.text === '.' ? 2 : 1
  return tokens[before]?.text === 'from'
}

function lineFrom(tokens: readonly Token[], at: number): readonly Token[] {
  const end = tokens.findIndex((token, index) => index > at && (token.kind === 'line' || token.text === ';'))
  return tokens.slice(at + 1, Math.min(end < 0 ? tokens.length : end, at + LINE_MAX))
}

type Bind = (name: string | undefined, thing: string) => void

/** Python's `import a.b as c, d`, and JavaScript's `import x, {y as z} from 'm'`. */
function bindImport(line: readonly Token[], bind: Bind): void {
  const from = line.findIndex((token) => token.text === 'from')
  const source = line[from + 1]
  if (from >= 0 && source?.kind === 'string') {
    const module = source.text.replace(/^node:/, '').replace(/^fs(-extra|\/promises)$/, 'fs')
    const inBraces = line.findIndex((token) => token.text === '{')
    for (const [at, token] of line.slice(0, from).entries()) {
      if (token.kind !== 'name' || token.text === 'as') continue
      const whole = inBraces < 0 || at < inBraces
      const renamed = line[at + 1]?.text === 'as' ? line[at + 2]?.text : undefined
      if (line[at - 1]?.text === 'as') continue
      bind(renamed ?? token.text, whole ? module : `${module}.${token.text}`)
    }
    if (line[0]?.text === '*') bind(line[2]?.text, module)
    return
  }
  for (const part of splitAtCommas(line)) {
    const as = part.findIndex((token) => token.text === 'as')
    const module = (as < 0 ? part : part.slice(0, as)).map((token) => token.text).join('')
    if (as >= 0) bind(part[as + 1]?.text, module)
  }
}

/** Python's `from os import system as s, remove`. */
function bindFrom(line: readonly Token[], bind: Bind): void {
  const at = line.findIndex((token) => token.text === 'import')
  const module = line
    .slice(0, at)
    .map((token) => token.text)
    .join('')
  for (const part of splitAtCommas(line.slice(at + 1).filter((token) => !/^[()]$/.test(token.text)))) {
    const [name, as, renamed] = part
    if (name === undefined) continue
    if (name.text === '*') for (const each of STARRED[module] ?? []) bind(each, `${module}.${each}`)
    else bind(as?.text === 'as' ? renamed?.text : name.text, `${module}.${name.text}`)
  }
}

/** What `from os import *` brings that matters here. */
const STARRED: Readonly<Record<string, readonly string[]>> = {
  os: wordList('system popen remove unlink rmdir removedirs rename execv execvp execl execlp chmod'),
  shutil: ['rmtree', 'move', 'copy', 'copyfile'],
  subprocess: ['run', 'call', 'check_call', 'check_output', 'Popen', 'getoutput'],
}

function splitAtCommas(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.text === ',') parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}
