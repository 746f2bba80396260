import { programOf } from '../programs/index.ts'
import { REVERSE_SHELL } from '../programs/network/acts.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { exactText } from '../words/words.ts'

/**
 * A one-liner in another language that opens a connection and starts a shell. Both in one piece of code is hardly ever
 * anything else, so words are enough; what the code does in detail is not read here.
 */
export function socketShell(command: SimpleCommand): readonly ActEffect[] {
  if (programOf(command.name)?.interprets === undefined) return []
  const given = command.redirections.filter(({ operator }) => operator.startsWith('<<'))
  const code = [command.fragment, ...given.map(({ target }) => exactText(target) ?? '')].join('\n')
  return CONNECTS.test(code) && STARTS_SHELL.test(code) ? [REVERSE_SHELL] : []
}

const CONNECTS =
  /\bsocket\s*\.\s*(?:socket|create_connection|tcp)\b|require\(["']socket["']\)|\bSOCK_STREAM\b|IO::Socket|\bTCPSocket\b|\bfsockopen\b|\bstream_socket_client\b|\bnet["'\])]*\s*\.?\s*(?:Socket|connect|createConnection)\b|require\(["'](?:node:)?net["']\)|\/inet[46]?\/tcp\/|TcpClient|ztcp\b|\bsocket\s+-/i

const STARTS_SHELL =
  /\bpty\s*\.\s*spawn|\bdup2\b|["'`/](?:ba|z|da|k)?sh(?:\s+-\w+)?["'`,\s;<)]|\bcmd\.exe\b|\bpowershell\b|\bexec\s+sprintf|\|&\s*getline|\biex\b|Invoke-Expression|\bsystem\s?[$("'`]|\b(?:ba|z|da|k)?sh\s+(?:-i\b|\d?[<>]&)/i
