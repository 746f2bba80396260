import { readOptions, valuesOf } from '../../arguments/options.ts'
import { isGiven } from '../../arguments/verbs.ts'
import { fileAt } from '../../expand/line-files.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import { codeRun, type Launch, type LaunchCall, launchCode } from '../../vocabulary/launch.ts'
import { isStandardInput } from '../../words/standard-input.ts'
import { exactForm, exactText, type Form, type Word } from '../../words/words.ts'
import type { ProgramCall, ProgramTable } from '../program.ts'
import { SCHEDULE, UNSCHEDULE } from './acts.ts'

const CRONTAB = 'u= l r e i s n c V T= D h|help version'

/** What runs later, without anybody watching. */
export const SCHEDULING: ProgramTable = {
  crontab: {
    does: (call) => (asksForHelp(call) ? [] : crontab(call.command)),
    starts: crontabLaunch,
    codeFrom: ({ args }) => (exactText(args[0]) === '-' ? { from: 'input' } : undefined),
  },
  at: {
    does: (call) => {
      const words = textsOf(call)
      if (asksForHelp(call) || words.length === 0 || words.some((word) => /^-(l|c|V)$/.test(word))) return []
      return words.some((word) => word === '-r' || word === '-d') ? [UNSCHEDULE] : [SCHEDULE]
    },
    starts: atLaunch,
    codeFrom: () => ({ from: 'input' }),
  },
  batch: {
    does: (call) => (asksForHelp(call) ? [] : [SCHEDULE]),
    starts: atLaunch,
    codeFrom: () => ({ from: 'input' }),
  },
  atrm: { does: (call) => (asksForHelp(call) ? [] : [UNSCHEDULE]) },
  'systemd-run': {
    does: (call) =>
      !asksForHelp(call) && textsOf(call).some((word) => /^--(on-|timer-property)/.test(word))
        ? [SCHEDULE]
        : [],
    wraps: {
      options: `
      u|unit= p|property= E|setenv= M|machine= H|host= working-directory= d|same-dir slice= description= uid=
      gid= nice= on-active= on-boot= on-startup= on-calendar= timer-property= path-property= G|collect P|pipe
      t|pty q|quiet S|shell user system scope wait r|remain-after-exit no-block no-ask-password send-sighup
    `,
      folder: 'working-directory',
    },
    files: { operands: 'none' },
  },
  schtasks: {
    does: (call) => {
      const words = textsOf(call)
      if (asksForHelp(call)) return []
      if (words.some((word) => /^[/-](create|change|run)$/i.test(word))) return [SCHEDULE]
      return words.some((word) => /^[/-](delete|end)$/i.test(word)) ? [UNSCHEDULE] : []
    },
  },
}

function textsOf({ command }: ProgramCall): readonly string[] {
  return command.args.map((word) => exactText(word) ?? '?')
}

export function asksForHelp(call: ProgramCall): boolean {
  return textsOf(call).some((word) => ['--help', '--version', '/?'].includes(word))
}

/** Without a file it reads the new table from standard input. */
function crontab(command: SimpleCommand): readonly ActEffect[] {
  const read = readOptions(command.args, CRONTAB)
  const removes = isGiven(read, 'r')
  if (removes === 'yes') return [UNSCHEDULE]
  if (['l', 'help', 'V', 'version', 'T'].some((name) => isGiven({ ...read, doubtful: [] }, name) === 'yes'))
    return []
  if (removes === 'maybe') return [{ ...UNSCHEDULE, unsure: 'what it does is known only at run time' }]
  return [SCHEDULE]
}

const CRON_LINE = /^\s*(?:@\w+|(?:[\d*/,\-\w]+\s+){4}[\d*/,\-\w]+)\s+(\S.*)$/

/** Lines of a table that comes from standard input or from a file of this line: everything after the five times. */
function crontabLaunch(call: LaunchCall): Launch | undefined {
  const { operands } = readOptions(call.args, 'u= l r e i s c= T=')
  const [table] = operands
  const forms = table === undefined ? undefined : inputOrFile(table, call)
  const commands = (forms ?? []).flatMap((form) => {
    const lines = (exactForm(form) ?? '').split('\n')
    return lines.flatMap((line): readonly Form[] => {
      const code = line.startsWith('#') ? undefined : CRON_LINE.exec(line)?.[1]
      return code === undefined ? [] : [[{ kind: 'text', text: code }]]
    })
  })
  if (commands.length === 0) return undefined
  return launchCode(
    call.args.length,
    codeRun('crontab', commands.slice(0, 32), { shell: 'child', takesInput: true }),
  )
}

function inputOrFile(word: Word, call: LaunchCall): readonly Form[] | undefined {
  if (isStandardInput(word)) return call.input.forms
  return fileAt(word, call.place)?.flatMap((file) => (file.kind === 'text' ? file.forms : []))
}

const AT = 'q= f= t= m M v b V l r d c'

function atLaunch(call: LaunchCall): Launch | undefined {
  const read = readOptions(call.args, AT)
  if (read.options.some((option) => ['l', 'r', 'd', 'c', 'V'].includes(option.name))) return undefined
  const [file] = valuesOf(read, 'f')
  const forms = file === undefined ? call.input.forms : inputOrFile(file, call)
  if (forms === undefined && !(call.input.piped && file === undefined)) return undefined
  return launchCode(call.args.length, codeRun(call.name, forms, { shell: 'child', takesInput: true }))
}
