import type { Check, Example } from './check.ts'

/** docs/reference/lint.md, made from what the checks say about themselves. */
export function lintPage(checks: readonly Check[]): string {
  const rows = checks.map(({ id, title, severity }) => `| [${id}](#${id}) | ${title} | ${severity} |`)
  return [
    '# What `holdpoint lint` looks for',
    'Each of these was seen to happen, or not to happen, in Claude Code 2.1.325. `holdpoint lint` reads; it changes and runs nothing. It exits with 1 when there is an error. Files of Holdpoint itself are reported with the [codes of errors](errors.md).',
    ['| rule | what | severity |', '|---|---|---|', ...rows].join('\n'),
    ...checks.map(section),
    '',
  ].join('\n\n')
}

function section({ id, title, why, instead, bad, good }: Check): string {
  return [
    `## ${id}`,
    `**${title}.** ${why}`,
    `Instead: ${instead}`,
    shown('Wrong', bad),
    shown('Right', good),
  ].join('\n\n')
}

const SHOWN_MAX_CHARACTERS = 2_000

function shown(title: string, { settings, scripts = {} }: Example): string {
  if (settings.length > SHOWN_MAX_CHARACTERS) return `${title}: a file of ${settings.length} bytes.`
  const files = Object.entries(scripts).map(
    ([path, text]) => `\n\n\`${path}\`:\n\n\`\`\`text\n${text.trim()}\n\`\`\``,
  )
  return `${title}:\n\n\`\`\`json\n${pretty(settings)}\n\`\`\`${files.join('')}`
}

/** What is not strict JSON is shown as it is. */
function pretty(settings: string): string {
  try {
    return JSON.stringify(JSON.parse(settings), null, 2)
  } catch {
    return settings
  }
}
