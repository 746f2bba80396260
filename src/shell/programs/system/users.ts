import { exactText } from '../../words/words.ts'
import type { Program, ProgramTable } from '../program.ts'
import { CHANGE_USERS } from './acts.ts'

/** A program that changes accounts, unless its words only ask it to show something. */
function changing(looks: (words: readonly string[]) => boolean = () => false): NonNullable<Program['does']> {
  return ({ command }) => {
    const words = command.args.map((word) => exactText(word) ?? '')
    const asks = words.some((word) => word === '--help' || word === '--version')
    return asks || looks(words) ? [] : [CHANGE_USERS]
  }
}

const some = (pattern: RegExp) => (words: readonly string[]) => words.some((word) => pattern.test(word))
const none = (pattern: RegExp) => (words: readonly string[]) => !words.some((word) => pattern.test(word))

/** Accounts and groups of the machine. */
export const USERS: ProgramTable = {
  'adduser userdel deluser addgroup groupdel delgroup groupmod gpasswd chpasswd chfn vipw newusers': {
    does: changing(),
  },
  'usermod groupadd': { does: changing(), files: { ownLetters: true } },
  useradd: {
    does: changing((words) => words.length === 1 && /^(-D|--defaults)$/.test(words[0] ?? '')),
    files: { ownLetters: true },
  },
  passwd: { does: changing(some(/^(-[a-z]*S[a-z]*|--status)$/)) },
  chage: { does: changing(some(/^(-l|--list)$/)) },
  chsh: { does: changing(some(/^(-l|--list-shells)$/)) },
  visudo: { does: changing(some(/^(-[a-z]*c[a-z]*|--check|-V)$/)) },
  dscl: { does: changing(none(/^-?(create|append|merge|delete|change|passwd|authonly|mv|cp)$/)) },
  dseditgroup: { does: changing((words) => !/ (edit|create|delete)( |$)/.test(` ${words.join(' ')}`)) },
  sysadminctl: { does: changing(none(/^-(add|delete|reset|new|admin|secureToken|auto)/i)) },
  getent: { credentials: [['the passwords of the system', /^(g?shadow)\b/]] },
}

/** Windows: `net user deploy x /add`. */
export const changesWindowsUsers = changing(
  (words) => !/^(user|localgroup|group|accounts)$/i.test(words[0] ?? '') || words.length < 3,
)
