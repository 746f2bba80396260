import { readOptions } from '../../arguments/options.ts'
import { type FileName, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { codeRun } from '../../vocabulary/launch.ts'
import { exactText, type Form, textPiece, type Word } from '../../words/words.ts'
import { type ProgramCall, program } from '../program.ts'
import { LISTEN, REVERSE_SHELL } from './acts.ts'
import { fetched, runsShell, sent } from './net.ts'

const SOCAT = 'l=? b= t= T= L= W= r= R= d D v x u U h V'
const RUNS = /^(?:EXEC|SYSTEM|SHELL):/i

/** `socat LEFT RIGHT`: joins two ends, each a file, a program, a port or standard input and output. */
export const socat = program('socat', {
  does: joined,
  // `socat … EXEC:"code",pty`
  starts: ({ name, args }) => {
    const runs = args.flatMap((word) => {
      const text = exactText(word) ?? ''
      const code = RUNS.test(text) ? text.slice(text.indexOf(':') + 1).split(/(?<!\\),/, 1)[0] : undefined
      return code === undefined
        ? []
        : [codeRun(`${name} EXEC`, [[textPiece(code.replace(/["']/g, ''))]], { shell: 'child' })]
    })
    return runs.length === 0 ? undefined : { own: args.length, runs }
  },
  fetches: true,
})

function joined({ command }: ProgramCall): readonly ShellEffect[] {
  const operands = readOptions(command.args, SOCAT).operands
  const ends = operands.flatMap((word) => endsOf(word, command.cwd))
  const network = ends.filter((end) => end.kind === 'network' || end.kind === 'listen')
  if (network.length === 0) return []
  const host = network.find((end) => end.host !== undefined)?.host
  const effects: ShellEffect[] = []
  if (ends.some((end) => end.kind === 'listen')) effects.push(LISTEN)
  if (ends.some((end) => end.kind === 'program' && end.shell)) effects.push(REVERSE_SHELL)
  for (const end of ends) {
    if (end.file !== undefined) effects.push(sent(host, end.file), fetched(host, end.file))
    else if (end.kind === 'standard') effects.push(sent(host, 'input'), fetched(host, 'output'))
  }
  return effects
}

interface End {
  readonly kind: 'network' | 'listen' | 'program' | 'file' | 'standard' | 'other'
  readonly host?: string
  readonly file?: FileName
  readonly shell?: boolean
}

/** `LEFT!!RIGHT` is one end that reads from the first and writes to the second. */
function endsOf(word: Word, cwd: string | undefined): readonly End[] {
  const text = exactText(word)
  if (text !== undefined)
    return text.split('!!').map((each) => endOf([{ kind: 'text', text: each }], each, cwd))
  return word.forms.map((form) => endOf(form, word.source, cwd))
}

function endOf(form: Form, source: string, cwd: string | undefined): End {
  const [head, ...rest] = form
  const text = head?.kind === 'text' ? head.text : ''
  const kind = /^[A-Za-z0-9-]+/.exec(text)?.[0].toUpperCase() ?? ''
  const value = text.slice(kind.length + 1)
  if (text === '-' || /^(STDIO|STDIN|STDOUT)$/.test(kind)) return { kind: 'standard' }
  // A descriptor of a higher number was opened before, often as a connection.
  if (kind === 'FD') return { kind: /^[012]$/.test(value) ? 'standard' : 'network' }
  if (/^(EXEC|SYSTEM|SHELL)$/.test(kind)) {
    const program = {
      source,
      forms: [rest.length === 0 ? [{ kind: 'text' as const, text: value }] : form],
      splits: false,
    }
    return { kind: 'program', shell: kind === 'SHELL' || runsShell(program) }
  }
  if (/^(TCP|UDP|OPENSSL|SSL|SCTP|SOCKS|PROXY|DTLS|TUN)/.test(kind)) {
    if (/-L(ISTEN)?$|-RECV/.test(kind)) return { kind: 'listen' }
    const host = /^([^:,]+)[:,]/.exec(value)?.[1]
    return host === undefined ? { kind: 'network' } : { kind: 'network', host: host.toLowerCase() }
  }
  if (!/^(OPEN|FILE|CREAT|CREATE|GOPEN|PIPE|RO|RDONLY)$/.test(kind)) return { kind: 'other' }
  return fileEnd(value, rest, source, cwd)
}

/** `OPEN:name,chdir=folder,…` */
function fileEnd(value: string, rest: Form, source: string, cwd: string | undefined): End {
  const [name = '', ...options] = value.split(',')
  const folder = options.find((option) => /^(chdir|cd)=/.test(option))?.replace(/^[^=]*=/, '')
  const path = folder === undefined ? name : `${folder}/${name}`
  const forms: readonly Form[] = [[{ kind: 'text', text: path }, ...(options.length === 0 ? rest : [])]]
  const [file] = namedFiles({ source, forms, splits: false }, cwd)
  return file === undefined ? { kind: 'other' } : { kind: 'file', file }
}
