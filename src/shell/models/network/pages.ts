import { optionTable, readOptions, valuesOf } from '../../arguments/options.ts'
import { namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { hostOf } from '../../words/hosts.ts'
import { exactText } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { nameFromAddress } from './curl.ts'
import { fetched, isDash } from './net.ts'

/** Programs that only fetch: those that keep what they fetch, and those that print it. */
const KEEPS = new Set(['aria2c', 'axel', 'fetch'])

const PAGES = optionTable('o|out|output= d|dir= n= s= x= j= k= i= T= h|help version')

export function pageEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, PAGES)
  const { cwd } = command
  const addresses = read.operands.filter((word) => /^\w+:\/\/|^[\w-]+\./.test(exactText(word) ?? word.source))
  if (!KEEPS.has(name)) return addresses.map((word) => fetched(hostOf(word), 'output'))
  const folder = exactText(valuesOf(read, 'dir').at(-1))
  const [named] = valuesOf(read, 'output').flatMap((word) => namedFiles(word, cwd))
  return addresses.flatMap((word): ShellEffect[] => {
    if (named !== undefined && isDash(named)) return [fetched(hostOf(word), 'output')]
    const file = named ?? nameFromAddress(word, folder, cwd)
    return file === undefined ? [] : [fetched(hostOf(word), file), { kind: 'write', ...file }]
  })
}
