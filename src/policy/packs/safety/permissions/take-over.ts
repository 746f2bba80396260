import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { isInside } from '../../../../shell/words/paths.ts'
import { caughtEffect } from '../../../analysis/effects-of.ts'
import { inCommand } from '../../../analysis/topics.ts'
import { detector, onTopics, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { fileLoss, treeLoss } from '../files/losses.ts'
import type { FileTarget } from '../files/targets.ts'
import { type RightsChange, rightsChanges } from './rights-changes.ts'

/** Permissions and owners of system folders, home folders and the whole file system. */
export const takeOver = shellGuard({
  id: 'safety/permissions/take-over',
  title: 'Changing permissions of a system or home folder',
  why: 'Programs and logins that depend on the old permissions stop working, and the old permissions are not recorded anywhere.',
  instead:
    'change only the file you mean, inside the project (`chmod u+rw notes.txt`). Let the user change anything else.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'chmod -R 777 /',
      'chmod -R 000 /',
      'chmod --rec 000 /',
      'chmod -R --reference --help /',
      'chmod -R 755 /usr',
      'chmod 777 /etc',
      'chmod 666 /etc/shadow',
      'chmod 000 /etc/passwd',
      'chmod -R 700 /var',
      'chmod -R 777 ~',
      'chmod -R 000 .',
      'chmod a+rwx ~/.ssh/id_ed25519',
      'chown -R dev /',
      'sudo chown -R dev:dev /etc',
      'chown -R dev /usr/*',
      'chown nobody /etc/passwd',
      'chgrp -R staff /usr/lib',
      'chown -R root ~',
      'find / -type f -exec chmod 666 {} \\;',
      "find / -exec chmod 000 '{}' +",
      'cd / && chmod -R 777 *',
      'chattr -R +i /etc',
      'chattr -i /etc/passwd',
      'chmod -x /bin/ls',
      'find / -perm -4000 -exec chmod u-s {} +',
      'chflags -R nouchg /System',
      'icacls C:/ /grant Everyone:F /T',
      'setfacl -R -m u:dev:rwx /etc',
      'chmod -R 777 / "',
      "chmod +a 'everyone allow write' /etc/hosts",
    ],
    passes: [
      'chmod -R 755 dist',
      'chmod 755 .',
      'chmod -R 755 .',
      'chmod +x run.sh',
      'chmod 644 /etc/hosts',
      'chmod 600 ~/.ssh/config',
      'chmod 700 ~/.ssh',
      'chmod -R go-rwx ~',
      'chmod -R u=rwX,go= ~/.ssh',
      'chmod -R 700 ~/.ssh',
      'sudo chown -R $USER:$USER .',
      'sudo chown -R dev node_modules ~/.npm ~/.config',
      'chown root:root /etc/app.conf',
      'chown -R dev /usr/local/lib/node_modules',
      'chmod 755 /usr/local/bin/tool',
      'chown -R www-data /var/www/site',
      'chmod -R 777 /tmp/x',
      'chown --help',
      'docker run --rm alpine chown -R 1000 /etc',
      'chmod -x run.sh',
      'ls -ld /etc',
      'lsattr /etc/passwd',
      'getfacl -R .',
      "chmod +a 'everyone deny delete' notes.txt",
    ],
  },
  mentions: /^(?=.*\b(chmod|chown|chgrp)\b)(?=.*(\s\/|~))/s,
  maybe: 'may change the permissions of a system folder',
  detectors: [detector(onTopics([inCommand('permissions/')], rightsChanges), judge)],
})

function judge(change: RightsChange, { facts }: GuardInput): GuardMatch | null {
  const { found, effect, files } = change
  if (effect.act === 'permissions/setuid') return null
  return strongest(files, (file) =>
    strongest(file.targets, (target) => {
      const whole = file.effect.recursive === true || file.effect.narrowed === true
      const loss = whole ? treeChanged(target, change) : fileChanged(target, change)
      if (loss === undefined || (file.effect.narrowed === true && !loss.system)) return null
      const caught = caughtEffect(found, `${effect.what}: ${loss.what}`, facts.home)
      const part = file.effect.narrowed === true ? 'only part of it would be changed' : undefined
      const doubt = loss.unsure ?? file.effect.unsure ?? part
      return doubt === undefined ? caught : { ...caught, unsure: doubt }
    }),
  )
}

const OPENS_OR_CLOSES = /^permissions\/(open|open-all|close)$/

/** Changing the owner of a project is normal. Locking a project, or opening a whole home folder, is not. */
function treeChanged(target: FileTarget, { effect, ground }: RightsChange) {
  const loss = treeLoss(target, ground)
  if (loss === undefined || (target.paths.length === 0 && target.pattern.length === 0)) return undefined
  if (effect.act === 'permissions/tighten' && !loss.system) return undefined
  const own = target.paths.some((path) => ground.projects.includes(path))
  // `sudo` leaves files of root in a home folder, and changing their owner back repairs that.
  const given =
    effect.act === 'permissions/owner' && target.paths.every((path) => isBelow(path, ground.homes))
  return given || (own && effect.act !== 'permissions/close') ? undefined : loss
}

/** A single file: its owner, and whether every user or no user may use it. */
function fileChanged(target: FileTarget, { effect, ground }: RightsChange) {
  if (/\/(change|tighten)$/.test(effect.act) || effect.unsure !== undefined) return undefined
  const loss = fileLoss(target, ground)
  if (loss !== undefined) return loss
  if (!OPENS_OR_CLOSES.test(effect.act)) return undefined
  const whole = treeLoss(target, ground)
  return whole?.system === true ? whole : undefined
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path !== folder && isInside(path, folder))
}
