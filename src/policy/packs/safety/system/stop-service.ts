import type { GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactText } from '../../../../shell/words/words.ts'
import { actGuard } from '../../act-guard.ts'
import { commandsIn, detector } from '../../shell-guard.ts'

export const stopService = actGuard({
  id: 'safety/system/stop-service',
  title: 'Stopping a system service',
  why: 'Other people and programs may be using the service, and a disabled service does not start again on its own.',
  instead:
    'check its state (`systemctl status nginx`), restart it if that is enough, or let the user stop it.',
  acts: ['system/stop-service'],
  mentions: /\b(systemctl|service|launchctl|rc-service|supervisorctl)\b/,
  maybe: 'may stop a service',
  also: [detector(commandsIn, stopsByScript)],
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'systemctl stop nginx',
      'systemctl disable --now sshd',
      'systemctl --no-pager mask firewalld',
      'systemctl kill -s KILL postgresql',
      'service postgresql stop',
      'rc-service nginx stop',
      'update-rc.d nginx disable',
      'chkconfig sshd off',
      '/etc/init.d/nginx stop',
      'supervisorctl stop all',
      'launchctl unload -w /Library/LaunchDaemons/com.example.app.plist',
      'launchctl bootout system/com.example.app',
      'S=nginx; systemctl stop "$S"',
    ],
    passes: [
      'systemctl status nginx',
      'systemctl restart nginx',
      'systemctl reload nginx',
      'systemctl start docker',
      'systemctl daemon-reload',
      'systemctl --user stop app',
      'systemctl list-units --state=failed',
      'systemctl is-active stop',
      'systemctl stop --help',
      '/etc/init.d/nginx status',
      'service nginx status',
      'service nginx restart',
      'launchctl list',
      'launchctl print system',
      'supervisorctl status',
      'journalctl -u nginx --since today',
      'docker stop web',
      'npm stop',
    ],
  },
})

/** `/etc/init.d/nginx stop`: the program has the name of the service. */
function stopsByScript({ word, args, fragment }: SimpleCommand): GuardMatch | null {
  if (!/^\/etc\/(rc\.d\/)?init\.d\//.test(exactText(word) ?? '') || exactText(args[0]) !== 'stop') return null
  return { caught: 'stops a service that others may be using', fragment }
}
