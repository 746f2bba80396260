import { spawn } from 'node:child_process'
import { isObject, textAt } from '../../core/json.ts'

/** What runs when a question begins to wait: the program of the policy, or the system's own notifications. */
export function notifierOf(
  notify: boolean | readonly string[],
  platform: string,
): ((title: string, text: string) => void) | undefined {
  if (notify === false) return undefined
  const own = notify === true ? SYSTEM[platform] : notify
  if (own === undefined) return undefined
  const [file = '', ...args] = own
  return (title, text) => {
    // Without a shell: the text comes from an agent.
    spawn(file, [...args, title, text], { stdio: 'ignore', detached: true })
      .on('error', () => {})
      .unref()
  }
}

const SYSTEM: Readonly<Record<string, readonly [string, ...string[]]>> = {
  linux: ['notify-send', '--app-name=Holdpoint', '--'],
  darwin: [
    'osascript',
    '-e',
    'on run {t, b}',
    '-e',
    'display notification b with title t',
    '-e',
    'end run',
    '--',
  ],
}

const TEXT_MAX = 200

/** A question as the text of a notification. */
export function notificationText(call: string): string {
  try {
    const value: unknown = JSON.parse(call)
    if (!isObject(value)) return ''
    const text = `${textAt(value, 'tool') ?? textAt(value, 'event') ?? ''} ${textAt(value, 'input') ?? ''}`
    return text
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim()
      .slice(0, TEXT_MAX)
  } catch {
    return ''
  }
}
