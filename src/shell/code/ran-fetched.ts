import type { SimpleCommand } from '../vocabulary/command.ts'
import type { NetEffect, ShellEffect } from '../vocabulary/effect.ts'
import { isLocalHost } from '../words/hosts.ts'

/** Code that fetches something, and runs text. */
export function ranFetched(net: NetEffect, { inline }: SimpleCommand): readonly ShellEffect[] {
  const code = (inline?.code ?? []).map((form) => form.map((piece) => piece.text).join('')).join('\n')
  if (isLocalHost(net.host)) return []
  if (net.direction === 'out' || !RUNS_TEXT.test(code)) return []
  const what = `runs code after fetching from ${net.host ?? 'another machine'}`
  return [{ kind: 'exec', from: 'network', what, unsure: 'whether it runs what it fetched is not certain' }]
}

const RUNS_TEXT =
  /(?<![.\w])(?:eval|exec|execfile|instance_eval|assert)\b\s*[("')]|\.then\(\s*eval\b|\bnew Function\(|\bvm\.run|\bFunction\(|\bcompile\(|\biex\b/
