import { isCommand } from '../../../../shell/vocabulary/command.ts'
import { exactText } from '../../../../shell/words/words.ts'
import { patternGuard } from './command-guard.ts'

const BECOMES_ROOT = /^(?:sudo|doas|pkexec|run0|su)\b/

/** Any `rm` that runs as another user. */
export const sudoRm = patternGuard({
  id: 'collective/block-destructive-commands/sudo-rm',
  title: 'Deleting with sudo rm',
  why: 'A file that only root can delete belongs to the system or to another user.',
  instead: 'delete your own files without `sudo`, or let the user delete it.',
  mentions: /\brm\b/,
  maybe: 'may delete files as root',
  examples: {
    stops: [
      'sudo rm file',
      'sudo -n rm file',
      'sudo -u www-data rm file',
      'sudo -- rm -r folder',
      'sudo env X=1 rm file',
      "sudo sh -c 'rm file'",
      '/usr/bin/sudo rm file',
      'doas rm file',
      "su -c 'rm file'",
      'ls | sudo xargs rm',
      'sudo bash -c "cd /srv && rm file"',
      'pkexec rm file',
    ],
    passes: [
      'sudo ls',
      'sudo -l',
      'sudo apt-get install rm-improved',
      'sudo systemctl status rm',
      'echo sudo rm file',
      'git commit -m "no sudo rm"',
      'grep -rn "sudo rm" scripts',
      'ls # sudo rm file',
      'sudo rm --help',
      'npm run rm',
      'git rm file',
      'docker rm container',
    ],
  },
  find(command) {
    const is = isCommand(command, 'rm')
    if (is !== 'yes' || !command.via.some((way) => BECOMES_ROOT.test(way))) return undefined
    const isHarmless = command.args.some((word) => ['--help', '--version'].includes(exactText(word) ?? ''))
    return isHarmless ? undefined : { caught: 'deletes files as another user (sudo rm)' }
  },
})
