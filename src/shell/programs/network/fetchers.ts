import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { type FileName, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { hostOf } from '../../words/hosts.ts'
import { exactText, type Word } from '../../words/words.ts'
import type { Program, ProgramCall, ProgramTable } from '../program.ts'
import { fetched, isDash, markedFiles, nameFromAddress, OWN_KEYS, sent } from './net.ts'

/** httpie and its like: `http [METHOD] URL [ITEM…]`, where an item may be a file: `name@f`, `name=@f`, `name:=@f`. */
const HTTPIE = `
  o|output= a|auth= A|auth-type= p|print= s|style= pretty= session= proxy= verify= session-read-only= timeout=
  cert= cert-key= ssl= ciphers= max-redirects= raw= default-scheme= format-options= boundary= path-as-is
  response-charset= bearer= d|download c|continue offline I|ignore-stdin f|form j|json F|follow h|headers
  b|body v|verbose help version manual multipart S|stream q|quiet m|meta
`

function requested({ command }: ProgramCall): readonly ShellEffect[] {
  const read = readOptions(command.args, HTTPIE)
  if (['offline', 'help', 'version', 'manual'].some((name) => isSet(read, name))) return []
  const [first, ...others] = read.operands
  const withMethod = /^[A-Z]+$/i.test(exactText(first) ?? '') && others.length > 0
  const [address, ...items] = withMethod ? others : read.operands
  if (address === undefined) return []
  const host = hostOf(address)
  const { cwd } = command
  const output = valuesOf(read, 'output')
    .flatMap((word) => namedFiles(word, cwd))
    .at(-1)
  const named = isSet(read, 'download') ? nameFromAddress(address, undefined, cwd) : undefined
  const kept = output === undefined || isDash(output) ? named : output
  return [
    ...items.flatMap((item) => itemFiles(item, cwd)).map((file) => sent(host, file)),
    ...(isSet(read, 'ignore-stdin') ? [] : [sent(host, 'input')]),
    fetched(host, kept ?? 'output'),
    ...(kept === undefined ? [] : [{ kind: 'write' as const, ...kept }]),
  ]
}

function itemFiles(item: Word, cwd: string | undefined): readonly FileName[] {
  return markedFiles(item, /^[^=@]*(?::?=)?@/, cwd).map((file) => {
    const source = file.source.replace(/;type=.*$/s, '')
    const form = file.form.map((piece) => ({ ...piece, text: piece.text.replace(/;type=.*$/s, '') }))
    return { ...file, form, source }
  })
}

const PAGES = 'o|out|output= d|dir= n= s= x= j= k= i= T= h|help version'

/** Programs that only fetch: those that keep what they fetch, and those that print it. */
function fetching(keeps: boolean): NonNullable<Program['does']> {
  return ({ command: { args, cwd } }) => {
    const read = readOptions(args, PAGES)
    const addresses = read.operands.filter((word) =>
      /^\w+:\/\/|^[\w-]+\./.test(exactText(word) ?? word.source),
    )
    if (!keeps) return addresses.map((word) => fetched(hostOf(word), 'output'))
    const folder = exactText(valuesOf(read, 'dir').at(-1))
    const [named] = valuesOf(read, 'output').flatMap((word) => namedFiles(word, cwd))
    return addresses.flatMap((word): ShellEffect[] => {
      if (named !== undefined && isDash(named)) return [fetched(hostOf(word), 'output')]
      const file = named ?? nameFromAddress(word, folder, cwd)
      return file === undefined ? [] : [fetched(hostOf(word), file), { kind: 'write', ...file }]
    })
  }
}

export const FETCHERS: ProgramTable = {
  'http https xh': { does: requested, credentials: [OWN_KEYS], fetches: true },
  xhs: { does: requested },
  aria2c: { does: fetching(true), fetches: true },
  'axel fetch': { does: fetching(true) },
  'lynx w3m': { does: fetching(false), fetches: true },
  GET: { does: fetching(false) },
}
