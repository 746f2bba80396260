import type { ScanReport } from './report.ts'
import type { StoppedCall } from './tally.ts'

/** The sentences of a scan, which the terminal and the page share. */

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

export function headline(report: ScanReport): readonly string[] {
  const { calls, sessions, effects, ran, uncertain, since } = report
  if (calls === 0)
    return [
      `${since === undefined ? 'No' : `${periodOf(report)}, no`} tool calls were found in the transcripts of your agents.`,
      ...(since === undefined ? [] : ['To look further back, run `holdpoint scan --since all`.']),
      'To see where Holdpoint looks for transcripts, run `holdpoint docs learn-from-sessions`.',
    ]
  const missed =
    ran.deny === 0
      ? ''
      : ` Of the ${countOf(effects.deny, 'stopped call')}, ${ran.deny.toLocaleString('en')} ran.`
  return [
    `${periodOf(report)} your agents made ${countOf(calls, 'call')} in ${countOf(sessions, 'session')}.`,
    `This policy would have stopped ${effects.deny.toLocaleString('en')} and asked about ${effects.ask.toLocaleString('en')}.${missed}`,
    certainty(uncertain, calls),
  ]
}

/** How sure the verdicts are: stands in every report. */
function certainty(uncertain: number, of: number): string {
  if (uncertain === 0) return 'All verdicts are certain.'
  const share = Math.max(0.1, (100 * uncertain) / of).toFixed(1)
  return `${share} % of the verdicts are uncertain, because they depend on something that was not recorded.`
}

const DAY_MS = 86_400_000

function periodOf({ since, at }: ScanReport): string {
  if (since === undefined) return 'In all transcripts on this machine'
  const days = Math.round((Date.parse(at) - Date.parse(since)) / DAY_MS)
  return days < 2 ? `Since ${since.slice(0, 16).replace('T', ' ')} UTC` : `In ${days} days`
}

const OUTCOMES = {
  ran: 'it ran',
  failed: 'it failed',
  refused: 'it was refused',
  unclear: 'it ended with an error',
  unknown: 'outcome unknown',
} as const

export function whatHappened({ outcome, note, times, uncertain }: StoppedCall): string {
  const said = note === undefined || note === '' || outcome === 'refused' ? '' : `: ${note}`
  return [
    `${OUTCOMES[outcome]}${said}`,
    ...(times > 1 ? [`${times.toLocaleString('en')} times`] : []),
    ...(uncertain ? ['uncertain'] : []),
  ].join(' · ')
}

/** What the scan left out, a sentence each. Empty: it read everything. */
export function caveats({ notRead, hosts, leftOut, broken }: ScanReport): readonly string[] {
  const { cut, garbled, tooLong, incomplete, files, undecided, links } = notRead
  const lines: readonly (readonly [count: number, text: string])[] = [
    [garbled, `${countOf(garbled, 'line is', 'lines are')} not valid JSON`],
    [cut, `${countOf(cut, 'last line is', 'last lines are')} cut off`],
    [tooLong, `${countOf(tooLong, 'line is', 'lines are')} longer than 16 MiB`],
    [incomplete, `${countOf(incomplete, 'call has', 'calls have')} no tool, session, folder or time`],
    [files, `${countOf(files, 'file')} could not be read`],
    [undecided, `${countOf(undecided, 'call')} could not be decided`],
    [links, `${countOf(links, 'link or folder was', 'links or folders were')} not followed`],
  ]
  const skipped = lines.filter(([count]) => count > 0).map(([, text]) => text)
  return [
    ...(skipped.length === 0 ? [] : [`Skipped: ${skipped.join('; ')}.`]),
    ...hosts
      .filter(({ unknownVersions }) => unknownVersions.length > 0)
      .map(
        ({ title, unknownVersions }) =>
          `Transcripts of ${title} ${unknownVersions.slice(0, 5).join(', ')} were read, but their format was never checked. Calls may be missing.`,
      ),
    ...(leftOut.length === 0
      ? []
      : [
          `Not run, because they start programs: ${leftOut.slice(0, 5).join(', ')}${leftOut.length > 5 ? ', …' : ''}.`,
        ]),
    ...(broken.length === 0
      ? []
      : [
          `The configuration of ${broken.slice(0, 5).join(', ')} cannot be read; your own policy was used there.`,
        ]),
  ]
}
