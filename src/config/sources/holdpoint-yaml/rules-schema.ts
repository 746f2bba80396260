import * as z from 'zod'
import { PATTERN_MAX_CHARACTERS } from '../../../core/match/pattern.ts'
import type { HookConfig } from './schema.ts'
import { asWords, from, HOOK_EVENTS, mapping, name, oneOf, text, yesOrNo } from './schema-words.ts'

/**
 * One entry of `rules`. What a schema cannot express (which outcomes exclude each other, whether a glob or a regex is
 * valid) is checked by rules.ts and rule-conditions.ts.
 */
const LIST_MAX = 1_000
const TEXT_MAX_CHARACTERS = 4096

const globText = () =>
  text('a glob in quotes, such as "*prod*"').max(PATTERN_MAX_CHARACTERS, {
    error: `a glob of at most ${PATTERN_MAX_CHARACTERS} characters`,
  })
const globList = () =>
  z
    .array(globText(), { error: 'a list of globs' })
    .min(1, { error: 'a list of at least one glob' })
    .max(LIST_MAX, { error: `a list of at most ${LIST_MAX} globs` })
const regex = () =>
  text('a regex in quotes')
    .max(PATTERN_MAX_CHARACTERS, { error: `a regex of at most ${PATTERN_MAX_CHARACTERS} characters` })
    .describe('A regex that may match anywhere in the text. Linear: no look-around, no back-references.')

const words = z
  .xor(
    [
      globText().describe('A glob for the whole word; `|` separates several.'),
      globList().describe('A list of globs; one of them must match.'),
      mapping({ regex: regex() }).describe('A regex.'),
    ],
    { error: 'a glob in quotes, a list of globs, or `{ regex: "..." }`' },
  )
  .meta({ id: 'words' })

const globs = z
  .xor(
    [
      globText().describe('/`. `|` separates several.~/`. `|` separates several.'),
      globList().describe('A list of globs; one of them must match.'),
    ],
    { error: 'a glob such as "src/**", or a list of globs' },
  )
  .meta({ id: 'globs' })

const number = () => z.number({ error: 'a number' })
const size = () => from(0, 1_000_000_000)

const valueTests = () =>
  mapping({
    glob: globs.exactOptional().describe('A glob for the whole text.'),
    regex: regex().exactOptional(),
    equals: z
      .union([z.string(), z.number(), z.boolean()], { error: 'a text, a number, `true` or `false`' })
      .exactOptional()
      .describe('Exactly this value.'),
    above: number().exactOptional().describe('A number greater than this.'),
    below: number().exactOptional().describe('A number less than this.'),
    longerThan: size()
      .exactOptional()
      .describe('More characters (of a text), items (of a list) or keys (of a mapping) than this.'),
    shorterThan: size().exactOptional().describe('Fewer characters, items or keys than this.'),
  }).describe('Tests; all of them must match.')

const value = z
  .xor(
    [
      globText().describe('A glob for the whole text; `|` separates several.'),
      globList().describe('A list of globs; one of them must match.'),
      z.number().describe('Exactly this number.'),
      z.boolean().describe('Exactly this value.'),
      valueTests(),
    ],
    {
      error: 'a glob in quotes, a list of globs, a number, or a mapping of tests such as `{ regex: "..." }`',
    },
  )
  .meta({ id: 'value' })

const on = z
  .xor(
    [
      oneOf(asWords(HOOK_EVENTS)),
      z
        .array(oneOf(asWords(HOOK_EVENTS)), { error: 'a list of events' })
        .min(1, { error: 'a list of at least one event' }),
    ],
    { error: 'an event, such as `PreToolUse`, or a list of events' },
  )
  .meta({ id: 'events' })

const shell = mapping({
  command: words.exactOptional().describe('The program: its name, or its path as written.'),
  subcommand: words
    .exactOptional()
    .describe('The first word that is not an option (`push`), or the first two or three (`pr merge`).'),
  flag: words.exactOptional().describe('An option by its name: `--force`, `-f`.'),
  argument: words
    .exactOptional()
    .describe('Any argument, the value of `--name=value`, or a variable set for the command.'),
}).meta({
  id: 'shell',
  description:
    'A command in the line, also inside wrappers such as `sudo`. All parts must match the same command.',
})

const path = z
  .xor(
    [
      globText().describe('A glob for a path; relative to the project unless it starts with `/` or `~/`.'),
      globList().describe('A list of globs; one of them must match.'),
      mapping({
        glob: globs.exactOptional().describe('A path that matches one of these globs.'),
        outside: globs.exactOptional().describe('A path that matches none of these globs.'),
        access: oneOf(['read', 'write'])
          .exactOptional()
          .describe('Only if the path is read, or only if it is written.'),
      }).describe('A path, and how it is accessed.'),
    ],
    { error: 'a glob such as "src/**", a list of globs, or a mapping with `glob` or `outside`' },
  )
  .meta({
    id: 'path',
    description: 'A path that the call uses, through a file tool or in a shell command.',
  })

const stateless = {
  shell: shell.exactOptional().describe('One command in the line matches.'),
  path: path.exactOptional().describe('The call uses a path that matches.'),
  input: z
    .record(z.string().min(1, { error: 'the name of a field' }), value, {
      error: 'a mapping of fields to what they must be',
    })
    .exactOptional()
    .describe("Fields of the tool's input; dots select nested fields."),
  prompt: value.exactOptional().describe('The prompt of the user.'),
  output: value.exactOptional().describe("The output of the tool, or the agent's last message at a stop."),
  permissionMode: words.exactOptional().describe("The agent's own permission mode."),
  cwd: globs.exactOptional().describe('The working directory of the agent.'),
  branch: words.exactOptional().describe('The branch that is checked out.'),
}

const several = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item, { error: 'a list of conditions' })
    .min(1, { error: 'a list of at least one condition' })
    .exactOptional()

const nestedIn = (condition: z.ZodType) => ({
  all: several(condition).describe('All of these must match.'),
  any: several(condition).describe('One of these must match.'),
  not: condition.exactOptional().describe('This must not match.'),
})

const statelessSchema: z.ZodType = z.lazy(() =>
  mapping({ ...stateless, ...nestedIn(statelessSchema) }, 'a mapping of conditions').meta({
    id: 'statelessCondition',
    description: 'Conditions on one event; all of them must match.',
  }),
)

const repeated = mapping({
  times: from(2, 100).describe('How often, including this time.'),
  within: text('a duration such as `30s`, `10m`, `2h` or `1d`')
    .regex(/^[1-9]\d{0,5}(?:s|m|h|d)$/, { error: 'a duration such as `30s`, `10m`, `2h` or `1d`' })
    .exactOptional()
    .describe('The time span. Missing: the whole session.'),
}).describe('All other conditions of the rule matched this often for the same agent.')

const said = (what: string) =>
  z
    .string({ error: 'a text' })
    .max(TEXT_MAX_CHARACTERS, { error: `a text of at most ${TEXT_MAX_CHARACTERS} characters` })
    .regex(/\S/, { error: 'a text that is not empty' })
    .exactOptional()
    .describe(what)

/** Keys that hooks have too. */
interface Shared<Match, Actor, OnFailure> {
  readonly match: Match
  readonly actor: Actor
  readonly onFailure: OnFailure
}

export function ruleSchemaFrom<
  Match extends z.ZodType,
  Actor extends z.ZodType,
  OnFailure extends z.ZodType,
>({ match, actor, onFailure }: Shared<Match, Actor, OnFailure>) {
  const seen = mapping({
    on: on.exactOptional().describe('The event or events. Default: PostToolUse.'),
    match: match.exactOptional(),
    ...stateless,
    ...nestedIn(statelessSchema),
  })
    .meta({
      id: 'seen',
      description: 'An earlier event of this session, by the same agent, for which all of this matched.',
    })
    .exactOptional()
    .describe('There was an earlier event like this.')
  const condition: z.ZodType = z.lazy(() =>
    mapping({ ...stateless, seen, ...nestedIn(condition) }, 'a mapping of conditions').meta({
      id: 'condition',
      description: 'Conditions; all of them must match.',
    }),
  )
  const when = mapping(
    { ...stateless, seen, repeated: repeated.exactOptional(), ...nestedIn(condition) },
    'a mapping of conditions',
  ).describe('When the rule applies; all conditions must match. Missing: always.')
  return mapping(
    {
      id: name().describe('The name of the rule in messages and in the journal.'),
      on: on.exactOptional().describe('The event or events. Default: PreToolUse.'),
      match: match.exactOptional(),
      actor: actor.exactOptional(),
      when: when.exactOptional(),
      once: yesOrNo().exactOptional().describe('Applies at most once in a session, for each agent.'),
      ...outcomes,
      onFailure: onFailure.exactOptional(),
      required: yesOrNo()
        .exactOptional()
        .describe('No other file can override this rule, and no exception applies to it.'),
    },
    'a rule: a mapping with `id` and an outcome such as `deny`',
  ).meta({ id: 'rule', description: 'One rule.' })
}

const outcomes = {
  deny: said('Blocks the call; the agent reads this text.'),
  ask: said('Asks the user, with this text.'),
  warn: said('Shows this text to the user.'),
  context: said('Gives this text to the agent. In project files it only works after `holdpoint trust`.'),
  rewrite: z
    .record(z.string().min(1, { error: 'the name of a field' }), z.json(), {
      error: 'a mapping of fields to their new values',
    })
    .exactOptional()
    .describe(
      "New values for fields of the tool's input. In project files it only works after `holdpoint trust`.",
    ),
}

interface Nested<Condition> {
  readonly all?: readonly Condition[]
  readonly any?: readonly Condition[]
  readonly not?: Condition
}
const leaf = () => mapping(stateless)
type Leaf = z.infer<ReturnType<typeof leaf>>

/** Conditions as written. `match` is read by the same code as for hooks. */
export type ConditionConfig = Leaf & Nested<ConditionConfig> & { readonly seen?: SeenConfig }
export type SeenConfig = Leaf &
  Nested<ConditionConfig> & { readonly on?: OnConfig; readonly match?: HookConfig['match'] }
export type OnConfig = z.infer<typeof on>
export type RepeatedConfig = z.infer<typeof repeated>
export type ValueConfig = z.infer<typeof value>
export type WordsConfig = z.infer<typeof words>
export type GlobsConfig = z.infer<typeof globs>
export type PathConfig = z.infer<typeof path>
