import { type OptionTable, optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import {
  codeRun,
  type Launch,
  type LaunchCall,
  type Launcher,
  type StartedCommand,
} from '../vocabulary/launch.ts'
import { exactText, joinWords, textPiece, type Word } from '../words/words.ts'

/** `ssh host command`, and the code that ssh and the programs above it run on this machine to get there. */
export const SSH_LAUNCHERS: Readonly<Record<string, Launcher>> = {
  ssh: sshLaunch,
  autossh: sshLaunch,
  rsh: sshLaunch,
  scp: (call) => onlySettings(call, COPY),
  sftp: (call) => onlySettings(call, COPY),
  rsync: rsyncLaunch,
}

const letters = (text: string, mark: string): readonly string[] =>
  [...text].map((letter) => `${letter}${mark}`)
const SSH = optionTable(...letters('BbcDEeFIiJLlmOoPpQRSWw', '='), ...letters('46AaCfGgKkMNnqsTtVvXxYy', ''))
const COPY = optionTable(...letters('cDFiJloPSXBbRs', '='), ...letters('346ABCOpqrTvaN', ''))

function sshLaunch({ name, args, input }: LaunchCall): Launch | undefined {
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

function onlySettings({ name, args }: LaunchCall, table: OptionTable): Launch | undefined {
  const read = readOptions(args, table)
  const program = valuesOf(read, 'S').map((word) => codeRun(`${name} -S`, word.forms, { shell: 'child' }))
  const runs = [...settingRuns(name, valuesOf(read, 'o')), ...program]
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

const RSYNC = optionTable(`
  e|rsh= rsync-path= f|filter= exclude= include= exclude-from= include-from= files-from= B|block-size=
  T|temp-dir= M|remote-option= log-file= backup-dir= suffix= max-size= timeout= partial-dir= compare-dest=
  copy-dest= link-dest= chmod= chown= port= password-file=
`)

/** `-e` is the program to connect with, `--rsync-path` the code to run on the other side. */
function rsyncLaunch({ name, args }: LaunchCall): Launch | undefined {
  const read = readOptions(args, RSYNC)
  const shells = valuesOf(read, 'rsh').map((word) => codeRun(`${name} -e`, word.forms, { shell: 'child' }))
  const paths = valuesOf(read, 'rsync-path').map((word) =>
    codeRun(`${name} --rsync-path`, word.forms, { shell: 'child', remote: 'rsync' }),
  )
  return shells.length + paths.length === 0 ? undefined : { own: args.length, runs: [...shells, ...paths] }
}
