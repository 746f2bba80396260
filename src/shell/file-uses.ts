import { eachWord, wordList, wordSet } from '../core/word-list.ts'

/** Options by which a program is given a file to use: what is in it is not shown. */

const SSH = /^-[ioFE]/

/** A key or the like, by the options of programs whose letters say nothing of it. */
export const KEY_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ...eachWord('ssh scp sftp mosh ssh-copy-id autossh sshfs rsync', SSH),
  ['rsync', /^(-[a-zA-Z]*e|--rsh)$/],
  ['curl', /^(-E|--netrc-file)$/],
  ['openssl', /^-(key|inkey|CAkey|sign|signkey|keyform|CA)$/],
  ['helm', /^--kube-token$/],
  ['age', /^-i$/],
])

/** Programs that show what they are given, whatever they call it. */
export const PRINTERS = new Set(['sort', 'cat', 'tar', 'zip', 'cp', 'mv'])

/** Programs made to load settings for others. */
export const LOADERS = wordList('dotenv dotenv-cli dotenvx env-cmd godotenv foreman honcho overmind heroku')

export const LOADS: ReadonlyMap<string, RegExp> = new Map([
  ...eachWord(
    'docker podman nerdctl docker-compose',
    /^(?:-v|--volume|--mount|--secret|-f|--file|--config)$/,
  ),
  ...eachWord('kubectl oc k3s', /^(?:-f|--filename|--from-file|-k)$/),
  ['helm', /^(?:-f|--values|--set-file)$/],
  ...LOADERS.map((name) => [name, /^-[ef]$/] as const),
  ...eachWord('terraform tofu', /^-(?:var-file|backend-config)$/),
  ['gh', /^(?:-f|--env-file)$/],
])

export const MAY_ASK = wordSet('grep egrep fgrep rg diff cmp cut awk gawk sed openssl')

/** Of such a file only the names of the settings are shown, or whether something is there. */
export function asksWithoutShowing(program: string, words: readonly string[]): boolean {
  if (!MAY_ASK.has(program)) return false
  const line = words.join(' ')
  switch (program) {
    case 'grep':
    case 'egrep':
    case 'fgrep':
      // After a letter that takes a value the rest of the word is that value.
      return words.some((word) =>
        /^-[^efmABCdD-]{0,12}[cqlL]|^--(?:quiet|silent|count|files-with)/.test(word),
      )
    case 'rg':
      return words.some((word) => /^-[^efgmABCtTrjMEd-]{0,12}[cql]|^--(?:quiet|count|files-with)/.test(word))
    case 'diff':
      return words.some((word) => /^-[a-zA-Z]{0,8}q|^--brief$/.test(word))
    case 'cmp':
      return words.some((word) => /^(?:-s|--quiet|--silent)$/.test(word))
    case 'cut':
      return /(?:^| )-d ?["']?=/.test(line) && /(?:^| )-f ?1(?: |$)/.test(line)
    case 'awk':
    case 'gawk':
      return /(?:^| )-F ?["']?=/.test(line) && words.some((word) => /^\{\s*print \$1;?\s*\}$/.test(word))
    case 'sed':
      return words.some((word) => /^s([/|#,])=\.\*\$?\1\1g?$/.test(word))
    case 'openssl':
      return words.includes('-pubout') || (words.includes('-noout') && !words.includes('-text'))
    default:
      return false
  }
}
