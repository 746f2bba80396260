import type { CommandOutcome } from '../../core/command.ts'
import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { commandFault } from './command-fault.ts'
import type { Contract, MessageRequirement } from './contract.ts'
import { fileFindings } from './file-requirement.ts'
import { proseLines } from './markdown.ts'
import type { Names } from './names.ts'
import type { Start } from './start.ts'

/** The input for judging a contract. Pure: earlier events and command results are passed in. */
export interface ContractInput {
  readonly event: Event
  readonly facts: Facts
  readonly names: Names
  readonly start: Start | undefined
  /** The results of the commands, by their text. */
  readonly ran: ReadonlyMap<string, CommandOutcome>
  /** Whether a line matches a regular expression of the contract. */
  matches(pattern: string, line: string): boolean
}

export interface ContractResult {
  /** Exactly what is missing, in the order of the contract. Empty: the agent may stop. */
  readonly missing: readonly string[]
  /** For the user: soft limits that were exceeded, and parts that could not be checked and so count as complete. */
  readonly notices: readonly string[]
}

export async function checkContract(contract: Contract, input: ContractInput): Promise<ContractResult> {
  const files = await Promise.all(contract.files.map((requirement) => fileFindings(requirement, input)))
  const said = contract.messages.map((requirement) => messageFindings(requirement, input))
  const commands = contract.commands.map(({ run }) => commandFault(run, input.ran.get(run)))
  return {
    missing: [
      ...[...files, ...said].flatMap(({ missing }) => missing),
      ...commands.filter((fault) => fault !== undefined),
    ],
    notices: [...files, ...said].flatMap(({ notices }) => notices),
  }
}

function messageFindings(requirement: MessageRequirement, { event, matches }: ContractInput): ContractResult {
  const text = 'lastMessage' in event ? event.lastMessage : undefined
  // An agent without a message and a host that does not report messages look the same.
  if (text === undefined) {
    return {
      missing: [],
      notices: [`The last message is unknown. It should contain ${wanted(requirement)}.`],
    }
  }
  const lines = proseLines(text).map(plain)
  const has =
    'token' in requirement
      ? lines.includes(requirement.token)
      : lines.some((line) => isLike(line, requirement, matches))
  return { missing: has ? [] : [`Your last message must contain ${wanted(requirement)}.`], notices: [] }
}

function wanted(requirement: MessageRequirement): string {
  return 'token' in requirement
    ? `\`${requirement.token}\` on a line of its own`
    : `a line that matches \`${requirement.pattern}\``
}

/** A longer line cannot be an agreed signal. */
const LINE_MAX_CHARACTERS = 4_096

function isLike(line: string, { pattern }: { pattern: string }, matches: ContractInput['matches']): boolean {
  return line !== '' && line.length <= LINE_MAX_CHARACTERS && matches(pattern, line)
}

/** Emphasis around a whole line is ignored. */
function plain(line: string): string {
  return line
    .trim()
    .replace(/^[*_]{1,3}(?=\S)/, '')
    .replace(/[*_]{1,3}$/, '')
}
