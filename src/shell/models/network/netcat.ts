import { isSet, optionTable, readOptions, valuesOf } from '../../arguments/options.ts'
import type { ActEffect, ShellEffect } from '../../vocabulary/effect.ts'
import { baseName } from '../../words/paths.ts'
import { exactText, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { fetched, sent } from './net.ts'

/** Whoever is at the other end types into a shell of this machine. */
export const REVERSE_SHELL: ActEffect = {
  kind: 'privilege',
  act: 'network/reverse-shell',
  what: 'gives a shell on this machine to the program at the other end of the connection',
}

export const LISTEN: ActEffect = {
  kind: 'system-change',
  act: 'network/listen',
  what: 'opens a port of this machine to others',
}

const NETCAT = optionTable(`
  e|exec= c|sh-exec= lua-exec= p|source-port= w|wait= s|source= x|proxy= X= i=? q= o|output= T= I= O=
  m|max-conns= d|delay=? P= proxy-type= proxy-auth= ssl-cert= ssl-key= ssl-trustfile= allow= allowfile= deny=
  l|listen z U|unixsock u|udp v|verbose n|nodns k|keep-open 4 6 h|help version ssl send-only recv-only N
  C|crlf broker chat t|telnet no-shutdown r D S L
`)

export function netcatEffects({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, NETCAT)
  if (['help', 'version', 'z', 'unixsock'].some((name) => isSet(read, name))) return []
  const listens = isSet(read, 'listen') || isSet(read, 'L')
  const host = listens ? undefined : (exactText(read.operands[0]) ?? undefined)
  const runs = valuesOf(read, 'exec', 'sh-exec', 'lua-exec')
  return [
    ...(runs.some(runsShell) ? [REVERSE_SHELL] : []),
    ...(listens ? [LISTEN] : []),
    ...(isSet(read, 'recv-only') ? [] : [sent(host, 'input')]),
    ...(isSet(read, 'send-only') ? [] : [fetched(host, 'output')]),
  ]
}

const SHELLS =
  /^(?:(?:[abkmzf]|da|tc|c|ya|r?ba|fi)?sh|bash|powershell|pwsh|cmd(?:\.exe)?|python[\d.]*|perl|ruby|node|php|login)$/

/** The program put behind a connection is a shell, or one that is known only at run time. */
export function runsShell(program: Word): boolean {
  const text = exactText(program)
  if (text === undefined) return true
  return text.split(/[\s"'\\,;|&()]+/).some((word) => SHELLS.test(baseName(word)))
}

/** `telnet HOST PORT` and `openssl s_client -connect HOST:PORT`: what is typed goes there, what comes is shown. */
export function telnetEffects({ command }: ModelCall): readonly ShellEffect[] {
  const [host] = readOptions(command.args, TELNET).operands
  if (host === undefined) return []
  const name = exactText(host)
  return [sent(name, 'input'), fetched(name, 'output')]
}

const TELNET = optionTable('l= b= S= e= n= X= E K L 8 a d r')

export function opensslEffects({ command }: ModelCall): readonly ShellEffect[] {
  const words = command.args.map((word) => exactText(word))
  if (words[0] === 's_server') return [LISTEN, sent(undefined, 'input'), fetched(undefined, 'output')]
  if (words[0] !== 's_client') return []
  const at = words.findIndex((word) => /^--?(connect|host)$/.test(word ?? ''))
  const host = words[at + 1]?.replace(/:\d+$/, '')
  return at < 0 ? [] : [sent(host, 'input'), fetched(host, 'output')]
}

/** Services that make a port of this machine public. */
export function tunnelEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const words = command.args.map((word) => exactText(word) ?? '')
  if (words.some((word) => /^(-h|--help|help|--version|version|-v|config|update|login)$/.test(word)))
    return []
  const opens = name === 'ngrok' ? /^(http|https|tcp|tls|start)$/ : /^(tunnel|access|local|--port|-p)$/
  return words.some((word) => opens.test(word)) ? [LISTEN] : []
}
