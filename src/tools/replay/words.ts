import type { DiffGroup } from './diff.ts'
import { CHANGES } from './diff.ts'
import type { ReplayReport } from './report.ts'

/** The same report as lines for a terminal and as Markdown for a pull request. */

const GROUPS_SHOWN = 20

const DOUBTS: Readonly<Record<string, string>> = {
  disk: 'needed a file, branch or commit as it was then',
  program: 'a hook that runs a program was not run',
  shortened: 'the recorded input was shortened',
  masked: 'a secret in the input was masked',
  'no input': 'the input was not recorded',
  failed: 'a guard failed',
}

function certaintyLine({ uncertainShare, uncertain, doubts, events }: ReplayReport): string {
  if (events === 0) return 'Nothing was replayed: no events were found.'
  if (uncertain === 0) return 'Uncertain: 0 %. Everything that the verdicts depend on was recorded.'
  const why = Object.entries(doubts).map(([doubt, count]) => `${DOUBTS[doubt] ?? doubt} (${number(count)})`)
  const share = Math.max(0.1, 100 * uncertainShare).toFixed(1)
  return `Uncertain: ${share} % (${number(uncertain)} of ${number(events)}): ${why.join('; ')}.`
}

function summaryLines(report: ReplayReport): readonly string[] {
  const { events, sessions, effects, changes, policy, against, skipped, undecided, leftOut } = report
  const decided = `${policy}: ${number(effects.deny)} stopped, ${number(effects.ask)} asked about, ${number(effects.pass + effects.allow)} let through`
  const changed = changes === undefined ? [] : CHANGES.map((change) => `${number(changes[change])} ${change}`)
  return [
    `Replayed ${many(events, 'event')} of ${many(sessions, 'session')}. ${decided}.`,
    ...(against === undefined ? [] : [`Compared with ${against}: ${changed.join(', ')}.`]),
    ...(undecided === 0 ? [] : [`Not decided, and not compared: ${many(undecided, 'event')}.`]),
    ...(skipped === 0 ? [] : [`Too little was recorded to replay ${many(skipped, 'record')}.`]),
    ...(leftOut.length === 0
      ? []
      : [`Not run, because they start programs: ${leftOut.slice(0, 10).join(', ')}.`]),
  ]
}

export interface ReplayScreen {
  visible(text: string): string
  bold(text: string): string
  dim(text: string): string
}

export function terminalReplay(report: ReplayReport, { visible, bold, dim }: ReplayScreen): string {
  const groups = report.groups ?? []
  const lines = [
    bold(visible(certaintyLine(report))),
    ...summaryLines(report).map(visible),
    ...groups
      .slice(0, GROUPS_SHOWN)
      .flatMap((group) => [
        '',
        `${bold(group.change)}  ${number(group.count)}x  ${visible(group.shape)}  ${dim(visible(whoOf(group)))}`,
        ...group.examples.map((example) => dim(`    ${visible(example)}`)),
      ]),
    ...moreLines(report),
  ]
  return `${lines.join('\n')}\n`
}

/** The first line lets a workflow find its own comment again. */
export function markdownReplay(report: ReplayReport): string {
  const groups = report.groups ?? []
  const rows = groups
    .slice(0, GROUPS_SHOWN)
    .map(
      (group) =>
        `| ${group.change} | ${number(group.count)}${group.uncertain > 0 ? ` (${number(group.uncertain)} uncertain)` : ''} | ${code(group.shape)} | ${code(whoOf(group))} | ${group.examples.map(code).join('<br>')} |`,
    )
  return [
    '<!-- holdpoint-replay -->',
    '## Holdpoint: verdict diff',
    '',
    `**${escapedText(certaintyLine(report))}**`,
    '',
    ...summaryLines(report).map((line) => `${escapedText(line)}\n`),
    ...(rows.length === 0
      ? []
      : ['| change | count | kind of call | decided by | examples |', '|---|---|---|---|---|', ...rows, '']),
    ...moreLines(report),
    '',
  ].join('\n')
}

function moreLines({ groups = [], ungrouped = 0 }: ReplayReport): readonly string[] {
  const more = groups.slice(GROUPS_SHOWN).reduce((sum, { count }) => sum + count, ungrouped)
  return more === 0 ? [] : ['', `And ${many(more, 'more change')}; --json has all groups.`]
}

function whoOf({ from, to, was, now }: DiffGroup): string {
  const side = (effect: string, by: string) => (by === '' ? effect : `${effect} by ${by}`)
  return `${side(from, was)} -> ${side(to, now)}`
}

function many(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`
}

function number(value: number): string {
  return value.toLocaleString('en')
}

/** In a cell of a table, as code: text of an agent must not end the cell, the code or the line. */
function code(text: string): string {
  const plain = text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, ' ')
    .replaceAll('`', "'")
  return `\`${plain.replaceAll('|', '\\|')}\``
}

function escapedText(text: string): string {
  return text.replaceAll(/[<>&\\`*_[\]]/g, (sign) => `\\${sign}`)
}
