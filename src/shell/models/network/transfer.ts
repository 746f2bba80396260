import { isSet, optionTable, readOptions, valuesOf } from '../../arguments/options.ts'
import {
  type ActEffect,
  type FileName,
  type NetEffect,
  namedFiles,
  type ShellEffect,
} from '../../vocabulary/effect.ts'
import { exactText, type Form, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { fetched, sent } from './net.ts'
import { LISTEN } from './netcat.ts'

const SCP = optionTable('c= D= F= i= J= l= o= P= S= X= r p q v B C 3 A O T 4 6 R s')

/** `scp FROM… TO`, where either may be `host:path`. */
export function scpEffects({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, SCP)
  return copied(read.operands, command.cwd, isSet(read, 'r'))
}

/** Files given by name, the last operand being where they go. */
export function copied(
  operands: readonly Word[],
  cwd: string | undefined,
  recursive: boolean,
): readonly ShellEffect[] {
  const from = operands.slice(0, -1)
  const to = operands.at(-1)
  if (to === undefined || from.length === 0) return []
  const host = remoteHost(to)
  if (host !== undefined) {
    const local = from.filter((word) => remoteHost(word) === undefined)
    return local.flatMap((word) =>
      namedFiles(word, cwd).map((file) => loggedIn({ ...sent(host.name, file), ...deep(recursive) })),
    )
  }
  const remote = from.filter((word) => remoteHost(word) !== undefined)
  const places = namedFiles(to, cwd)
  const writes = places.map((file): ShellEffect => ({ kind: 'write', ...file }))
  if (remote.length === 0) return writes
  return [
    ...remote.flatMap((word) =>
      placesFor(word, to, cwd).map((file) => loggedIn(fetched(remoteHost(word)?.name, file))),
    ),
    ...writes,
  ]
}

function deep(recursive: boolean): { readonly recursive?: boolean } {
  return recursive ? { recursive: true } : {}
}

function loggedIn(effect: NetEffect): NetEffect {
  return { ...effect, login: true }
}

/** The file it becomes here: in a folder it keeps its name. */
function placesFor(from: Word, to: Word, cwd: string | undefined): readonly FileName[] {
  const folder = exactText(to)
  const name = exactText(from)?.replace(/^.*[:/]/s, '')
  const plain = namedFiles(to, cwd)
  if (folder === undefined || name === undefined || name === '') return plain
  if (!/(^|\/)\.{0,2}$|\/$/.test(folder)) return plain
  const forms: readonly Form[] = [[{ kind: 'text', text: `${folder.replace(/\/$/, '')}/${name}` }]]
  return namedFiles({ source: from.source, forms, splits: false }, cwd)
}

/** `host:path`, `user@host:path`, `host::module`, `scp://host/path`; the name is undefined where it is not known. */
export function remoteHost(word: Word): { readonly name: string | undefined } | undefined {
  const found = word.forms.map((form): { readonly name: string | undefined } | undefined => {
    const [head, next] = form
    if (head?.kind === 'unknown') {
      return next?.kind === 'text' && next.text.startsWith(':') ? { name: undefined } : undefined
    }
    const address = /^(?:scp|rsync|sftp|ssh):\/\/(?:[^@/]*@)?([^:/]+)/.exec(head?.text ?? '')
    const plain = /^(?:[^@/:]*@)?(\[[^\]]*\]|[^/:]*):/.exec(head?.text ?? '')
    // `C:\x` is a drive, `./a:b` a file.
    const drive = /^[A-Za-z]?:/.test(head?.text ?? '')
    if (address === null && (plain === null || drive)) return undefined
    return { name: (address?.[1] ?? plain?.[1] ?? '').toLowerCase() }
  })
  return found.find((each) => each !== undefined)
}

const SFTP = optionTable('b= B= c= D= F= i= J= l= o= P= R= S= s= X= r q v C p e= u= n d g N=')

/** Clients with a language of their own: `put FILE`, `mirror -R`, given on standard input or after `-c` and `-e`. */
export function ftpEffects({ name, command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, SFTP)
  const given = command.redirections.filter(({ operator }) => operator.startsWith('<<'))
  const scripts = [...valuesOf(read, 'e', 'c'), ...given.map(({ target }) => target)]
  const text = scripts.map((word) => exactText(word) ?? '').join('\n')
  const opened = /(?:^|[;\n])\s*open\s+(?:-\S+\s+)*([^\s;]+)/.exec(text)?.[1]
  const host = (exactText(read.operands[0]) ?? opened)
    ?.replace(/^\w+:\/\//, '')
    .replace(/^[^@]*@|[:/].*$/g, '')
  const login = name === 'sftp' ? { login: true } : {}
  const deletes = /(?:^|[;\n])\s*mirror\b[^;\n]*\s(?:--delete(?:-first)?|-[a-zA-Z]*e)\b/.exec(text)
  const gone = deletes !== null && /\s(?:-[a-zA-Z]*R|--reverse)\b/.test(deletes[0]) ? [MIRRORED] : []
  const puts = [
    ...text.matchAll(
      /(?:^|[;\n])\s*(?:m?put|mirror\s+(?:-\S+\s+)*(?:-\w*R|--reverse)|reput)\s+(?:-\S+\s+)*([^\s;]+)/g,
    ),
  ]
  const sentFiles = puts.flatMap(([, file = '']) =>
    namedFiles({ source: file, forms: [[{ kind: 'text', text: file }]], splits: false }, command.cwd).map(
      (each) => ({ ...sent(host, each), ...login }),
    ),
  )
  return [...gone, ...sentFiles]
}

const MIRRORED: ActEffect = {
  kind: 'remote-mutate',
  act: 'files/sync-delete-remote',
  what: 'deletes files on another machine that are not here',
  unsure: 'what is there and not here is not known',
}

const SSH = optionTable(
  'B= b= c= D= E= e= F= I= i= J= L= l= m= O= o= P= p= Q= R= S= W= w= N T f q t v A X Y C n 4 6 G V',
)

/** What comes in is given to the command over there. What that one prints is not called fetched: it is one's own machine. */
export function sshEffects({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, SSH, { stopAtOperand: true })
  const [host] = read.operands
  if (host === undefined) return []
  const opened = read.options.some((option) => option.name === 'R') ? [LISTEN] : []
  return [...opened, { ...sent(exactText(host)?.replace(/^.*@/s, ''), 'input'), login: true }]
}
