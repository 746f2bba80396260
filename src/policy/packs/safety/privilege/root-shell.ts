import type { GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { commandsIn, commandsOf, detector, shellGuard } from '../../shell-guard.ts'
import { opensOtherShell, SHELL_OPENERS } from './root-shells.ts'

export const rootShell = shellGuard({
  id: 'safety/privilege/root-shell',
  title: 'Opening a shell as another user',
  why: 'Every command in that shell runs with other permissions, mostly as root, and guards cannot see those commands.',
  instead: 'run only the command that needs it, for example `sudo systemctl restart nginx`.',
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
  mentions: /\b(sudo|su|doas|pkexec)\b/,
  maybe: 'may open a shell as another user',
  detectors: [
    detector(commandsOf(SHELL_OPENERS), (command, { event, facts }) =>
      opensOtherShell(command, commandsIn(event, facts)) ? caught(command) : null,
    ),
  ],
})

function caught(command: SimpleCommand): GuardMatch {
  return {
    caught: 'opens a shell in which all following commands run as another user',
    fragment: command.fragment,
    detail: { via: [...command.via] },
  }
}
