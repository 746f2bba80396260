import type { ChainReport } from '../../storage/journal/store.ts'
import type { Unread } from '../history/read-transcript.ts'
import { type AuditTally, type GapReason, hasHole } from './compare.ts'

export interface AuditReport extends AuditTally {
  readonly format: 1
  readonly since?: string
  /** Of the calls that ran, how many were decided: from 0 to 100, rounded down. */
  readonly percent: number
  /** Agents that left transcripts and have no hooks of ours. */
  readonly unguardedHosts: readonly {
    readonly host: string
    readonly title: string
    readonly calls: number
  }[]
  /** What of the transcripts could not be read. A call in it is not accounted for. */
  readonly notRead: Unread
  readonly chain: ChainReport
  /** Nothing ran that is not accounted for. */
  readonly ok: boolean
}

export function buildAuditReport(
  tally: AuditTally,
  about: Pick<AuditReport, 'unguardedHosts' | 'notRead' | 'chain'> & { readonly since?: string },
): AuditReport {
  const { ran, decided } = tally
  return {
    format: 1,
    ...(about.since === undefined ? {} : { since: about.since }),
    percent: ran === 0 ? 100 : Math.floor((1000 * decided) / ran) / 10,
    ...tally,
    unguardedHosts: about.unguardedHosts,
    notRead: about.notRead,
    chain: about.chain,
    ok: !hasHole(tally) && about.chain.ok && about.unguardedHosts.length === 0,
  }
}

const WORDS: Readonly<Record<GapReason, string>> = {
  hole: 'Hooks were asked about other calls of the session, but not about these. A hook was removed, or did not run.',
  'no hooks in this session':
    'No hook was asked in the whole session. Hooks were switched off, or not installed for it.',
  'the agent cannot ask': 'The agent asks no hook about this tool.',
  'before the journal begins':
    'They are older than the journal: made before `init`, or their records were dropped.',
}

export interface AuditScreen {
  visible(text: string): string
  bold(text: string): string
  dim(text: string): string
  bad(text: string): string
  good(text: string): string
}

export function terminalAudit(report: AuditReport, screen: AuditScreen): string {
  const { ran, decided, sessions, percent, gaps, examples, ranAlthoughDenied, earlierPolicy, chain } = report
  const { bold, dim, bad, good, visible } = screen
  const number = (value: number) => value.toLocaleString('en')
  const many = (count: number, noun: string) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`
  const head =
    ran === 0
      ? 'The transcripts have no calls of a guarded agent in this time, so there is nothing to compare.'
      : `${many(ran, 'call')} ran in ${many(sessions, 'session')}. Holdpoint decided ${number(decided)} of them: ${percent} %.`
  const shown = (reason: string) =>
    examples
      .filter((each) => each.reason === reason)
      .map(({ at, host, session, agent, tool }) =>
        dim(
          visible(
            `      ${at.slice(0, 16).replace('T', ' ')} · ${host} ${session.slice(0, 8)}, ${agent} · ${tool}`,
          ),
        ),
      )
  const lines = [
    ran > 0 && percent === 100 ? good(bold(head)) : bold(head),
    ...(Object.keys(WORDS) as GapReason[])
      .filter((reason) => gaps[reason] > 0)
      .flatMap((reason) => [`  ${number(gaps[reason])} ${reason}: ${WORDS[reason]}`, ...shown(reason)]),
    ...foldersShown(report).map(([folder, calls]) => dim(visible(`      ${folder}: ${number(calls)} calls`))),
    ...(ranAlthoughDenied === 0
      ? []
      : [
          bad(`  ${number(ranAlthoughDenied)} ran although they were denied.`),
          ...shown('ran although denied'),
        ]),
    ...report.unguardedHosts.map(({ host, title, calls }) =>
      bad(`  ${title} is not guarded: ${many(calls, 'call')}. Run \`holdpoint init --host ${host}\`.`),
    ),
    ...notReadShown(report.notRead).map(bad),
    ...(earlierPolicy === 0
      ? []
      : [
          `  ${number(earlierPolicy)} were decided by an earlier policy. \`holdpoint replay\` decides them again.`,
        ]),
    chain.ok
      ? dim(`  The journal: ${visible(chain.message)}.`)
      : bad(`  The journal is broken: ${visible(chain.message)}.`),
  ]
  return `${lines.join('\n')}\n`
}

const FOLDERS_SHOWN = 5

/** Where most calls were made without any hook. */
function foldersShown({ unguardedFolders }: AuditReport): readonly (readonly [string, number])[] {
  return Object.entries(unguardedFolders)
    .sort(([, a], [, b]) => b - a)
    .slice(0, FOLDERS_SHOWN)
}

function notReadShown({ cut, garbled, tooLong, incomplete, files }: Unread): readonly string[] {
  const lines = cut + garbled + tooLong + incomplete
  const parts = [
    ...(lines === 0 ? [] : [`${lines.toLocaleString('en')} lines`]),
    ...(files === 0 ? [] : [`${files.toLocaleString('en')} files`]),
  ]
  if (parts.length === 0) return []
  return [`  ${parts.join(' and ')} of transcripts could not be read. Calls in them are not in this figure.`]
}
