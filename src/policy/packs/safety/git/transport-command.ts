import { actGuard } from '../../act-guard.ts'

export const transportCommand = actGuard({
  id: 'safety/git/transport-command',
  title: 'Command hidden in a fetch or push',
  why: 'The option names the git program on the server. Git runs any other command that is given there.',
  instead:
    'leave the option out: `git fetch origin`. If git is in an unusual place on the server, let the user set the option.',
  acts: ['git/transport-command'],
  mentions: /upload-pack|receive-pack|--exec|ext::/i,
  maybe: "may run another command instead of git's transfer program",
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      "git fetch origin '--upload-pack=touch /tmp/x; git-upload-pack'",
      'git fetch --upload-pack ./x.sh origin',
      'git fetch --upload-p=./x.sh origin',
      "git clone -u 'sh -c id' example.com:x.git",
      'git ls-remote --exec=./x.sh example.com:x.git',
      'git pull --upload-pack=./x.sh origin main',
      'git push --receive-pack=./x.sh origin main',
      'git push --exec "sh -c id" origin main',
      "git clone 'ext::sh -c id' x",
      "git fetch 'ext::sh -c id' main",
      "git remote add x 'ext::sh -c id'",
      "git submodule add 'ext::sh -c id' vendor/x",
      'git fetch "--upload-pack=$X" origin',
    ],
    passes: [
      'git fetch origin',
      'git fetch --upload-pack=git-upload-pack origin',
      'git fetch --upload-pack=/opt/git/bin/git-upload-pack origin',
      "git push --receive-pack='git receive-pack' origin main",
      'git push -u origin main',
      'git clone https://example.com/x.git',
      'git clone -b topic --depth 1 git@example.com:x.git',
      'git pull -u origin main',
      'git ls-remote origin',
      'git remote add origin https://example.com/x.git',
      'git commit -m "ext::sh -c id is denied"',
      'git rebase --help',
    ],
  },
})
