import type { SimpleCommand } from '../../../shell/command.ts'
import { textWithHoles } from '../../../shell/words.ts'
import { actGuard } from '../../act-guard.ts'
import type { Caught } from '../../guard.ts'
import { commandsOf, look } from '../../shell-guard.ts'

export const shutdown = actGuard({
  id: 'safety/system/shutdown',
  title: 'Stopping the machine',
  why: 'It ends the session and whatever else runs on the machine.',
  instead: 'stop only the process you started, by its number (`kill 4242`), or ask the person.',
  acts: ['system/shutdown', 'system/kill-all'],
  mentions: /\b(shutdown|reboot|poweroff|halt|kill)\b/,
  maybe: 'may stop the machine or everything on it',
  also: [look(commandsOf(new Set(['osascript'])), asksTheDesktop)],
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

/** On a Mac the desktop is asked in words. */
function asksTheDesktop({ inline, fragment }: SimpleCommand): Caught | null {
  if (inline?.language !== 'applescript') return null
  const asked = inline.code.some((form) =>
    /\bto\s+(shut down|restart|log out|sleep)\b/i.test(textWithHoles(form)),
  )
  return asked ? { caught: 'stops or restarts the whole machine', fragment } : null
}
