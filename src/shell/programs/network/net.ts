import { type FileName, type NetEffect, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { addressText } from '../../words/hosts.ts'
import { baseName } from '../../words/paths.ts'
import { exactText, exactWord, type Form, unknownWord, type Word } from '../../words/words.ts'

/** What the specifications of network programs are made of. */

export function fetched(host: string | undefined, to: FileName | 'output' | 'nothing'): NetEffect {
  const base = { kind: 'net', direction: 'in', host } as const
  return to === 'nothing' ? base : to === 'output' ? { ...base, stream: true } : { ...base, file: to }
}

export function sent(host: string | undefined, what: FileName | 'input' | 'text'): NetEffect {
  const base = { kind: 'net', direction: 'out', host } as const
  return what === 'text' ? base : what === 'input' ? { ...base, stream: true } : { ...base, file: what }
}

/** The files of a word whose text begins with, or holds, a mark that makes the rest a file: `@f`, `name=@f`. */
export function markedFiles(word: Word, mark: RegExp, cwd: string | undefined): readonly FileName[] {
  const forms = word.forms.flatMap((form) => {
    const rest = afterMark(form, mark)
    return rest === undefined ? [] : [rest]
  })
  return forms.length === 0 ? [] : namedFiles({ source: word.source, forms, splits: false }, cwd)
}

function afterMark(form: Form, mark: RegExp): Form | undefined {
  const [head, ...rest] = form
  const found = head?.kind === 'text' ? mark.exec(head.text) : null
  if (head === undefined || found === null) return undefined
  const text = head.text.slice(found.index + found[0].length)
  return text === '' ? rest : [{ ...head, text }, ...rest]
}

/** `-` names standard input or output. */
export function isDash(file: FileName): boolean {
  return file.source === '-' && file.form.length === 1
}

export function sending(host: string | undefined, file: FileName, deep: boolean): NetEffect {
  const base = { kind: 'net', direction: 'out', host } as const
  return file.source === '-'
    ? { ...base, stream: true }
    : { ...base, file, ...(deep ? { recursive: true } : {}) }
}

export function inFolder(file: FileName, folder: string | undefined): FileName {
  if (folder === undefined) return file
  return {
    ...file,
    form: [{ kind: 'text', text: `${folder}/` }, ...file.form],
    source: `${folder}/${file.source}`,
  }
}

/** The last part of the address, which `-O` and wget take as the file's name. */
export function nameFromAddress(
  address: Word,
  folder: string | undefined,
  cwd: string | undefined,
): FileName | undefined {
  const { text, whole } = addressText(address.forms[0] ?? [])
  const path = text.replace(/[?#].*$/s, '').replace(/^[a-z]+:\/\//i, '')
  const name = path.includes('/') ? path.slice(path.lastIndexOf('/') + 1) : ''
  const isKnown = address.forms.length === 1 && (whole || path.length < text.length)
  const word = isKnown ? exactWord(name === '' ? 'index.html' : name) : unknownWord(address.source)
  const [named] = namedFiles(word, cwd)
  return named === undefined ? undefined : inFolder(named, folder)
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

const SHELLS =
  /^(?:(?:[abkmzf]|da|tc|c|ya|r?ba|fi)?sh|bash|powershell|pwsh|cmd(?:\.exe)?|python[\d.]*|perl|ruby|node|php|login)$/

/** The program put behind a connection is a shell, or one that is known only at run time. */
export function runsShell(program: Word): boolean {
  const text = exactText(program)
  if (text === undefined) return true
  return text.split(/[\s"'\\,;|&()]+/).some((word) => SHELLS.test(baseName(word)))
}

/** Where a machine in a cloud asks for its own keys. */
export const OWN_KEYS = [
  'the keys this machine has in its cloud',
  /(?:169\.254\.169\.254|metadata\.google\.internal|metadata\.goog|100\.100\.100\.200)\S*(?:credentials|token|user-data)|169\.254\.170\.2\b/,
] as const
