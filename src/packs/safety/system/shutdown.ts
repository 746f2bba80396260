import { actGuard } from '../../act-guard.ts'

export const shutdown = actGuard({
  id: 'safety/system/shutdown',
  title: 'Stopping the machine',
  why: 'It ends the session and whatever else runs on the machine.',
  instead: 'stop only the process you started, by its number (`kill 4242`), or ask the person.',
  keywords: ['kill', 'systemctl', 'shutdown', 'reboot', 'halt', 'poweroff', 'init'],
  acts: ['system/shutdown', 'system/kill-all'],
  mentions: /\b(shutdown|reboot|poweroff|halt|kill)\b/,
  maybe: 'may stop the machine or everything on it',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'shutdown -h now',
      'reboot',
      'poweroff --force',
      'systemctl reboot -i',
      'init 0',
      'kill -9 -1',
      'killall -u dev',
      'sleep 5; halt',
      'r$(echo eboot)',
    ],
    passes: [
      'shutdown -c',
      'reboot --help',
      'systemctl status nginx',
      'kill -9 4242',
      'pkill -f vite',
      'echo reboot',
      'man shutdown',
      'grep -n reboot notes.md',
    ],
  },
})
