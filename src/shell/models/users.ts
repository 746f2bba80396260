import { wordList } from '../../core/word-list.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { exactText } from '../words/words.ts'
import type { Model, ModelCases } from './model.ts'
import { STOP_SERVICE } from './services/acts.ts'

/** Accounts and groups of the machine. */
export const users: Model = {
  programs: wordList(`
    useradd adduser userdel deluser usermod groupadd addgroup groupdel delgroup groupmod gpasswd passwd
    chpasswd chsh chfn chage visudo vipw newusers dscl dseditgroup sysadminctl net
  `),
  effects({ name, command }) {
    const looks = LOOKS.get(name)
    if (name === 'net' && /^stop$/i.test(exactText(command.args[0]) ?? '')) return [STOP_SERVICE]
    const words = command.args.map((word) => exactText(word) ?? '')
    if (words.some((word) => word === '--help' || word === '--version')) return []
    return looks?.(words) === true ? [] : [CHANGE_USERS]
  },
}

const CHANGED = 'system-change system/users'

export const cases: ModelCases = [
  ['useradd -m deploy', CHANGED],
  ['useradd -D'],
  ['useradd --help'],
  ['adduser deploy sudo', CHANGED],
  ['userdel -r deploy', CHANGED],
  ['deluser deploy', CHANGED],
  ['usermod -aG sudo dev', CHANGED],
  ['groupadd docker', CHANGED],
  ['addgroup docker', CHANGED],
  ['groupdel docker', CHANGED],
  ['delgroup docker', CHANGED],
  ['groupmod -n a b', CHANGED],
  ['gpasswd -d dev docker', CHANGED],
  ['passwd root', CHANGED],
  ['passwd -S root'],
  ['passwd --status'],
  ['echo root:x | chpasswd', CHANGED],
  ['chsh -s /bin/zsh', CHANGED],
  ['chsh -l'],
  ['chfn -f Dev', CHANGED],
  ['chage -l dev'],
  ['chage -M 99999 dev', CHANGED],
  ['visudo', CHANGED],
  ['visudo -c'],
  ['vipw', CHANGED],
  ['newusers list.txt', CHANGED],
  ['dscl . -list /Users'],
  ['dscl . -create /Users/dev', CHANGED],
  ['dseditgroup -o read admin'],
  ['dseditgroup -o edit -a dev -t user admin', CHANGED],
  ['sysadminctl -addUser deploy', CHANGED],
  ['sysadminctl -screenLock status'],
  ['net user'],
  ['net user deploy x /add', CHANGED],
  ['net localgroup administrators deploy /add', CHANGED],
  ['net use'],
  ['net stop spooler', 'system-change system/stop-service'],
]

const CHANGE_USERS: ActEffect = {
  kind: 'system-change',
  act: 'system/users',
  what: 'changes who may use this machine, and how they get in',
}

/** What only shows something, by program; one that is not here always changes something. */
const LOOKS: ReadonlyMap<string, (words: readonly string[]) => boolean> = new Map([
  ['useradd', (words) => words.length === 1 && /^(-D|--defaults)$/.test(words[0] ?? '')],
  ['passwd', (words) => words.some((word) => /^(-[a-z]*S[a-z]*|--status)$/.test(word))],
  ['chage', (words) => words.some((word) => /^(-l|--list)$/.test(word))],
  ['chsh', (words) => words.some((word) => /^(-l|--list-shells)$/.test(word))],
  ['visudo', (words) => words.some((word) => /^(-[a-z]*c[a-z]*|--check|-V)$/.test(word))],
  ['dscl', (words) => !words.some((word) => DSCL_WRITES.test(word))],
  ['dseditgroup', (words) => !/ (edit|create|delete)( |$)/.test(` ${words.join(' ')}`)],
  [
    'sysadminctl',
    (words) => !words.some((word) => /^-(add|delete|reset|new|admin|secureToken|auto)/i.test(word)),
  ],
  ['net', (words) => !/^(user|localgroup|group|accounts)$/i.test(words[0] ?? '') || words.length < 3],
])
const DSCL_WRITES = /^-?(create|append|merge|delete|change|passwd|authonly|mv|cp)$/
