import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import type { LaunchCall, Launcher } from '../../vocabulary/launch.ts'
import { exactText, type Word } from '../../words/words.ts'
import { codeInOptions } from '../aspects/code-options.ts'
import { type ProgramCall, type ProgramTable, program } from '../program.ts'
import { LISTEN, REVERSE_SHELL } from './acts.ts'
import { fetched, runsShell, sent } from './net.ts'

const NETCAT = `
  e|exec= c|sh-exec= lua-exec= p|source-port= w|wait= s|source= x|proxy= X= i=? q= o|output= T= I= O=
  m|max-conns= d|delay=? P= proxy-type= proxy-auth= ssl-cert= ssl-key= ssl-trustfile= allow= allowfile= deny=
  l|listen z U|unixsock u|udp v|verbose n|nodns k|keep-open 4 6 h|help version ssl send-only recv-only N
  C|crlf broker chat t|telnet no-shutdown r D S L
`

function connected({ command }: ProgramCall) {
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

/** `nc -c` with a host behind it is another netcat's flag. */
const started: Launcher = (call) =>
  codeInOptions(NETCAT, 'exec', 'sh-exec')({ ...call, args: withoutFlag(call) })

function withoutFlag({ args }: LaunchCall): readonly Word[] {
  return args.filter((word, at) => {
    return exactText(word) !== '-c' || !/^[\w-]+\.[\w.-]+$/.test(exactText(args[at + 1]) ?? '')
  })
}

export const NETCAT_PROGRAMS: ProgramTable = {
  'nc netcat': { does: connected, starts: started, fetches: true },
  ncat: { does: connected, starts: codeInOptions(NETCAT, 'exec', 'sh-exec'), fetches: true },
}

const TELNET = 'l= b= S= e= n= X= E K L 8 a d r'

/** What is typed goes there, what comes is shown. */
export const telnet = program('telnet', {
  does: ({ command }) => {
    const [host] = readOptions(command.args, TELNET).operands
    if (host === undefined) return []
    return [sent(exactText(host), 'input'), fetched(exactText(host), 'output')]
  },
  fetches: true,
})
