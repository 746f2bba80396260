import { readOptions, valuesOf } from '../../arguments/options.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import { type NetEffect, namedFiles } from '../../vocabulary/effect.ts'
import { exactForm, exactText, exactWord } from '../../words/words.ts'
import { SYNC_DELETE } from '../archives/acts.ts'
import type { Program, ProgramTable } from '../program.ts'
import { WINDOWS_LOADER } from '../windows/acts.ts'
import { sending, sent } from './net.ts'

const SFTP = 'b= B= c= D= F= i= J= l= o= P= R= S= s= X= r q v C p e= u= n d g N='

/** Clients with a language of their own: `put FILE`, `mirror -R`, given on standard input or after `-c` and `-e`. */
export function ftpCommands(how: { readonly login?: true } = {}): NonNullable<Program['does']> {
  return ({ command }) => {
    const read = readOptions(command.args, SFTP)
    const given = command.redirections.filter(({ operator }) => operator.startsWith('<<'))
    const scripts = [...valuesOf(read, 'e', 'c'), ...given.map(({ target }) => target)]
    const text = scripts.map((word) => exactText(word) ?? '').join('\n')
    const opened = /(?:^|[;\n])\s*open\s+(?:-\S+\s+)*([^\s;]+)/.exec(text)?.[1]
    const host = (exactText(read.operands[0]) ?? opened)
      ?.replace(/^\w+:\/\//, '')
      .replace(/^[^@]*@|[:/].*$/g, '')
    const deletes = /(?:^|[;\n])\s*mirror\b[^;\n]*\s(?:--delete(?:-first)?|-[a-zA-Z]*e)\b/.exec(text)
    const gone = deletes !== null && /\s(?:-[a-zA-Z]*R|--reverse)\b/.test(deletes[0]) ? [MIRRORED] : []
    const puts = text.matchAll(
      /(?:^|[;\n])\s*(?:m?put|mirror\s+(?:-\S+\s+)*(?:-\w*R|--reverse)|reput)\s+(?:-\S+\s+)*([^\s;]+)/g,
    )
    const files = [...puts].flatMap(([, file = '']) => namedFiles(exactWord(file), command.cwd))
    return [...gone, ...files.map((file) => ({ ...sent(host, file), ...how }))]
  }
}

const MIRRORED = {
  ...SYNC_DELETE,
  what: 'deletes files on another machine that are not here',
  unsure: 'what is there and not here is not known',
}

/** `sftp host <<< 'put -r x'`, `lftp -e 'mirror -R x' host`: commands of their own, on standard input or in an option. */
export function ftpSends(command: SimpleCommand): readonly NetEffect[] {
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

export const FTP: ProgramTable = {
  ftp: { does: ftpCommands(), sends: ftpSends, lines: [[WINDOWS_LOADER, /-s:/i]], fetches: true },
  lftp: { does: ftpCommands(), sends: ftpSends },
  tftp: { does: ftpCommands() },
  ncftp: { sends: ftpSends },
}
