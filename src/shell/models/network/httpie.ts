import { isSet, optionTable, readOptions, valuesOf } from '../../arguments/options.ts'
import { type FileName, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { hostOf } from '../../words/hosts.ts'
import { exactText, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { nameFromAddress } from './curl.ts'
import { fetched, isDash, markedFiles, sent } from './net.ts'

/** httpie and its like: `http [METHOD] URL [ITEM…]`, where an item may be a file: `name@f`, `name=@f`, `name:=@f`. */
const HTTPIE = optionTable(`
  o|output= a|auth= A|auth-type= p|print= s|style= pretty= session= proxy= verify= session-read-only= timeout=
  cert= cert-key= ssl= ciphers= max-redirects= raw= default-scheme= format-options= boundary= path-as-is
  response-charset= bearer= d|download c|continue offline I|ignore-stdin f|form j|json F|follow h|headers
  b|body v|verbose help version manual multipart S|stream q|quiet m|meta
`)

export function httpieEffects({ command }: ModelCall): readonly ShellEffect[] {
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
