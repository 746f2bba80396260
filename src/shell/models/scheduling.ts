import { optionTable, readOptions } from '../arguments/options.ts'
import { isGiven } from '../arguments/verbs.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { exactText, type Word } from '../words/words.ts'
import type { Model, ModelCases } from './model.ts'
import { SCHEDULE, UNSCHEDULE } from './scheduling/acts.ts'

/** What runs later, without anybody watching. */
export const scheduling: Model = {
  programs: ['crontab', 'at', 'batch', 'atrm', 'systemd-run', 'schtasks', 'reg'],
  effects({ name, command }) {
    const words = command.args.map((word) => exactText(word) ?? '?')
    if (words.some((word) => ['--help', '--version', '/?'].includes(word))) return []
    switch (name) {
      case 'crontab':
        return crontab(command)
      case 'at':
        return words.some((word) => /^-(l|c|V)$/.test(word)) || words.length === 0 ? [] : atEffects(words)
      case 'batch':
        return [SCHEDULE]
      case 'atrm':
        return [UNSCHEDULE]
      case 'systemd-run':
        return words.some((word) => /^--(on-|timer-property)/.test(word)) ? [SCHEDULE] : []
      case 'schtasks':
        return taskEffects(words)
      default:
        return registryEffects(command.args)
    }
  },
}

const SCHEDULES = 'system-change scheduling/install'
const UNSCHEDULES = 'data-destroy scheduling/remove'

export const cases: ModelCases = [
  ['crontab -l'],
  ['crontab -u dev -l'],
  ['crontab -r', UNSCHEDULES],
  ['crontab -u dev -r', UNSCHEDULES],
  ['crontab -ri', UNSCHEDULES],
  ['crontab jobs.txt', SCHEDULES],
  ['crontab -e', SCHEDULES],
  ['echo "* * * * * date" | crontab -', SCHEDULES],
  ['crontab < jobs.txt', SCHEDULES],
  ['crontab $FLAG', `${UNSCHEDULES} ?`],
  ['crontab --help'],
  ['echo date | at now + 5 minutes', SCHEDULES],
  ['at -l'],
  ['at -r 7', UNSCHEDULES],
  ['batch < job.txt', SCHEDULES],
  ['atrm 7', UNSCHEDULES],
  ['systemd-run --on-calendar=daily date', SCHEDULES],
  ['systemd-run --user date'],
  ['schtasks /Query'],
  ['schtasks /Create /SC ONLOGON /TN job /TR job.exe', SCHEDULES],
  ['schtasks /delete /tn job /f', UNSCHEDULES],
  ['reg query HKCU'],
  ["reg add 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run' /v job /d job.exe", SCHEDULES],
  ['reg add HKCU\\\\Software\\\\Microsoft\\\\Windows\\\\CurrentVersion\\\\Run /v job /d job.exe', SCHEDULES],
  ['reg add HKCU\\\\Software\\\\Example /v colour /d red'],
  ['reg delete HKLM\\Software\\Example /f', 'system-change system/kernel'],
  ['reg delete HKCU\\Software\\Example /v colour /f'],
]

const CRONTAB = optionTable('u= l r e i s n c V T= D h|help version')

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

function atEffects(words: readonly string[]): readonly ActEffect[] {
  return words.some((word) => word === '-r' || word === '-d') ? [UNSCHEDULE] : [SCHEDULE]
}

function taskEffects(words: readonly string[]): readonly ActEffect[] {
  if (words.some((word) => /^[/-](create|change|run)$/i.test(word))) return [SCHEDULE]
  return words.some((word) => /^[/-](delete|end)$/i.test(word)) ? [UNSCHEDULE] : []
}

/** Keys whose values are started when a person logs in. */
const STARTS =
  /currentversion\\+(run|runonce|runservices|winlogon|policies\\+explorer\\+run|image file execution options)(\\|["']|$)/i

/** What all programs of the machine, or all of a person's, keep there. */
const MACHINE_KEYS = /^["']?(HKLM|HKEY_LOCAL_MACHINE|HKCR|HKEY_CLASSES_ROOT|HKCU\\+Software["']?$)/i
const REGISTRY: ActEffect = {
  kind: 'system-change',
  act: 'system/kernel',
  what: 'deletes settings of the machine from the registry',
}

/** The shell takes the backslashes out of a key without quotes; whoever wrote it meant them. */
function registryEffects(args: readonly Word[]): readonly ActEffect[] {
  const [verb, key] = args
  if (/^delete$/i.test(exactText(verb) ?? '')) return MACHINE_KEYS.test(key?.source ?? '') ? [REGISTRY] : []
  if (!/^(add|import|copy|restore)$/i.test(exactText(verb) ?? '')) return []
  return STARTS.test(key?.source ?? '') ? [SCHEDULE] : []
}
