import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { caughtEffect } from '../../../analysis/effects-of.ts'
import { inCommand } from '../../../analysis/topics.ts'
import { detector, onTopics, shellGuard } from '../../shell-guard.ts'
import { isTemporary } from '../files/protected-paths.ts'
import { type RightsChange, rightsChanges } from './rights-changes.ts'

/** Files that every user of the machine may change. System files are handled by `take-over`. */
export const openUp = shellGuard({
  id: 'safety/permissions/open-up',
  title: 'Making files writable for every user',
  why: 'Any program of any user can then change what you run, and the old permissions are not recorded anywhere.',
  instead: 'add only the missing permission (`chmod u+x run.sh`, `chmod -R u+rwX storage`).',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'chmod 777 deploy.sh',
      'chmod -R 777 .',
      'chmod -R 0777 storage',
      'chmod 777 -R node_modules',
      'chmod --recursive a+rwx ~/data',
      'chmod a+rwx run.sh',
      'chmod ugo+rwx run.sh',
      'chmod -R o+w src',
      'chmod -R 666 config',
      'sudo chmod 777 /srv/data',
      'find . -type f -exec chmod 666 {} +',
      'find . -type d | xargs chmod 777',
      'setfacl -R -m o::rwx .',
      'chmod -R "$MODE" src',
      'chmod 644 ~/.ssh/id_rsa',
      'chmod 777 deploy.sh "',
      "chmod +a 'everyone allow write' deploy.sh",
    ],
    passes: [
      'chmod +x run.sh',
      'chmod u+x run.sh',
      'chmod 755 run.sh',
      'chmod 644 a.txt',
      'chmod -R 755 dist',
      'chmod -R u+rwX,go-w .',
      'chmod 600 ~/.ssh/id_ed25519',
      'chmod 700 ~/.ssh',
      'chmod go-w file.txt',
      'chmod o-rwx secrets',
      'chmod 777 /tmp/x',
      'chmod -R 777 /tmp/cache',
      'chmod 666 a.txt',
      'chmod 644 ~/.ssh/id_rsa.pub',
      'chmod g+s shared',
      'chmod --help',
      'find . -name "*.sh" -exec chmod +x {} +',
      'docker run --rm alpine chmod -R 777 /data',
      'git update-index --chmod=+x run.sh',
      'stat -c %a run.sh',
      "chmod +a 'www allow read' storage",
    ],
  },
  mentions: /^(?=.*\bchmod\b)(?=.*(777|666|\+\w*w))/s,
  maybe: 'may make files writable for every user',
  detectors: [detector(onTopics([inCommand('permissions/')], rightsChanges), judge)],
})

function judge({ found, effect, files, ground }: RightsChange, { facts }: GuardInput): GuardMatch | null {
  if (effect.act === 'permissions/show') return caughtEffect(found, effect.what, facts.home)
  const all = effect.act === 'permissions/open-all'
  if (!all && effect.act !== 'permissions/open') return null
  const wide = files.filter((file) => file.effect.recursive === true || (all && effect.unsure === undefined))
  const opened = wide.some(({ targets }) =>
    targets.some(({ paths }) => paths.length === 0 || paths.some((path) => !isTemporary(path, ground))),
  )
  return opened ? caughtEffect(found, effect.what, facts.home) : null
}
