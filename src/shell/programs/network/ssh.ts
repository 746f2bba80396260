import { type OptionText, readOptions, valuesOf } from '../../arguments/options.ts'
import { codeRun, type Launch, type LaunchCall, type StartedCommand } from '../../vocabulary/launch.ts'
import { exactText, joinWords, textPiece, type Word } from '../../words/words.ts'
import { leavesCopies } from '../files/placing.ts'
import { program } from '../program.ts'
import { LISTEN, TUNNEL } from './acts.ts'
import { ftpCommands, ftpSends } from './ftp.ts'
import { copied, sent } from './net.ts'

const letters = (text: string, mark = ''): readonly string[] => [...text].map((letter) => `${letter}${mark}`)
const SSH = [...letters('BbcDEeFIiJLlmOoPpQRSWw', '='), ...letters('46AaCfGgKkMNnqsTtVvXxYy')].join(' ')
const COPY = [...letters('cDFiJloPSXBbRs', '='), ...letters('346ABCOpqrTvaN')].join(' ')
const KEYS = /^-[ioFE]/

/** What comes in is given to the command over there. What that one prints is not called fetched: it is one's own machine. */
export const ssh = program('ssh', {
  does: ({ command }) => {
    const read = readOptions(command.args, SSH, { stopAtOperand: true })
    const [host] = read.operands
    if (host === undefined) return []
    const opened = read.options.some((option) => option.name === 'R') ? [LISTEN] : []
    return [...opened, { ...sent(exactText(host)?.replace(/^.*@/s, ''), 'input'), login: true }]
  },
  lines: [
    [
      { ...TUNNEL, what: 'lets another machine reach a port of this one' },
      /(?:^|\s)-[a-zA-Z0-9]*R(?:\s|\d|\[|\*|$)|RemoteForward/,
    ],
    [
      { ...TUNNEL, what: 'connects the network of this machine with another' },
      /(?:^|\s)-[a-zA-Z]*w\s*(?:\d|any)|TunnelDevice|GatewayPorts[= ]yes/i,
    ],
  ],
  starts: remoteCommand,
  files: { keys: KEYS },
  fetches: true,
})
export const autossh = program('autossh', {
  lines: [
    [
      { ...TUNNEL, what: 'lets another machine reach a port of this one' },
      /(?:^|\s)-[a-zA-Z0-9]*R(?:\s|\d|\[|\*|$)|RemoteForward/,
    ],
    [
      { ...TUNNEL, what: 'connects the network of this machine with another' },
      /(?:^|\s)-[a-zA-Z]*w\s*(?:\d|any)|TunnelDevice|GatewayPorts[= ]yes/i,
    ],
  ],
  starts: remoteCommand,
  files: { keys: KEYS },
})
export const rsh = program('rsh', { starts: remoteCommand })

function remoteCommand({ name, args, input }: LaunchCall): Launch | undefined {
  // Options may also stand between the host and the command.
  const read = readOptions(args, SSH, { stopAtOperand: true })
  const host = exactText(read.operands[0]) ?? 'host'
  const after = readOptions(read.operands.slice(1), SSH, { stopAtOperand: true })
  const settings = [...settingRuns(name, [...valuesOf(read, 'o'), ...valuesOf(after, 'o')])]
  const via = `${name} ${host}`
  const there: Partial<StartedCommand> = { shell: 'child', remote: via }
  const own = args.length - after.operands.length
  if (after.operands.length > 0)
    return { own, runs: [codeRun(via, joinWords(after.operands), there), ...settings] }
  if (read.operands.length > 0 && input.forms !== undefined) {
    return { own, runs: [codeRun(via, input.forms, { ...there, takesInput: true }), ...settings] }
  }
  return settings.length === 0 ? undefined : { own, runs: settings }
}

const RUNS_CODE = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s*[=\s]\s*(.*)$/is

/** `-o ProxyCommand=code` */
function settingRuns(name: string, given: readonly Word[]): readonly StartedCommand[] {
  return given.flatMap((word) => {
    const code = RUNS_CODE.exec(exactText(word) ?? '')?.[1]
    const runs = code !== undefined && !/^none$/i.test(code)
    return runs ? [codeRun(`${name} -o`, [[textPiece(code)]], { shell: 'child' })] : []
  })
}

function onlySettings({ name, args }: LaunchCall, table: OptionText): Launch | undefined {
  const read = readOptions(args, table)
  const program = valuesOf(read, 'S').map((word) => codeRun(`${name} -S`, word.forms, { shell: 'child' }))
  const runs = [...settingRuns(name, valuesOf(read, 'o')), ...program]
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

export const scp = program('scp', {
  does: ({ command }) => {
    const read = readOptions(command.args, COPY)
    return copied(
      read.operands,
      command.cwd,
      read.options.some(({ name }) => name === 'r'),
    )
  },
  starts: (call) => onlySettings(call, COPY),
  files: { writesLast: true, keys: KEYS },
  leaves: leavesCopies,
})
export const sftp = program('sftp', {
  does: ftpCommands({ login: true }),
  sends: ftpSends,
  starts: (call) => onlySettings(call, COPY),
  files: { keys: KEYS },
  fetches: true,
})
