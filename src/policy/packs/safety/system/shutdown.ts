import type { GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { textWithHoles } from '../../../../shell/words/words.ts'
import { actGuard } from '../../act-guard.ts'
import { commandsOf, detector } from '../../shell-guard.ts'

export const shutdown = actGuard({
  id: 'safety/system/shutdown',
  title: 'Shutting down the machine',
  why: 'It ends the session and everything else that runs on the machine.',
  instead: 'stop only the process that you started, by its id (`kill 4242`).',
  acts: ['system/shutdown', 'system/kill-all'],
  mentions: /\b(shutdown|reboot|poweroff|halt|kill)\b/,
  maybe: 'may shut down the machine or stop everything on it',
  also: [detector(commandsOf(new Set(['osascript'])), asksTheDesktop)],
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
      'kill -s 9 -1',
      'loginctl terminate-user dev',
      'ipmitool chassis power off',
      'osascript -e \'tell app "System Events" to shut down\'',
    ],
    passes: [
      'shutdown -c',
      'reboot --help',
      'systemctl status nginx',
      'kill -9 4242',
      'pkill -f vite',
      'echo reboot',
      'kill -HUP 4242',
      'osascript -e \'tell app "Finder" to activate\'',
      'man shutdown',
      'grep -n reboot notes.md',
    ],
  },
})

/** On macOS, the desktop is controlled by scripts in words. */
function asksTheDesktop({ inline, fragment }: SimpleCommand): GuardMatch | null {
  if (inline?.language !== 'applescript') return null
  const asked = inline.code.some((form) =>
    /\bto\s+(shut down|restart|log out|sleep)\b/i.test(textWithHoles(form)),
  )
  return asked ? { caught: 'shuts down or restarts the whole machine', fragment } : null
}
