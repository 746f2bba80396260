const MESSAGE_CHARACTERS_MAX = 1_000

/**
 * A line for a log, in the format that the pack `collective` writes: `[YYYY-MM-DD HH:MM:SS] message`, local time.
 *
 * @example
 * appendFileSync('my-hook.log', `${logLine('it happened', new Date())}\n`)
 */
export function logLine(message: string, at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')
  const line = message.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
  return `[${day} ${time}] ${line.slice(0, MESSAGE_CHARACTERS_MAX)}`
}
