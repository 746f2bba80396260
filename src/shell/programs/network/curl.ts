import { isSet, type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { fileAt, putFile } from '../../expand/line-files.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import { type FileName, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { hostOf } from '../../words/hosts.ts'
import { exactForm, exactText, exactWord, isWhollyUnknown, type Word } from '../../words/words.ts'
import { type ProgramCall, program } from '../program.ts'
import { fetched, inFolder, isDash, markedFiles, nameFromAddress, OWN_KEYS, sent } from './net.ts'

const CURL = `
  E|cert= K|config= C|continue-at= b|cookie= c|cookie-jar= d|data= D|dump-header= F|form= P|ftp-port=
  H|header= m|max-time= o|output= U|proxy-user= Q|quote= r|range= e|referer= X|request= Y|speed-limit=
  y|speed-time= t|telnet-option= z|time-cond= T|upload-file= u|user= A|user-agent= w|write-out= x|proxy=
  h|help=? data-ascii= data-binary= data-raw= data-urlencode= json= form-string= url= url-query= variable=
  expand-data= expand-url= output-dir= stderr= trace= trace-ascii= etag-save= etag-compare= libcurl= hsts=
  alt-svc= cacert= capath= key= key-type= cert-type= ciphers= connect-timeout= connect-to= crlfile= curves=
  dns-interface= dns-servers= doh-url= expect100-timeout= interface= keepalive-time= limit-rate= local-port=
  mail-from= mail-rcpt= max-filesize= max-redirs= netrc-file= noproxy= oauth2-bearer= parallel-max= pass=
  pinnedpubkey= proto= proto-default= proto-redir= preproxy= proxy-header= proxy-cacert= proxy-cert=
  proxy-key= rate= request-target= resolve= retry= retry-delay= retry-max-time= socks4= socks5=
  socks5-hostname= tls-max= tls13-ciphers= unix-socket= abstract-unix-socket= aws-sigv4= create-file-mode=
  random-file= pubkey= hostpubmd5= proxy1.0= engine= login-options= G|get I|head J|remote-header-name
  O|remote-name remote-name-all M|manual V|version L|location s|silent S|show-error f|fail k|insecure
  v|verbose i|include n|netrc compressed create-dirs N|no-buffer g|globoff Z|parallel R|remote-time raw next
`

export const curl = program('curl', {
  does: requested,
  files: { keys: /^(-E|--netrc-file)$/ },
  credentials: [OWN_KEYS],
  fetches: true,
  // `curl -o y file:///srv/project/x` is a copy.
  leaves: (args, shell) => {
    const target = shell.files.size === 0 ? undefined : valuesOf(readOptions(args, CURL), 'output')[0]
    if (target === undefined) return
    for (const word of args) {
      const [, path] = /^file:(?:\/\/(?:localhost)?)?(\/.*)$/i.exec(exactText(word) ?? '') ?? []
      for (const file of path === undefined ? [] : (fileAt(exactWord(path), shell) ?? []))
        putFile(shell, target, file)
    }
  },
})
export const curlie = program('curlie', { does: requested })

function requested(call: ProgramCall): readonly ShellEffect[] {
  const { command } = call
  const read = readOptions([...command.args, ...typedOptions(call)], CURL)
  if (['help', 'manual', 'version'].some((name) => isSet(read, name))) return []
  const addresses = [...read.operands, ...valuesOf(read, 'url', 'expand-url')].filter(leavesTheMachine)
  const { cwd } = command
  const files = outputs(read, addresses, cwd)
  const hosts = addresses.length === 0 ? [] : addresses.map(hostOf)
  const out = uploads(read, cwd)
  return [
    ...settingsFrom(read, command),
    ...hosts.flatMap((host) => out.map((what) => sent(host, what))),
    ...hosts.map((host, at) => fetched(host, isSet(read, 'head') ? 'nothing' : (files[at] ?? 'output'))),
    ...[...files, ...sideFiles(read, cwd)].flatMap((file): ShellEffect[] =>
      file === undefined ? [] : [{ kind: 'write', ...file }],
    ),
  ]
}

const TYPED_MAX = 64

/** `curl -K -`: every line on standard input is an option, with or without dashes, a sign and quotes. */
function typedOptions({ command, input }: ProgramCall): readonly Word[] {
  const asked = valuesOf(readOptions(command.args, CURL), 'config').some((word) => exactText(word) === '-')
  const given = asked ? input() : undefined
  if (given?.kind !== 'text') return []
  const lines = given.forms.flatMap((form) => (exactForm(form) ?? '').split('\n'))
  return lines.slice(0, TYPED_MAX).flatMap((line) => {
    const [, name, value = ''] = /^\s*-{0,2}([\w-]+)\s*[=:]?\s*(.*?)\s*$/s.exec(line) ?? []
    if (name === undefined) return []
    const option = exactWord(`${name.length > 1 ? '--' : '-'}${name}`)
    const bare = value.replace(/^"(.*)"$/s, '$1')
    return bare === '' ? [option] : [option, exactWord(bare)]
  })
}

/** A file of settings can name files to write and to send; one from elsewhere is code. */
function settingsFrom(read: ReadOptions, command: SimpleCommand): readonly ShellEffect[] {
  const foreign = valuesOf(read, 'config').some((word) => {
    const text = exactText(word)
    if (text === '-') return command.inputs !== undefined && command.inputText === undefined
    return text === undefined ? word.forms.every(isWhollyUnknown) : /^\w+:\/\//.test(text)
  })
  return foreign ? [FOREIGN_SETTINGS] : []
}

const FOREIGN_SETTINGS: ShellEffect = {
  kind: 'exec',
  from: 'unknown',
  what: 'takes its options from somewhere that cannot be read',
  unsure: 'what it writes and sends is known only at run time',
}

function leavesTheMachine(word: Word): boolean {
  return !/^file:/i.test(exactText(word) ?? word.source)
}

/** What is sent: files, standard input, or text that stands on the line. */
function uploads(read: ReadOptions, cwd: string | undefined): readonly Sent[] {
  const bodies = valuesOf(read, 'data', 'data-ascii', 'data-binary', 'json', 'expand-data')
  const parts = valuesOf(read, 'form', 'data-urlencode', 'url-query')
  return [
    ...bodies.flatMap((word) => orText(markedFiles(word, /^@/, cwd))),
    ...parts.flatMap((word) => orText(markedFiles(word, /^[^=@<]*(?:=[@<]|@)/, cwd).map(withoutFormType))),
    ...valuesOf(read, 'upload-file').flatMap((word) => orText(namedFiles(word, cwd))),
    ...valuesOf(read, 'data-raw', 'form-string').map(() => 'text' as const),
    ...valuesOf(read, 'header').flatMap((word) => markedFiles(word, /^@/, cwd)),
  ]
}

type Sent = FileName | 'input' | 'text'

function orText(files: readonly FileName[]): readonly Sent[] {
  return files.length === 0 ? ['text'] : files.map((file) => (isInput(file) ? 'input' : file))
}

/** `-T .` reads standard input too, without waiting. */
function isInput(file: FileName): boolean {
  return isDash(file) || file.source === '.'
}

/** `name=@file;type=text/plain` */
function withoutFormType(file: FileName): FileName {
  const form = file.form.map((piece) =>
    piece.kind === 'text' ? { ...piece, text: piece.text.replace(/;.*$/s, '') } : piece,
  )
  return { ...file, form, source: file.source.replace(/;.*$/s, '') }
}

/** Where each address is kept; undefined for standard output. */
function outputs(
  read: ReadOptions,
  addresses: readonly Word[],
  cwd: string | undefined,
): readonly (FileName | undefined)[] {
  const named = valuesOf(read, 'output').map((word) => namedFiles(word, cwd)[0])
  const remote = read.options.filter((option) => option.name === 'remote-name').length
  const all = isSet(read, 'remote-name-all')
  const folder = exactText(valuesOf(read, 'output-dir').at(-1))
  return addresses.map((address, at) => {
    const name = at < named.length ? named[at] : undefined
    if (name !== undefined) return isDash(name) ? undefined : inFolder(name, folder)
    return all || at < named.length + remote ? nameFromAddress(address, folder, cwd) : undefined
  })
}

/** Files it writes beside the answer. */
function sideFiles(read: ReadOptions, cwd: string | undefined): readonly FileName[] {
  const names = [
    'cookie-jar',
    'dump-header',
    'trace',
    'trace-ascii',
    'stderr',
    'etag-save',
    'libcurl',
  ] as const
  return valuesOf(read, ...names)
    .flatMap((word) => namedFiles(word, cwd))
    .filter((file) => !isDash(file) && file.source !== '%')
}
