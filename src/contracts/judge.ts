import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { Contract, MessageDuty } from './contract.ts'
import { fileFindings } from './file-duty.ts'
import { proseLines } from './markdown.ts'
import type { Names } from './names.ts'
import { commandFault, type Ran } from './ran.ts'
import type { Start } from './start.ts'

/** What a contract is judged on. Pure: what happened before and what ran arrive here. */
export interface Scene {
  readonly event: Event
  readonly facts: Facts
  readonly names: Names
  readonly start: Start | undefined
  /** What became of the commands, by their text. */
  readonly ran: ReadonlyMap<string, Ran>
  /** Whether a line matches a regex of the contract. */
  matches(pattern: string, line: string): boolean
}

export interface Verdict {
  /** Exactly what is missing, in the order of the contract. Empty: the agent may stop. */
  readonly missing: readonly string[]
  /** For the person: what should be otherwise, and what could not be judged and so counts as there. */
  readonly notices: readonly string[]
}

export async function judge(contract: Contract, scene: Scene): Promise<Verdict> {
  const files = await Promise.all(contract.files.map((duty) => fileFindings(duty, scene)))
  const said = contract.messages.map((duty) => messageFindings(duty, scene))
  const commands = contract.commands.map(({ run }) => commandFault(run, scene.ran.get(run)))
  return {
    missing: [
      ...[...files, ...said].flatMap(({ missing }) => missing),
      ...commands.filter((fault) => fault !== undefined),
    ],
    notices: [...files, ...said].flatMap(({ notices }) => notices),
  }
}

function messageFindings(duty: MessageDuty, { event, matches }: Scene): Verdict {
  const text = 'lastMessage' in event ? event.lastMessage : undefined
  // An agent that says nothing at all, and one that does not tell us, look the same.
  if (text === undefined) {
    return { missing: [], notices: [`Its last message is not known; it should have ${wanted(duty)}.`] }
  }
  const lines = proseLines(text).map(plain)
  const has = 'token' in duty ? lines.includes(duty.token) : lines.some((line) => isLike(line, duty, matches))
  return { missing: has ? [] : [`Your last message must have ${wanted(duty)}.`], notices: [] }
}

function wanted(duty: MessageDuty): string {
  return 'token' in duty
    ? `\`${duty.token}\` on a line of its own`
    : `a line that matches \`${duty.pattern}\``
}

/** A longer line is no sign anybody agreed on. */
const LINE_MAX_CHARACTERS = 4_096

function isLike(line: string, { pattern }: { pattern: string }, matches: Scene['matches']): boolean {
  return line !== '' && line.length <= LINE_MAX_CHARACTERS && matches(pattern, line)
}

/** Emphasis around a whole line does not make it another line. */
function plain(line: string): string {
  return line
    .trim()
    .replace(/^[*_]{1,3}(?=\S)/, '')
    .replace(/[*_]{1,3}$/, '')
}
