import type { Contract, FileDuty, JsonShape, MessageDuty } from './contract.ts'
import { type Names, pathsFrom } from './names.ts'

/** The contract in words for the agent it binds: where and what. Nothing is asked later that is not told here. */
export function tell(contract: Contract, names: Names): string {
  const { when, files, messages, commands } = contract
  const duties = [
    ...files.map((duty) => fileLine(duty, names)),
    ...messages.map(messageLine),
    ...commands.map(({ run, timeoutMs }) => {
      return `\`${run}\` succeeds. It is run when you finish, for at most ${Math.ceil(timeoutMs / 1000)} s.`
    }),
  ]
  const condition = when === undefined ? '' : ', if you have started other agents'
  return [
    `Before you may finish, this has to be there${condition}:`,
    ...duties.map((line) => `- ${line}`),
  ].join('\n')
}

function fileLine(duty: FileDuty, names: Names): string {
  const [path = duty.path] = pathsFrom(duty.path, names) ?? []
  if (duty.signal === true) return `The file ${path}. It may be empty.`
  const { headings = [], minLines, maxLines, minBytes, maxBytes, json } = duty
  const size = [
    ...(minLines === undefined ? [] : [`at least ${minLines} lines`]),
    ...(maxLines === undefined ? [] : [`not much more than ${maxLines} lines`]),
    ...(minBytes === undefined ? [] : [`at least ${minBytes} bytes`]),
    ...(maxBytes === undefined ? [] : [`at most ${maxBytes} bytes`]),
  ]
  return [
    `The file ${path}${size.length === 0 ? '.' : ` with ${size.join(' and ')}.`}`,
    ...(duty.fresh === true ? [' Write it anew or bring it up to date.'] : []),
    ...(headings.length === 0 ? [] : [` It has ${sections(headings.length)}:`]),
    ...headings.map((heading) => `\n  ## ${heading}`),
    ...(json === undefined ? [] : [` It is a JSON object with ${keysOf(json, '').join(', ')}.`]),
  ].join('')
}

function keysOf(shape: JsonShape, prefix: string): readonly string[] {
  return Object.entries(shape).flatMap(([key, wanted]) =>
    typeof wanted === 'string' ? [`\`${prefix}${key}\` (${wanted})`] : keysOf(wanted, `${prefix}${key}.`),
  )
}

function messageLine(duty: MessageDuty): string {
  return 'token' in duty
    ? `Your last message has \`${duty.token}\` on a line of its own.`
    : `Your last message has a line that matches \`${duty.pattern}\`.`
}

function sections(number: number): string {
  return number === 1
    ? 'one section, under its heading'
    : `${numberWord(number)} sections, each under its heading`
}

export function numberWord(number: number): string {
  return NUMBERS[number] ?? String(number)
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
