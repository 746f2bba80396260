import { wordList } from '../../core/word-list.ts'
import type { Contract, FileRequirement, JsonShape, MessageRequirement } from './contract.ts'
import { type Names, pathsFrom } from './names.ts'

/** The contract as text for the agent: where and what to write. Nothing is checked later that is not named here. */
export function tell(contract: Contract, names: Names): string {
  const { when, files, messages, commands } = contract
  const duties = [
    ...files.map((requirement) => fileLine(requirement, names)),
    ...messages.map(messageLine),
    ...commands.map(({ run, timeoutMs }) => {
      return `\`${run}\` succeeds. It is run when you finish, for at most ${Math.ceil(timeoutMs / 1000)} s.`
    }),
  ]
  const condition = when === undefined ? '' : ', if you have started other agents'
  return [
    `Before you may finish, the following is required${condition}:`,
    ...duties.map((line) => `- ${line}`),
  ].join('\n')
}

function fileLine(requirement: FileRequirement, names: Names): string {
  const [path = requirement.path] = pathsFrom(requirement.path, names) ?? []
  if (requirement.signal === true) return `The file ${path}. It may be empty.`
  const { headings = [], minLines, maxLines, minBytes, maxBytes, json } = requirement
  const size = [
    ...(minLines === undefined ? [] : [`at least ${minLines} lines`]),
    ...(maxLines === undefined ? [] : [`not much more than ${maxLines} lines`]),
    ...(minBytes === undefined ? [] : [`at least ${minBytes} bytes`]),
    ...(maxBytes === undefined ? [] : [`at most ${maxBytes} bytes`]),
  ]
  return [
    `The file ${path}${size.length === 0 ? '.' : ` with ${size.join(' and ')}.`}`,
    ...(requirement.fresh === true ? [' Write a new file or update the existing one.'] : []),
    ...(headings.length === 0 ? [] : [` It must have ${sections(headings.length)}:`]),
    ...headings.map((heading) => `\n  ## ${heading}`),
    ...(json === undefined ? [] : [` It must be a JSON object with ${keysOf(json, '').join(', ')}.`]),
  ].join('')
}

function keysOf(shape: JsonShape, prefix: string): readonly string[] {
  return Object.entries(shape).flatMap(([key, wanted]) =>
    typeof wanted === 'string' ? [`\`${prefix}${key}\` (${wanted})`] : keysOf(wanted, `${prefix}${key}.`),
  )
}

function messageLine(requirement: MessageRequirement): string {
  return 'token' in requirement
    ? `Your last message contains \`${requirement.token}\` on a line of its own.`
    : `Your last message contains a line that matches \`${requirement.pattern}\`.`
}

function sections(number: number): string {
  return number === 1
    ? 'one section, under its heading'
    : `${numberWord(number)} sections, each under its heading`
}

export function numberWord(number: number): string {
  return NUMBERS[number] ?? String(number)
}

const NUMBERS = wordList('no one two three four five six seven eight nine ten')
