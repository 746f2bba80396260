import type { Screen } from '../report/terminal.ts'
import type { ScanReport } from './report.ts'
import { caveats, countOf, headline, whatHappened } from './words.ts'

const GUARDS_SHOWN = 5
const NARROW = 60

/** One screen: what happened, the worst, the noisiest, what was left out, what to do next. */
export function terminalScan(report: ScanReport, screen: Screen): string {
  const { bold, dim } = screen.colour
  const hosts = report.hosts.map(({ title, calls }) => `${title} ${calls.toLocaleString('en')}`).join(' · ')
  const lines = [
    ...headline(report).map((line, at) => (at < 2 ? bold(screen.visible(line)) : dim(screen.visible(line)))),
    ...(hosts === '' ? [] : [dim(screen.visible(hosts))]),
    ...worst(report, screen),
    ...guards(report, screen),
    ...heading(
      'Left out',
      caveats(report).map((text) => `  ${screen.visible(text)}`),
      screen,
    ),
    ...heading(
      'Next',
      report.next.flatMap((step) => [
        `  ${screen.visible(step.why)}`,
        ...step.do.split('\n').map((line) => `    ${bold(screen.visible(line))}`),
      ]),
      screen,
    ),
  ]
  return `${lines.join('\n')}\n`
}

function heading(title: string, lines: readonly string[], { colour }: Screen): readonly string[] {
  return lines.length === 0 ? [] : ['', colour.bold(title), ...lines]
}

function worst({ worst: calls }: ScanReport, screen: Screen): readonly string[] {
  const { colour, visible, columns } = screen
  const room = Math.max(NARROW, columns) - 4
  const lines = calls.flatMap((call) => {
    const effect = call.effect === 'deny' ? 'stop' : 'ask '
    const who = `${call.host} ${call.session.slice(0, 8)}, ${call.agent}, in ${call.cwd}`
    const when = call.at.slice(0, 16).replace('T', ' ')
    return [
      `  ${colour[call.effect](effect)} ${short(visible(call.input), room - 5)}`,
      colour.dim(
        `       ${short(visible(`${when} · ${call.guard} · ${whatHappened(call)} · ${who}`), room - 5)}`,
      ),
    ]
  })
  return heading('The worst', lines, screen)
}

function guards({ guards: all }: ScanReport, screen: Screen): readonly string[] {
  const shown = all.slice(0, GUARDS_SHOWN)
  const width = Math.max(...shown.map(({ guard }) => guard.length), 0)
  const lines = shown.map(({ guard, deny, ask, ran, sessions }) => {
    const counts = `${String(deny).padStart(6)} stopped ${String(ask).padStart(6)} asked`
    return `  ${screen.visible(guard.padEnd(width))}${counts}  ${screen.colour.dim(`${ran} ran, in ${countOf(sessions, 'session')}`)}`
  })
  const more = all.length - shown.length
  return heading(
    'Guards that stopped or asked most',
    more > 0 ? [...lines, screen.colour.dim(`  and ${more} more`)] : lines,
    screen,
  )
}

/** Texts come from agents: one line each, whatever they hold. */
function short(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text
}
