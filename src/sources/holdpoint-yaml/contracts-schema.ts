import { z } from 'zod'
import { BLOCKS_DEFAULT, JSON_TYPES } from '../../contracts/contract.ts'
import { PLACEHOLDERS } from '../../contracts/names.ts'
import { PATTERN_MAX_CHARACTERS } from '../../pattern.ts'
import { asWords, from, mapping, name, oneOf, program, text, yesOrNo } from './schema-words.ts'

/** One entry of `contracts`. Whether a pattern can be read is checked by contracts.ts. */
const LIST_MAX = 100
const TEXT_MAX_CHARACTERS = 1_000
/** A hold may take five minutes in all; what takes longer is stopped then, whatever it asks for. */
const COMMAND_MAX_MS = 290_000
export const COMMAND_DEFAULT_MS = 120_000

const list = <Item extends z.ZodType>(item: Item, what: string) =>
  z
    .array(item, { error: `a list of ${what}` })
    .min(1, { error: `a list of at least one of ${what}` })
    .max(LIST_MAX, { error: `a list of at most ${LIST_MAX} ${what}` })

const PATH = `a path in the project, such as "notes/{agent_type}/{date}.md" (${PLACEHOLDERS.map((each) => `{${each}}`).join(', ')})`

const path = () =>
  text(PATH)
    .max(TEXT_MAX_CHARACTERS, { error: `a path of at most ${TEXT_MAX_CHARACTERS} characters` })
    .refine(isProjectPath, { error: PATH })

/** Relative, without a way up, and with placeholders we know only. */
function isProjectPath(written: string): boolean {
  if (/[\u0000-\u001f\\]/.test(written) || /^[/~]/.test(written)) return false
  if (written.split('/').some((step) => step === '' || step === '.' || step === '..')) return false
  const rest = PLACEHOLDERS.reduce((left, each) => left.replaceAll(`{${each}}`, ''), written)
  return !/[{}]/.test(rest)
}

const line = (accepted: string) =>
  text(accepted)
    .max(TEXT_MAX_CHARACTERS, { error: `${accepted} of at most ${TEXT_MAX_CHARACTERS} characters` })
    .regex(/^\S(?:.*\S)?$/, { error: `${accepted} on one line, without blanks around it` })

const jsonType = oneOf(asWords(JSON_TYPES))
const jsonShape = z
  .record(
    text('the name of a key'),
    z.xor([jsonType, z.record(text('the name of a key'), jsonType)], {
      error: `one of ${JSON_TYPES.map((each) => `\`${each}\``).join(', ')}, or a mapping of keys to these`,
    }),
    { error: 'a mapping of keys to types' },
  )
  .refine((shape) => Object.keys(shape).length > 0, { error: 'a mapping of at least one key to its type' })

const size = () => from(1, 1_000_000_000)

const file = z
  .xor(
    [
      path().describe('The file must be there and not empty.'),
      mapping({
        path: path().describe('Where it must be.'),
        headings: list(line('a heading'), 'headings')
          .exactOptional()
          .describe('Headings, or bold labels at the start of a line, that it must have, in any case.'),
        minLines: size().exactOptional().describe('At least so many lines that are not blank.'),
        maxLines: size().exactOptional().describe('More such lines are worth a warning to the person.'),
        minBytes: size().exactOptional().describe('At least so many bytes.'),
        maxBytes: size().exactOptional().describe('At most so many bytes.'),
        fresh: yesOrNo().exactOptional().describe('Written since the agent, or its session, began.'),
        json: jsonShape.exactOptional().describe('A JSON object with these keys, each of its type.'),
      }),
    ],
    { error: 'a path, or a mapping with `path`' },
  )
  .meta({ id: 'contractFile', description: 'A file that must be there.' })

const message = z
  .xor(
    [
      line('a word').describe('A word on a line of its own.'),
      mapping({
        token: line('a word').describe('A word on a line of its own.'),
      }),
      mapping({
        pattern: line('a regex')
          .max(PATTERN_MAX_CHARACTERS)
          .describe('A regex that must match a line. Linear: no look-around, no back-references.'),
      }),
    ],
    { error: 'a word, or a mapping with `token` or `pattern`' },
  )
  .describe('What the last message of the agent must have, outside of code.')

const command = z
  .xor(
    [
      program('a command').describe('A shell command line, run in the project.'),
      mapping({
        run: program('a command').describe('A shell command line, run in the project.'),
        timeoutMs: from(1_000, COMMAND_MAX_MS)
          .exactOptional()
          .describe('How long it may take, in milliseconds. Default: two minutes.'),
      }),
    ],
    { error: 'a command, or a mapping with `run`' },
  )
  .meta({ id: 'contractCommand', description: 'A command that must succeed. Waits for `holdpoint trust`.' })

export const contractSchema = mapping(
  {
    id: name().exactOptional().describe('The name of the contract in messages and in the journal.'),
    agent: text('`main`, or a pattern over the types of sub-agents')
      .max(PATTERN_MAX_CHARACTERS, { error: `a pattern of at most ${PATTERN_MAX_CHARACTERS} characters` })
      .exactOptional()
      .describe('`main` (the default), or a pattern over the types of sub-agents: "*-writer", "*" for all.'),
    when: oneOf(['delegated'])
      .exactOptional()
      .describe('`delegated`: only if the agent has started another one.'),
    files: list(file, 'files').exactOptional().describe('Files that must be there.'),
    signal: path().exactOptional().describe('A file that only has to be there; it may be empty.'),
    message: message.exactOptional(),
    commands: list(command, 'commands')
      .exactOptional()
      .describe('Commands that must succeed, in this order.'),
    blocks: from(1, 7)
      .exactOptional()
      .describe(
        `How often one agent may be held before it is let go with a notice. Default: ${BLOCKS_DEFAULT}, and never more than \`settings.stopBlocksMax\`.`,
      ),
    required: yesOrNo().exactOptional().describe('No other file can override or except this contract.'),
  },
  'a contract: a mapping with `files`, `signal`, `message` or `commands`',
).meta({ id: 'contract', description: 'What an agent must have left behind before it may stop.' })

export type ContractConfig = z.infer<typeof contractSchema>
