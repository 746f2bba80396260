import { eachWord } from '../core/word-list.ts'
import { optionTable, readOptions } from './arguments/options.ts'
import { copied, remoteHost } from './models/network/transfer.ts'
import type { SimpleCommand } from './vocabulary/command.ts'
import { type FileName, type NetEffect, namedFiles } from './vocabulary/effect.ts'
import { exactForm, exactText, exactWord, type Word } from './words/words.ts'

type Sender = (command: SimpleCommand) => readonly NetEffect[]

const RSYNC = optionTable(`
  e|rsh= rsync-path= exclude= include= exclude-from= include-from= files-from= f|filter= T|temp-dir= log-file=
  password-file= port= bwlimit= B|block-size= backup-dir= chmod= compare-dest= copy-dest= link-dest= timeout=
  out-format= M|remote-option= suffix= max-size= min-size= info= debug= n|dry-run a|archive r|recursive v z h
`)

const rsync: Sender = ({ args, cwd }) => {
  const read = readOptions(args, RSYNC)
  if (read.options.some((option) => option.name === 'dry-run')) return []
  const deep = read.options.some((option) => ['archive', 'recursive'].includes(option.name))
  const touchesNetwork = read.operands.some((word) => remoteHost(word) !== undefined)
  return touchesNetwork ? copied(read.operands, cwd, deep).filter((effect) => effect.kind === 'net') : []
}

/** `aws s3 cp FROM… s3://bucket`, `gsutil cp`, `rclone copy FROM remote:`: words that are no address are local. */
function copying(verbs: RegExp, address: RegExp): Sender {
  return (command) => {
    if (command.args.some((word) => /^(--dry-?run|-n)$/.test(exactText(word) ?? ''))) return []
    const words = operandsOf(command)
    const text = words.map((word) => exactText(word) ?? '').join(' ')
    const verb = verbs.exec(text)
    const to = words.at(-1)
    if (verb === null || to === undefined || !address.test(exactText(to) ?? to.source)) return []
    const skipped = verb[0].split(' ').length + text.slice(0, verb.index).split(' ').length - 1
    const deep =
      command.args.some((word) => /^(--recursive|-r|-R|-m)$/.test(word.source)) ||
      /sync|mirror/.test(verb[0]) ||
      command.name === 'rclone'
    return words
      .slice(skipped, -1)
      .filter((word) => !address.test(exactText(word) ?? word.source))
      .flatMap((word) => namedFiles(word, command.cwd))
      .map((file) => sending(exactText(to), file, deep))
  }
}

/** Verbs after which every plain word is a file: `gh gist create FILE…`. */
function posting(host: string, verbs: RegExp, options?: RegExp): Sender {
  return (command) => {
    const words = operandsOf(command)
    const text = words.map((word) => exactText(word) ?? '').join(' ')
    const verb = verbs.exec(text)
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
const mail: Sender = (command) => {
  const attached = valuesAfter(command.args, /^-(a|A|attach)$/).flatMap((word) =>
    namedFiles(word, command.cwd),
  )
  return [
    { kind: 'net', direction: 'out', host: 'mail', stream: true },
    ...attached.map((file) => sending('mail', file, false)),
  ]
}

/** `sftp host <<< 'put -r x'`, `lftp -e 'mirror -R x' host`: commands of their own, on standard input or in an option. */
const ftp: Sender = (command) => {
  const given = command.args.map((word) => exactText(word) ?? '')
  const texts = [...(command.inputText ?? []).map((form) => exactForm(form) ?? ''), ...given]
  const host = given.find((word) => /^[\w.@-]+\.[\w.:-]+$/.test(word))?.replace(/^.*@/, '')
  return texts.flatMap((text) =>
    [
      ...text.matchAll(/\b(m?put|reput|send|mirror\s+(?:-\w+\s+)*(?:-R|--reverse))\s+((?:-\w+\s+)*)(\S+)/g),
    ].flatMap(([, verb = '', options = '', file = '']) =>
      namedFiles(exactWord(file.replace(/[;"']/g, '')), command.cwd).map((each) =>
        sending(host, each, /r/i.test(options) || verb.startsWith('mirror')),
      ),
    ),
  )
}

/** `tar -cf host:file …` writes the archive over there. */
const tar: Sender = (command) => {
  const given = command.assignments
    .filter(({ name }) => name === 'TAR_OPTIONS')
    .map(({ value }) => value.source)
  const words = [
    ...given.flatMap((text) => text.split(/[\s'"]+/)),
    ...command.args.map((word) => exactText(word) ?? word.source),
  ]
  const option = words.findIndex((word) => /^(--file|-[a-zA-Z]*f|[a-zA-Z]*cf?z?f)$/.test(word))
  const archive = words.find((word) => word.startsWith('--file='))?.slice(7) ?? words[option + 1]
  const host = archive === undefined ? undefined : remoteHost(exactWord(archive))
  if (host === undefined || words.includes('--force-local')) return []
  return command.args
    .filter((word) => !word.source.startsWith('-') && exactText(word) !== archive)
    .flatMap((word) => namedFiles(word, command.cwd))
    .map((file) => ({ ...sending(host.name, file, true), login: true }))
}

function sending(host: string | undefined, file: FileName, deep: boolean): NetEffect {
  const base = { kind: 'net', direction: 'out', host } as const
  return file.source === '-'
    ? { ...base, stream: true }
    : { ...base, file, ...(deep ? { recursive: true } : {}) }
}

function operandsOf({ args }: SimpleCommand): readonly Word[] {
  return args.filter((word) => word.source === '-' || !word.source.startsWith('-'))
}

function valuesAfter(args: readonly Word[], option: RegExp): readonly Word[] {
  return args.filter((_, at) => option.test(args[at - 1]?.source ?? ''))
}

export const SENDERS: ReadonlyMap<string, Sender> = new Map<string, Sender>([
  ['rsync', rsync],
  ...eachWord('sftp lftp ncftp ftp', ftp),
  ['tar', tar],
  ['rclone', copying(/^(copy|copyto|move|moveto|sync|bisync|rcat)/, /^[\w-]+:(?!\/\/)|^:/)],
  ['aws', copying(/\bs3 (cp|mv|sync)\b/, /^s3:\/\//)],
  ['s3cmd', copying(/^(put|sync)\b/, /^s3:\/\//)],
  ['gsutil', copying(/^(cp|mv|rsync)\b/, /^gs:\/\//)],
  ['gcloud', copying(/^storage (cp|mv|rsync)\b/, /^gs:\/\//)],
  ['mc', copying(/^(cp|mv|mirror)\b/, /^\w+\//)],
  ['azcopy', copying(/^(copy|cp|sync)\b/, /^https:\/\//)],
  ['az', posting('azure', /^storage blob upload(-batch)?/, /^(-f|--file|-s|--source)$/)],
  ['gh', posting('github.com', /^(gist create|release upload \S+)/)],
  ['glab', posting('gitlab.com', /^snippet create/)],
  ['croc', posting('croc', /^send/)],
  ['wormhole', posting('wormhole', /^send/)],
  ['transfer', posting('transfer.sh', /^/)],
  ...eachWord('mail mailx mutt sendmail msmtp swaks ssmtp nail s-nail', mail),
])
