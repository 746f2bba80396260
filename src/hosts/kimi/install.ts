import { bad, good, type Result } from '../../core/errors.ts'
import { type DialectInstall, entryText, probePayload, userFileOnly } from '../dialect-install.ts'
import { checkOptions } from '../hook-entry.ts'
import type { Installer, InstallOptions } from '../installer.ts'
import { KIMI } from './dialect.ts'
import { hookTables, isOwnTable } from './hook-tables.ts'
import { tomlProblem } from './toml-shape.ts'

const KIMI_INSTALL: DialectInstall = {
  dialect: KIMI,
  program: 'kimi',
  events: [
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'PreCompact',
  ],
  oldest: { title: 'Kimi Code', version: '2.0.0', why: 'its hooks were never tried' },
  file: ({ home }) => `${home}/.kimi-code/config.toml`,
}

/**
 * Tables at the end of the user's `config.toml`, between two comments. Where the program has written the file anew and
 * the comments are gone, our tables are known by the program they start.
 */
export const installer: Installer = {
  host: 'kimi',
  program: KIMI_INSTALL.program,
  events: KIMI_INSTALL.events,
  file: userFileOnly(KIMI_INSTALL),
  install(text, options) {
    const checked = checkOptions(options, KIMI_INSTALL.oldest)
    if (!checked.ok) return checked
    const problem = tomlProblem(text ?? '')
    if (problem !== undefined) {
      return bad('CONFIG_VALUE', `This is not TOML: ${problem.why}.`, {
        line: problem.line,
        fix: 'Correct the file at this line, or move it away; nothing was changed.',
      })
    }
    const without = withoutOwn(text ?? '')
    if (!without.ok) return without
    const isOpen = without.value !== '' && !without.value.endsWith('\n')
    return good(`${without.value}${isOpen ? '\n' : ''}${blockOf(options, isOpen)}`)
  },
  uninstall(text) {
    const without = withoutOwn(text)
    return without.ok ? good(without.value === '' && text !== '' ? undefined : without.value) : without
  },
  entries(text) {
    const own = hookTables(text).filter((table) => isOwnTable(table) && table.isForAll)
    const first = new Map(own.toReversed().map((table) => [table.event, table]))
    return good(
      own
        .filter((table) => first.get(table.event) === table)
        .map(({ event, command, timeoutMs }) => ({
          ...{ event, command, args: undefined, shell: true, timeoutMs, failsClosed: false },
        })),
    )
  },
  warnings: stopsIn,
  stops: stopsIn,
  probe: (event, session) => probePayload(KIMI, event, session),
}

function stopsIn(text: string): readonly string[] {
  return hookTables(text).flatMap(({ wrong, start }) => {
    const line = text.slice(0, start).split('\n').length
    return wrong === undefined
      ? []
      : [
          `line ${line}: Kimi does not accept ${wrong} of this [[hooks]], and runs no hook of a file with such a table. Correct or remove it.`,
        ]
  })
}

const BEGIN = '# holdpoint: begin. Written by `holdpoint init`, taken out by `holdpoint uninstall`.'
/** Says that the text before had no line end, so that it gets its bytes back. */
const BEGIN_OPEN = `${BEGIN} The line before had no end.`
const END = '# holdpoint: end.'

function blockOf(options: InstallOptions, isOpen: boolean): string {
  const tables = KIMI_INSTALL.events.map((event) => {
    const { line, timeoutMs } = entryText(KIMI_INSTALL, event, options)
    return `[[hooks]]\nevent = "${event}"\ncommand = ${JSON.stringify(line)}\ntimeout = ${timeoutMs / 1_000}\n`
  })
  return `${isOpen ? BEGIN_OPEN : BEGIN}\n${tables.join('\n')}${END}\n`
}

function withoutOwn(text: string): Result<string> {
  if (/^[ \t]*hooks[ \t]*=/m.test(text.split(/^[ \t]*\[/m)[0] ?? '')) {
    return bad('CONFIG_VALUE', 'Here `hooks` is a list in one line; a table cannot be added to that.', {
      key: 'hooks',
      fix: 'Write each of them as a table [[hooks]] and install again; nothing was changed.',
    })
  }
  const block = new RegExp(`(\\n?)^${escaped(BEGIN)}([^\\n]*)\\n[^]*?^${escaped(END)}(?:\\n|$)`, 'm')
  const marked = text.replace(block, (_whole, before: string, said: string) => (said === '' ? before : ''))
  const own = hookTables(marked).filter(isOwnTable)
  return good(own.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), marked))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
