import type { SimpleCommand } from '../../vocabulary/command.ts'
import { namedFiles } from '../../vocabulary/effect.ts'
import { exactText, type Word } from '../../words/words.ts'
import type { Program, ProgramTable } from '../program.ts'
import { sending } from './net.ts'

type Sends = NonNullable<Program['sends']>

/** `aws s3 cp FROM… s3://bucket`, `gsutil cp`, `rclone copy FROM remote:`: words that are no address are local. */
export function copying(verbs: RegExp, address: RegExp, folders = false): Sends {
  return (command) => {
    if (command.args.some((word) => /^(--dry-?run|-n)$/.test(exactText(word) ?? ''))) return []
    const words = operandsOf(command)
    const text = words.map((word) => exactText(word) ?? '').join(' ')
    const verb = verbs.exec(text)
    const to = words.at(-1)
    if (verb === null || to === undefined || !address.test(exactText(to) ?? to.source)) return []
    const skipped = verb[0].split(' ').length + text.slice(0, verb.index).split(' ').length - 1
    const deep =
      folders ||
      command.args.some((word) => /^(--recursive|-r|-R|-m)$/.test(word.source)) ||
      /sync|mirror/.test(verb[0])
    return words
      .slice(skipped, -1)
      .filter((word) => !address.test(exactText(word) ?? word.source))
      .flatMap((word) => namedFiles(word, command.cwd))
      .map((file) => sending(exactText(to), file, deep))
  }
}

/** Verbs after which every plain word is a file: `gh gist create FILE…`; or the values of these options. */
export function posting(host: string, verbs: RegExp, options?: RegExp): Sends {
  return (command) => {
    const words = operandsOf(command)
    const verb = verbs.exec(words.map((word) => exactText(word) ?? '').join(' '))
    if (verb === null || verb.index > 0) return []
    const after = words.slice(verb[0].trim().split(/\s+/).length)
    const given = options === undefined ? after : valuesAfter(command.args, options)
    const files = given
      .flatMap((word) => namedFiles(word, command.cwd))
      .map((file) => sending(host, file, false))
    return [...files, { kind: 'net', direction: 'out', host, stream: true }]
  }
}

/** Mail programs send standard input, and what is attached. */
const mail: Sends = (command) => [
  { kind: 'net', direction: 'out', host: 'mail', stream: true },
  ...valuesAfter(command.args, /^-(a|A|attach)$/)
    .flatMap((word) => namedFiles(word, command.cwd))
    .map((file) => sending('mail', file, false)),
]

function operandsOf({ args }: SimpleCommand): readonly Word[] {
  return args.filter((word) => word.source === '-' || !word.source.startsWith('-'))
}

function valuesAfter(args: readonly Word[], option: RegExp): readonly Word[] {
  return args.filter((_, at) => option.test(args[at - 1]?.source ?? ''))
}

/** Programs that do nothing but send files to somebody. */
export const SENDERS: ProgramTable = {
  croc: { sends: posting('croc', /^send/) },
  wormhole: { sends: posting('wormhole', /^send/) },
  transfer: { sends: posting('transfer.sh', /^/) },
  'mail mailx mutt sendmail msmtp swaks ssmtp nail s-nail': { sends: mail },
}
