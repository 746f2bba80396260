import type { Recorded, Run } from './sandbox.ts'

/**
 * What must be seen after a run. A check returns complaints, or words for the page about what it saw. So the page
 * contains only what a real program did.
 */
export interface Check {
  wrong(run: Run): string | undefined
  /** Called only if there are no complaints. Empty if the page does not need it. */
  says(run: Run): string
}

export const RAN = 'ran.txt'

/** The command that writes this file ran. */
export function ran(file = RAN, words = 'runs'): Check {
  return {
    wrong: (run) => (run.file(file) === undefined ? `${file} is missing: the tool did not run` : undefined),
    says: () => words,
  }
}

export function notRan(file = RAN, words = 'not run'): Check {
  return {
    wrong: (run) => (run.file(file) === undefined ? undefined : `${file} exists: the tool ran`),
    says: () => words,
  }
}

export function fileIs(file: string, text: string, words: string): Check {
  return {
    wrong: (run) => (run.file(file) === text ? undefined : `${file} is ${JSON.stringify(run.file(file))}`),
    says: () => words,
  }
}

/** When a model gets a text: its conversation, and the number of its answers before. */
export interface Moment {
  readonly in?: string
  readonly step?: number
}

/** The model's next request contains the text. The page shows its line, in the program's own words. */
export function told(text: string, { in: conversation = 'main', step = 1 }: Moment = {}): Check {
  const who = conversation === 'main' ? 'the model' : 'the sub-agent'
  return {
    wrong: (run) => {
      const said = toldAt(run, conversation, step)
      if (said === undefined) return `${conversation} was never asked for turn ${step}`
      return said.includes(text)
        ? undefined
        : `${conversation}/${step} lacks ${JSON.stringify(text)}: ${said}`
    },
    says: (run) => {
      const line = toldAt(run, conversation, step)
        ?.split('\n')
        .find((each) => each.includes(text))
      return `${who} reads \`${shown(run.plain(line ?? ''), text)}\``
    },
  }
}

export function notTold(text: string, words = '', { in: conversation }: Pick<Moment, 'in'> = {}): Check {
  return {
    wrong: (run) => {
      const where = run.requests.find(
        (request) =>
          (conversation === undefined || request.conversation === conversation) &&
          request.told.includes(text),
      )
      return where && `${where.conversation}/${where.step} was told ${JSON.stringify(text)}`
    },
    says: () => words,
  }
}

/** How many turns the model was asked for. */
export function turns(count: number, words: string, conversation = 'main'): Check {
  return {
    wrong: (run) => {
      const seen = run.requests.filter((request) => request.conversation === conversation).length
      return seen === count ? undefined : `${conversation} was asked for ${seen} turns, not ${count}`
    },
    says: () => words,
  }
}

/** The model may use these tools and no others. */
export function offersOnly(tools: readonly string[], words: string): Check {
  const wanted = tools.toSorted().join(', ')
  return {
    wrong: ({ requests }) => {
      const offered = (requests[0]?.tools ?? []).toSorted().join(', ')
      return offered === wanted ? undefined : `the model may use ${offered}; expected: ${wanted}`
    },
    says: () => words,
  }
}

/** The program's own output for the user. */
export function shows(text: string, words: string): Check {
  return {
    wrong: ({ stdout, stderr }) =>
      `${stdout}${stderr}`.includes(text)
        ? undefined
        : `${JSON.stringify(text)} was not shown: ${stdout}${stderr}`,
    says: () => words,
  }
}

export function notShown(text: string, words: string): Check {
  return {
    wrong: ({ stdout, stderr }) =>
      `${stdout}${stderr}`.includes(text) ? `shown: ${stdout}${stderr}` : undefined,
    says: () => words,
  }
}

export type RecordPart = Partial<Pick<Recorded, 'event' | 'tool' | 'effect' | 'agentType' | 'reason'>> & {
  readonly because?: string
  readonly failed?: string
  readonly notice?: string
  readonly downgraded?: string
  /** By the main agent, or by a sub-agent whose id and type are in the record. */
  readonly by?: 'main' | 'sub-agent'
}

/** Checked, but not shown on the page. */
export function quiet(check: Check): Check {
  return { ...check, says: () => '' }
}

/** The journal contains such a record. */
export function recorded(part: RecordPart, words = ''): Check {
  return {
    wrong: (run) => {
      if (run.journal.some((record) => fits(record, part))) return undefined
      return `no record is like ${JSON.stringify(part)}:\n${run.journal.map(brief).join('\n')}`
    },
    says: () => words,
  }
}

/** The journal contains exactly one such record. */
export function recordedOnce(part: RecordPart, words = ''): Check {
  return {
    wrong: ({ journal }) => {
      const found = journal.filter((record) => fits(record, part))
      return found.length === 1
        ? undefined
        : `${found.length} records are like ${JSON.stringify(part)}:\n${journal.map(brief).join('\n')}`
    },
    says: () => words,
  }
}

/** All requests of a model contain the text exactly once. */
export function toldOnce(text: string, words = ''): Check {
  return {
    wrong: ({ requests }) => {
      const count = requests.reduce((sum, { told }) => sum + told.split(text).length - 1, 0)
      return count === 1 ? undefined : `${JSON.stringify(text)} was told ${count} times`
    },
    says: () => words,
  }
}

export function notRecorded(part: RecordPart, words = ''): Check {
  return {
    wrong: (run) => {
      const found = run.journal.find((record) => fits(record, part))
      return found && `unexpected: ${brief(found)}`
    },
    says: () => words,
  }
}

function fits(record: Recorded, part: RecordPart): boolean {
  const { because, failed, notice, downgraded, by, reason, ...same } = part
  const has = (texts: unknown, text: string | undefined) =>
    text === undefined || (Array.isArray(texts) && texts.some((each) => String(each).includes(text)))
  const isMain = record.agent === undefined
  return (
    Object.entries(same).every(([key, value]) => record[key as keyof Recorded] === value) &&
    (reason === undefined || (record.reason ?? '').includes(reason)) &&
    has(record.because, because) &&
    has(record.failed, failed) &&
    has(record.notices, notice) &&
    has(record.extra?.downgraded, downgraded) &&
    (by === undefined || (by === 'main' ? isMain : !isMain && (record.agentType ?? '') !== ''))
  )
}

function brief({ event, tool, agentType, effect, because, failed, notices, extra }: Recorded): string {
  return JSON.stringify({ event, tool, agentType, effect, because, failed, notices, extra })
}

function toldAt(run: Run, conversation: string, step: number): string | undefined {
  const asked = run.requests.filter(
    (request) => request.conversation === conversation && request.step === step,
  )
  return asked.length === 0 ? undefined : asked.map((request) => request.told).join('\n')
}

const SHOWN_MAX = 120
const BEFORE_MAX = 60

/** The text with what the program put around it; only a few words before it if the line is long. */
function shown(line: string, text: string): string {
  const flat = line.trim()
  const end = flat.indexOf(text) + text.length
  const early = end - text.length - BEFORE_MAX
  const start = early <= 0 ? 0 : flat.indexOf(' ', early) + 1
  const part = `${start === 0 ? '' : '…'}${flat.slice(start, end)}${end < flat.length ? '…' : ''}`
  return (flat.length <= SHOWN_MAX ? flat : part).replaceAll('`', "'").replaceAll('|', '\\|')
}
