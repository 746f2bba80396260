import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { type FileName, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { hostOf } from '../../words/hosts.ts'
import { exactText } from '../../words/words.ts'
import { codeInOptions } from '../aspects/code-options.ts'
import { type ProgramCall, program } from '../program.ts'
import { fetched, isDash, nameFromAddress, OWN_KEYS, sent } from './net.ts'

const WGET = `
  e|execute= o|output-file= a|append-output= report-speed= i|input-file= B|base= config= rejected-log=
  t|tries= retry-on-http-error= O|output-document= start-pos= progress= T|timeout= dns-timeout=
  connect-timeout= read-timeout= w|wait= waitretry= Q|quota= bind-address= limit-rate= restrict-file-names=
  prefer-family= user= password= use-askpass= local-encoding= remote-encoding= P|directory-prefix= cut-dirs=
  http-user= http-password= default-page= header= compression= proxy-user= proxy-password= referer=
  U|user-agent= load-cookies= save-cookies= post-data= post-file= method= body-data= body-file=
  secure-protocol= certificate= certificate-type= private-key= private-key-type= ca-certificate= ca-directory=
  crl-file= pinnedpubkey= ciphers= ftp-user= ftp-password= l|level= A|accept= R|reject= accept-regex=
  reject-regex= D|domains= exclude-domains= I|include-directories= X|exclude-directories= max-redirect=
  hsts-file= warc-file= r|recursive m|mirror spider delete-after V|version h|help q|quiet c|continue
  b|background show-progress no-check-certificate no-verbose content-disposition trust-server-names
  N|timestamping
`

export const wget = program('wget', {
  does: requested,
  starts: codeInOptions(WGET, 'use-askpass'),
  credentials: [OWN_KEYS],
  fetches: true,
})
export const wget2 = program('wget2', { does: requested })

function requested({ command }: ProgramCall): readonly ShellEffect[] {
  const read = readOptions(command.args, WGET)
  if (['help', 'version', 'spider'].some((name) => isSet(read, name))) return []
  const { cwd } = command
  const hosts = read.operands.map(hostOf)
  const files = valuesOf(read, 'post-file', 'body-file').flatMap((word) => namedFiles(word, cwd))
  const texts = valuesOf(read, 'post-data', 'body-data').map(() => 'text' as const)
  const named = valuesOf(read, 'output-document')
    .flatMap((word) => namedFiles(word, cwd))
    .at(-1)
  const folder = exactText(valuesOf(read, 'directory-prefix').at(-1))
  const kept = read.operands.map((address): FileName | undefined => {
    if (named === undefined) return nameFromAddress(address, folder, cwd)
    return isDash(named) ? undefined : named
  })
  const logs = valuesOf(read, 'output-file', 'append-output', 'save-cookies').flatMap((word) =>
    namedFiles(word, cwd),
  )
  return [
    ...hosts.flatMap((host) =>
      [...files, ...texts].map((what) =>
        sent(host, typeof what === 'object' && isStandardInput(what) ? 'input' : what),
      ),
    ),
    ...hosts.map((host, at) => fetched(host, kept[at] ?? 'output')),
    ...[...kept, ...logs].flatMap((file): ShellEffect[] =>
      file === undefined ? [] : [{ kind: 'write', ...file }],
    ),
  ]
}

/** wget has no `-` for its body, but the device works. */
function isStandardInput(file: FileName): boolean {
  return isDash(file) || file.source === '/dev/stdin'
}
