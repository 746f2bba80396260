import type { Example, GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactText } from '../../../../shell/words/words.ts'
import { commandsOf, detector, shellGuard } from '../../shell-guard.ts'

/** The passing examples are tool calls, because plain commands would be tested under `sudo` too. */
const call = (command: string): Example => ({ tool: 'Bash', input: { command } })

export const sudo = shellGuard({
  id: 'safety/privilege/sudo',
  title: 'Running a command as root',
  why: 'As root, a small mistake can change or delete anything on the machine.',
  instead: 'run it with normal permissions, inside the project. If it needs root, let the user run it.',
  modes: { standard: 'off', strict: 'ask', paranoid: 'ask' },
  examples: {
    stops: [
      'sudo apt-get install nginx',
      'sudo -u root ls',
      'sudo -n systemctl restart nginx',
      'doas ls',
      'pkexec ls',
      "su -c 'ls'",
      "su root -c 'ls'",
      'echo x | sudo tee /srv/project/x',
      'echo sudo | sh; sudo id',
      'run0 ls',
    ],
    passes: [
      call('ls'),
      call('sudo -l'),
      call('sudo --version'),
      call('sudo -v'),
      call('man sudo'),
      call('which sudo'),
      call('echo "sudo rm"'),
      call('grep -rn sudo docs'),
      call('git commit -m "no sudo any more"'),
      call('su --help'),
    ],
  },
  mentions: /\b(sudo|doas|pkexec|su|run0)\b/,
  maybe: 'may run as root',
  detectors: [detector(commandsOf(new Set(['sudo', 'doas', 'pkexec', 'su', 'run0'])), judge)],
})

const ONLY_LOOKS = /^(-[lvVhKk]|--(list|validate|version|help|remove-timestamp|reset-timestamp))$/

function judge(command: SimpleCommand): GuardMatch | null {
  if (ONLY_LOOKS.test(exactText(command.args[0]) ?? '')) return null
  return { caught: 'runs as another user', fragment: command.fragment }
}
