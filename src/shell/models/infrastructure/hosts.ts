import { optionTable } from '../../arguments/options.ts'
import { type Certainty, certainly, type VerbCall, type VerbProgram, valueIs } from '../../arguments/verbs.ts'
import { exactTexts, type Word } from '../../words/words.ts'
import { PLAYBOOK, REMOTE_COMMAND } from './acts.ts'

const ANSIBLE = optionTable(`
  i|inventory= l|limit= m|module-name= a|args= e|extra-vars= u|user= t|tags= skip-tags= f|forks= private-key=
  key-file= become-user= become-method= c|connection= T|timeout= vault-password-file= vault-id= M|module-path=
  start-at-task= b|become K k v D|diff C|check syntax-check list-hosts list-tasks list-tags h|help version
  flush-cache step
`)
const ONLY_LOOKS = ['help', 'version', 'check', 'syntax-check', 'list-hosts', 'list-tasks', 'list-tags']

/** Programs that change many machines at once. */
export const INFRASTRUCTURE_HOSTS: ReadonlyMap<string, VerbProgram> = new Map<string, VerbProgram>([
  [
    'ansible',
    {
      options: ANSIBLE,
      inert: ONLY_LOOKS,
      rules: [
        {
          verbs: '',
          act: REMOTE_COMMAND,
          when: ({ read }) => certainly(valueIs(read, DESTRUCTIVE, 'args') === 'yes'),
        },
        { verbs: '', act: PLAYBOOK, when: changesHosts },
      ],
    },
  ],
  [
    'salt',
    {
      options: ANSIBLE,
      rules: [{ verbs: '*', act: REMOTE_COMMAND, when: ({ rest }) => someText(rest, DESTRUCTIVE) }],
    },
  ],
  ['ansible-playbook', { options: ANSIBLE, inert: ONLY_LOOKS, rules: [{ verbs: '*', act: PLAYBOOK }] }],
])

function changesHosts({ read }: VerbCall): Certainty {
  const looks = valueIs(
    read,
    /^(ping|setup|debug|stat|gather_facts|ansible\.builtin\.(ping|setup|debug|stat))$/,
    'module-name',
  )
  return certainly(looks !== 'yes')
}

/** Words of a command for other machines that delete or stop something there. */
const DESTRUCTIVE =
  /(^|[\s;&|/])(rm|rmdir|mkfs[.\w]*|dd|wipefs|shred|reboot|shutdown|poweroff|halt|userdel|kill|pkill|killall|drop|truncate)(\s|$)|\bsystemctl\s+(stop|disable|mask)\b|\bstate=(absent|stopped)\b|\bdocker\s+(rm|system prune|volume rm)\b/i

function someText(words: readonly Word[], pattern: RegExp): Certainty {
  return certainly(words.some((word) => exactTexts(word).some((text) => pattern.test(text))))
}
