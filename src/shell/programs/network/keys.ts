import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { decodeBase64 } from '../../words/decode.ts'
import { exactText, type Word } from '../../words/words.ts'
import { LOADS_CODE } from '../packages/acts.ts'
import type { ProgramTable } from '../program.ts'
import { LISTEN } from './acts.ts'
import { fetched, sent } from './net.ts'

const letters = (text: string, mark = ''): readonly string[] => [...text].map((letter) => `${letter}${mark}`)
const KEYGEN = [...letters('abCDEFfIiJjKMmNnOoPRrSsTtVWwYZz', '='), ...letters('AcBeghHklLpqQuUvxXy')].join(
  ' ',
)
const ADD = [...letters('EeHhSstT', '='), ...letters('cCDdkKLlqvXx')].join(' ')
/** Where systems keep the libraries of smart cards. */
const INSTALLED = /^(?:\/(?:usr|lib|lib64|opt|Library|nix)\/|[\w.-]+$)/

function loadsLibrary(libraries: readonly Word[]) {
  return libraries.some((word) => !INSTALLED.test(exactText(word) ?? '/?')) ? [LOADS_CODE] : []
}

const NMAP = 'script= script-args= script-args-file= interactive datadir= servicedb='

/** Keys, certificates and what is known of other machines. */
export const KEY_PROGRAMS: ProgramTable = {
  // `ssh-keygen -D library`: the keys of a smart card, by way of its library.
  'ssh-keygen': {
    does: ({ command }) => loadsLibrary(valuesOf(readOptions(command.args, KEYGEN), 'D', 'w')),
    files: { operands: 'metadata' },
  },
  'ssh-add': {
    does: ({ command }) => loadsLibrary(valuesOf(readOptions(command.args, ADD), 's', 'S')),
    files: { operands: 'metadata' },
  },
  'ssh-copy-id sshfs': { files: { keys: /^-[ioFE]/ } },
  // Scripts of its own have plain names; `--interactive` of old versions opens a shell.
  nmap: {
    does: ({ command }) => {
      // `-oN file` and its like are no bundles.
      const words = command.args.filter((word) => /^--/.test(word.source) || !word.source.startsWith('-'))
      const read = readOptions(words, NMAP)
      const scripts = valuesOf(read, 'script', 'datadir').some((word) => /[/~]/.test(exactText(word) ?? '/'))
      return isSet(read, 'interactive') || scripts ? [LOADS_CODE] : []
    },
  },
  openssl: {
    does: ({ command }) => {
      const words = command.args.map((word) => exactText(word))
      if (words[0] === 's_server') return [LISTEN, sent(undefined, 'input'), fetched(undefined, 'output')]
      if (words[0] !== 's_client') return []
      const at = words.findIndex((word) => /^--?(connect|host)$/.test(word ?? ''))
      const host = words[at + 1]?.replace(/:\d+$/, '')
      return at < 0 ? [] : [sent(host, 'input'), fetched(host, 'output')]
    },
    files: {
      operands: 'read',
      keys: /^-(key|inkey|CAkey|sign|signkey|keyform|CA)$/,
      onlyAsks: (words) =>
        words.includes('-pubout') || (words.includes('-noout') && !words.includes('-text')),
    },
    filters: {
      options: (args) =>
        /^(enc )?-?(base64 (-A )?-d|-d -base64|base64 -d -A|-base64 -d)( -A)?$/.test(args.join(' ')),
      change: decodeBase64,
    },
    passesOn: true,
    decodes: (words) => words.includes('-d') && /^(?:enc|base64|aes|des|bf)/.test(words[0] ?? ''),
  },
}
