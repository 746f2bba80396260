import type { Check, LintExample } from './check.ts'
import type { EntryCheck, EntryExample } from './entry-checks.ts'

/** docs/reference/lint.md, generated from the descriptions of the checks. */
export function lintPage(checks: readonly Check[], entries: readonly EntryCheck[]): string {
  const rows = [...checks, ...entries].map(
    ({ id, title, severity }) => `| [${id}](#${id}) | ${title} | ${severity} |`,
  )
  return [
    '# Lint rules',
    "`holdpoint lint` finds mistakes in the hook configuration of Claude Code, in the front matter of skills and agents, and in Holdpoint's own `config.yaml`. It only reads files: it runs no hook, and changes nothing without `--fix`. If there is an error, the exit code is 1. The effect of each mistake in Claude's files was observed in Claude Code 2.1.325. What the reader of `config.yaml` reports has an [error code](errors.md).",
    '`--fix` corrects a finding that has exactly one right answer, such as a misspelled key, and prints what it changed. `--max-warnings 0` makes warnings fail too. `--format` is `text`, `json`, `github` (annotations of GitHub Actions) or `sarif` (code scanning).',
    'In YAML, a comment silences a rule on its own line or on the next one. It must give a reason:\n\n```yaml\nhooks:\n  PostToolUse:\n    # holdpoint-lint-ignore no-on-failure: it only writes a log\n    - { match: Bash, run: ./log.sh }\n```',
    ['| rule | mistake | severity |', '|---|---|---|', ...rows].join('\n'),
    ...checks.map(section),
    ...entries.map(entrySection),
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

function entrySection({ id, title, why, instead, bad, good }: EntryCheck): string {
  return [
    `## ${id}`,
    `**${title}.** ${why}`,
    `Instead: ${instead}`,
    asYaml('Wrong', bad),
    asYaml('Right', good),
  ].join('\n\n')
}

function asYaml(title: string, { config, scripts = {} }: EntryExample): string {
  return `${title}:\n\n\`\`\`yaml\n${config.trim()}\n\`\`\`${filesOf(scripts)}`
}

function filesOf(scripts: Readonly<Record<string, string>>): string {
  return Object.entries(scripts)
    .map(([path, text]) => `\n\n\`${path}\`:\n\n\`\`\`text\n${text.trim()}\n\`\`\``)
    .join('')
}

const SHOWN_MAX_CHARACTERS = 2_000

function shown(title: string, { settings, scripts = {} }: LintExample): string {
  if (settings.length > SHOWN_MAX_CHARACTERS) return `${title}: a file of ${settings.length} bytes.`
  return `${title}:\n\n\`\`\`json\n${pretty(settings)}\n\`\`\`${filesOf(scripts)}`
}

/** Settings that are not strict JSON are shown as they are. */
function pretty(settings: string): string {
  try {
    return JSON.stringify(JSON.parse(settings), null, 2)
  } catch {
    return settings
  }
}
