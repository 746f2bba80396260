import * as z from 'zod'
import { PATTERN_MAX_CHARACTERS } from '../../../core/match/pattern.ts'
import { BLOCKS_DEFAULT, JSON_TYPES } from '../../../policy/completion/contract.ts'
import { PLACEHOLDERS } from '../../../policy/completion/names.ts'
import { asWords, commandLine, from, mapping, name, oneOf, text, yesOrNo } from './schema-words.ts'

/** One entry of `contracts`. Whether a pattern can be read is checked by contracts.ts. */
const LIST_MAX = 100
const TEXT_MAX_CHARACTERS = 1_000
/** All commands of a stop together get five minutes. A longer command is ended then, whatever its own limit is. */
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

/** Relative, without `..`, and with known placeholders only. */
function isProjectPath(written: string): boolean {
  if (/[\u0000-\u001f\\]/.test(written) || /^[/~]/.test(written)) return false
  if (written.split('/').some((step) => step === '' || step === '.' || step === '..')) return false
  const rest = PLACEHOLDERS.reduce((left, each) => left.replaceAll(`{${each}}`, ''), written)
  return !/[{}]/.test(rest)
}

const line = (accepted: string) =>
  text(accepted)
    .max(TEXT_MAX_CHARACTERS, { error: `${accepted} of at most ${TEXT_MAX_CHARACTERS} characters` })
    .regex(/^\S(?:.*\S)?$/, { error: `${accepted} on one line, without spaces around it` })

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
      path().describe('The file must exist and not be empty.'),
      mapping({
        path: path().describe('The path of the file.'),
        headings: list(line('a heading'), 'headings')
          .exactOptional()
          .describe(
            'Headings, or bold labels at the start of a line, that the file must contain. Case is ignored.',
          ),
        minLines: size().exactOptional().describe('The minimum number of non-empty lines.'),
        maxLines: size()
          .exactOptional()
          .describe('The user gets a warning if the file has more non-empty lines.'),
        minBytes: size().exactOptional().describe('The minimum size in bytes.'),
        maxBytes: size().exactOptional().describe('The maximum size in bytes.'),
        fresh: yesOrNo()
          .exactOptional()
          .describe('The file must have been written since the agent, or its session, started.'),
        json: jsonShape
          .exactOptional()
          .describe('The file must contain a JSON object with these keys and types.'),
      }),
    ],
    { error: 'a path, or a mapping with `path`' },
  )
  .meta({ id: 'contractFile', description: 'A file that must exist.' })

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
  .describe('What the last message of the agent must contain, outside of code blocks.')

const command = z
  .xor(
    [
      commandLine('a command').describe('A shell command line, run in the project.'),
      mapping({
        run: commandLine('a command').describe('A shell command line, run in the project.'),
        timeoutMs: from(1_000, COMMAND_MAX_MS)
          .exactOptional()
          .describe('The time limit in milliseconds. Default: two minutes.'),
      }),
    ],
    { error: 'a command, or a mapping with `run`' },
  )
  .meta({
    id: 'contractCommand',
    description: 'A command that must succeed. It only runs after `holdpoint trust`.',
  })

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
    files: list(file, 'files').exactOptional().describe('Files that must exist.'),
    signal: path().exactOptional().describe('A file that must exist; it may be empty.'),
    message: message.exactOptional(),
    commands: list(command, 'commands')
      .exactOptional()
      .describe('Commands that must succeed, in this order.'),
    blocks: from(1, 7)
      .exactOptional()
      .describe(
        `How often the stop of one agent may be blocked before it is allowed with a notice. Default: ${BLOCKS_DEFAULT}; at most \`settings.stopBlocksMax\`.`,
      ),
    required: yesOrNo()
      .exactOptional()
      .describe('No other file can override this contract, and no exception applies to it.'),
  },
  'a contract: a mapping with `files`, `signal`, `message` or `commands`',
).meta({ id: 'contract', description: 'What an agent must have done before it may stop.' })

export type ContractConfig = z.infer<typeof contractSchema>
