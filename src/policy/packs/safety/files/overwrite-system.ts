import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { programOf } from '../../../../shell/programs/index.ts'
import { detector, shellGuard } from '../../shell-guard.ts'
import { strongest } from '../../strongest.ts'
import { changesIn, type FileChangeTarget } from './changes-in.ts'
import { isInProject, isSystemTree } from './protected-paths.ts'
import { groundOf, runsOn } from './targets.ts'

/** Writing into system folders, by any program or tool. Devices are handled by `safety/disk/device-write`. */
export const overwriteSystem = shellGuard({
  id: 'safety/files/overwrite-system',
  title: 'Changing a system file',
  why: 'A wrong system file can stop the machine from working or lock users out, and git has no copy of the old file.',
  instead:
    'keep your files in the project or below /usr/local, or show the change (`diff -u /etc/hosts hosts.new`) and let the user make it.',
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'ln -s /etc/passwd p && echo x > p',
      'echo x > /etc/passwd',
      'echo "127.0.0.1 x" >> /etc/hosts',
      'echo x | sudo tee -a /etc/sudoers',
      ': > /etc/shadow',
      '> /proc/sysrq-trigger',
      'echo x > /dev/tcp/../../etc/passwd',
      'cd /etc && echo x > hosts',
      'cp /tmp/evil.cron /etc/cron.d/evil',
      'cp -t /usr/bin tool',
      'install -m 755 tool /usr/bin/',
      'mv tool /usr/bin/ls',
      'ln -sf /tmp/x /usr/bin/python3',
      'sed -i s/a/b/ /etc/ssh/sshd_config',
      'dd if=/dev/zero of=/boot/vmlinuz',
      'truncate -s 0 /etc/fstab',
      'touch /bin/x',
      'curl -o /usr/bin/tool https://example.com/tool',
      'echo 1 > /proc/sys/kernel/panic',
      'echo mem > /sys/power/state',
      'sort -o /etc/group /etc/group',
      'ssh host "echo x > /etc/motd"',
      'echo x > /etc/$NAME',
      'tar cf /etc/backup.tar .',
      { tool: 'Write', input: { file_path: '/etc/hosts', content: 'x' } },
      { tool: 'Edit', input: { file_path: '/usr/lib/python3/x.py', old_string: 'a', new_string: 'b' } },
      {
        tool: 'apply_patch',
        input: { command: '*** Begin Patch\n*** Update File: /etc/hosts\n*** End Patch' },
      },
      'echo x > /etc/passwd "',
    ],
    passes: [
      'make test > /dev/null 2>&1',
      'echo x > out.txt',
      'echo x > /tmp/etc/passwd',
      'echo > /dev/tcp/127.0.0.1/5432',
      'echo x > /dev/stderr',
      'cp tool /usr/local/bin/',
      'cp tool /usr/local/bin',
      'ln -s /usr/bin/python3 ~/bin/python',
      'cp /etc/hosts ./hosts',
      'cat /etc/passwd | tee users.txt',
      'sed s/a/b/ /etc/hosts',
      'grep root /etc/passwd > roots.txt',
      'tar czf backup.tgz /etc/nginx',
      'dd if=/dev/zero of=disk.img bs=1M count=1',
      'echo 500 > /proc/self/oom_score_adj',
      'echo x > /dev/shm/x',
      'docker run --rm alpine sh -c "echo x > /etc/motd"',
      'sudo cp app.log /var/log/app.log',
      'vim /etc/hosts',
      { tool: 'Write', input: { file_path: '/srv/project/etc/hosts', content: 'x' } },
      { tool: 'Read', input: { file_path: '/etc/hosts' } },
      { tool: 'Edit', input: { file_path: 'src/etc.ts', old_string: '/etc/hosts', new_string: '/usr' } },
    ],
  },
  mentions: /^(?=.*(>|\b(tee|cp|mv|ln|dd|sed)\b))(?=.*\/(etc|usr|boot|bin)\b)/s,
  maybe: 'may change a system file',
  detectors: [detector(changesIn, judge)],
})

function judge(change: FileChangeTarget, { facts }: GuardInput): GuardMatch | null {
  const { command } = change
  if (command !== undefined && runsOn(command) === 'a container') return null
  // Unpacking over system files, and removing them, have separate guards.
  if (change.recursive && (programOf(command?.name)?.unpacks === true || takesAway(change))) return null
  const ground = groundOf(facts, command)
  return strongest(change.targets, (target) => {
    const path = target.paths.find((each) => isSystemPath(each) && !isInProject(each, ground))
    // Adding a package source is part of many installation guides. Installing from it has separate guards.
    if (path === undefined || target.paths.some((each) => REPOSITORIES.test(each))) return null
    const doubt = DROP_IN.test(path) ? 'it may or may not replace an existing file' : undefined
    return change.caught(
      `changes a system file (${path})`,
      doubt ?? (isCertain(path) ? undefined : target.unsure),
    )
  })
}

function takesAway({ command }: FileChangeTarget): boolean {
  return ['mv', 'trash', 'trash-put', 'gio'].includes(command?.name ?? '')
}

/** `/etc/$NAME` is a system file for any value of the name. */
function isCertain(path: string): boolean {
  return path.split('/').length > 2
}

/** Devices have a separate guard. Files in /var change every day. */
function isSystemPath(path: string): boolean {
  if (/^\/(usr\/local|dev)(\/|$)/.test(path)) return false
  if (/^\/proc\/(self|thread-self|\d+)\/(fd|oom_\w+|comm|coredump_filter|attr)\b/.test(path)) return false
  if (/^(\/private)?\/var\//.test(path)) return /^(\/private)?\/var\/(spool\/cron|lib\/dpkg)\//.test(path)
  return isSystemTree(path)
}

const REPOSITORIES =
  /^\/etc\/(apt\/(sources\.list\.d|keyrings|trusted\.gpg\.d)|yum\.repos\.d)\/[^/]+$|^\/usr\/share\/keyrings\/[^/]+$/

/** Folders that are meant for additional files. */
const DROP_IN =
  /^\/etc\/(apt\/preferences\.d|systemd\/(system|user)|nginx\/(sites-\w+|conf\.d)|logrotate\.d|udev\/rules\.d|sysctl\.d|docker)\//
