import { namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { exactText } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { fetched } from './net.ts'

/** Programs of Windows that fetch, or run what they fetch. */

const ADDRESS = /(?:https?|ftp):\/\/([\w.-]+)/i

/** `certutil -urlcache -f address file`, `bitsadmin /transfer name address file`. */
export function fetcherEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const words = command.args.map((word) => exactText(word) ?? '')
  const fetches = name === 'certutil' ? /^[-/](urlcache|verifyctl)$/i : /^[-/](transfer|addfile)$/i
  const at = words.findIndex((word) => ADDRESS.test(word))
  if (at < 0 || !words.some((word) => fetches.test(word))) return []
  const host = ADDRESS.exec(words[at] ?? '')?.[1]
  const target = command.args[at + 1]
  if (target === undefined) return [fetched(host, 'nothing')]
  return namedFiles(target, command.cwd).flatMap((file): readonly ShellEffect[] => [
    fetched(host, file),
    { kind: 'write', ...file },
  ])
}

/** `mshta https://…`, `regsvr32 /i:https://… x.dll`, `rundll32 javascript:…`: what is there is run. */
export function loaderEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const line = command.args.map((word) => exactText(word) ?? '').join(' ')
  const address = ADDRESS.exec(line)?.[0]
  if (address !== undefined) return [{ kind: 'exec', from: 'network', what: `runs what ${address} sends` }]
  return /\b(javascript|vbscript):/i.test(line)
    ? [{ kind: 'exec', from: 'unknown', what: `runs the script in the words of ${name}` }]
    : []
}
