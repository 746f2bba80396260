import type { SimpleCommand } from '../../../shell/command.ts'
import type { Caught, Guard } from '../../guard.ts'
import { shellOf, unreadable } from '../../shell-of.ts'
import { strongest } from '../../strongest.ts'
import { opensOtherShell } from './root-shells.ts'

export const rootShell: Guard = {
  id: 'safety/privilege/root-shell',
  title: 'Opening a shell as another user',
  why: 'Everything typed into it runs with other rights, mostly with all, and no rule sees what that is.',
  instead: 'run the one command that needs it, such as `sudo systemctl restart nginx`.',
  on: ['PreToolUse'],
  match: 'Bash',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'sudo -i',
      'sudo -s',
      'sudo -nE --login',
      'sudo -u root -s',
      'sudo su',
      'sudo su - root',
      'su',
      'su -',
      'su -l root',
      'sudo bash',
      'sudo -E /bin/zsh -l',
      'sudo env HOME=/root bash --norc',
      'doas -s',
      'doas sh',
      'pkexec /bin/sh',
      'pkexec bash -i',
      'runuser -l root',
      'machinectl shell',
      'sudo s""u',
      'chroot /mnt /bin/bash',
      'sudo -s 2>/dev/null',
      'sudo -iu postgres',
      'su - postgres',
      'sudo -u dev bash',
      'sudo chroot /mnt',
      'sudo script -q /dev/null',
      'run0',
    ],
    passes: [
      'sudo ls /root',
      'sudo -l',
      'sudo -v',
      'sudo -u postgres psql',
      'sudo -i ls',
      'sudo bash scripts/install.sh',
      "sudo bash -c 'apt-get update'",
      "sudo sh -c 'echo hi'",
      "su - postgres -c 'psql -l'",
      'su --help',
      'sudo chroot /mnt ls',
      'sudo -u dev npm test',
      'runuser -u dev ls',
      'doas ls',
      'pkexec ls',
      'sudo docker exec -it web bash',
      'sudo --version',
      'sudo systemctl restart nginx',
      'chroot /mnt ls',
      'chroot --help',
      'bash -n script.sh',
    ],
  },
  check({ event, facts }) {
    const analysis = shellOf(event, facts)
    if (!analysis.judged) {
      return unreadable(event, analysis.why, /\b(sudo|su|doas|pkexec)\b/, 'may open a shell as another user')
    }
    const { commands } = analysis
    return strongest(commands, (command) => (opensOtherShell(command, commands) ? caught(command) : null))
  },
}

function caught(command: SimpleCommand): Caught {
  return {
    caught: 'opens a shell in which everything that follows runs with the rights of another user',
    fragment: command.fragment,
    detail: { via: [...command.via] },
  }
}
