import * as z from 'zod'
import { EVENT_KINDS, type EventKind } from '../../core/event.ts'

/**
 * The format of a policy test file: one schema for types, validation and the JSON Schema that editors use.
 * The `error` of a schema says what would be accepted; sources/problems.ts makes the sentence.
 */
const EXPECTATIONS = ['deny', 'ask', 'pass', 'allow', 'warn'] as const

const KINDS = EVENT_KINDS.filter((kind) => kind !== 'Unknown') as readonly EventKind[] as readonly [
  EventKind,
  ...EventKind[],
]

const text = (accepted: string) => z.string({ error: accepted }).min(1, { error: accepted })
const mapping = <Shape extends z.ZodRawShape>(shape: Shape, accepted = 'a mapping') =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : accepted),
  })
const anything = (accepted: string) => z.record(z.string(), z.json(), { error: accepted })
const texts = (key: z.ZodString, accepted: string) =>
  z.record(key, z.string({ error: 'a text' }), { error: accepted })

const skill = text('the name of a skill')
const actor = mapping({
  skill: z
    .xor([skill, z.array(skill, { error: 'a list of names' })], {
      error: 'the name of a skill, or a list of names',
    })
    .exactOptional()
    .describe('Skills that are active for the agent.'),
  agentType: text('the type of an agent').exactOptional().describe('The type of the acting agent.'),
  role: z
    .enum(['main', 'subagent'], { error: 'one of `main`, `subagent`' })
    .exactOptional()
    .describe('Which agent acts. Default: a sub-agent if `agentType` is given, otherwise the main agent.'),
}).describe('The agent that makes the call.')

const callShape = {
  command: z
    .string({ error: 'a shell command' })
    .exactOptional()
    .describe('A shell command. Short for `tool: Bash` with that input.'),
  tool: text('the name of a tool').exactOptional().describe('The tool of the call.'),
  input: anything('a mapping: the input of the tool')
    .exactOptional()
    .describe('The input of the tool. For an event without a tool: its fields.'),
  output: z.json().exactOptional().describe('The output of the tool, for PostToolUse.'),
  event: z
    .xor(
      [
        z.enum(KINDS, { error: 'an event, such as `PreToolUse`' }).describe('The kind of event.'),
        anything('a mapping').describe('A whole event, as Claude Code sends it.'),
      ],
      { error: 'an event, such as `PreToolUse`, or a mapping of its fields' },
    )
    .exactOptional()
    .describe('What happens. Default: PreToolUse.'),
  actor: actor.exactOptional(),
}

/** Which combinations of keys make an event. */
function whole(
  call: { command?: unknown; tool?: unknown; input?: unknown; event?: unknown },
  context: z.core.$RefinementCtx,
): void {
  const complain = (key: string, accepted: string) =>
    context.addIssue({ code: 'custom', path: [key], message: accepted })
  const { command, tool, input, event } = call
  if (command === undefined && tool === undefined && event === undefined) {
    complain('command', '`command`, `tool` or `event`: what happens')
  }
  if (command !== undefined && tool !== undefined) complain('tool', 'nothing next to `command`')
  if (command !== undefined && input !== undefined) complain('input', 'nothing next to `command`')
  if (typeof event === 'object' && (command ?? tool ?? input) !== undefined) {
    complain('event', 'the name of an event next to `command`, `tool` or `input`')
  }
  if (input !== undefined && tool === undefined && event === undefined) {
    complain('tool', 'the name of the tool that `input` is for')
  }
}

const call = mapping(callShape, 'an event: a mapping with `command`, `tool` or `event`').superRefine(whole)

export const caseSchema = mapping(
  {
    name: text('a sentence').describe('What the case checks, in one sentence.'),
    ...callShape,
    files: texts(z.string(), 'a mapping of paths to texts')
      .exactOptional()
      .describe(
        'The only files of the project in this case, instead of those on disk. Paths start at the project.',
      ),
    env: texts(z.string(), 'a mapping of variables to texts')
      .exactOptional()
      .describe('Environment variables, in addition to the existing ones.'),
    before: z
      .array(call, { error: 'a list of events' })
      .exactOptional()
      .describe('Earlier events of the session, oldest first.'),
    expect: z
      .enum(EXPECTATIONS, { error: `one of ${EXPECTATIONS.map((word) => `\`${word}\``).join(', ')}` })
      .describe(
        'The expected decision. `pass`: no objection; `warn`: no objection, and a notice for the user.',
      ),
    by: text('the id of a rule, guard or hook')
      .exactOptional()
      .describe('The id of the rule, guard or hook that must have decided.'),
    rewrite: anything('a mapping of input fields to their expected values')
      .exactOptional()
      .describe('The fields of the input that must have been changed, and their new values.'),
    context: text('a part of the context')
      .exactOptional()
      .describe('A part of the context that the agent must get.'),
    reason: text('a part of the reason').exactOptional().describe('A part of the reason or the message.'),
  },
  'a case: a mapping with `name` and `expect`',
)
  .superRefine(whole)
  .meta({ id: 'case', description: 'One case.' })

export const testFileSchema = z
  .strictObject({
    version: z.literal(1).exactOptional().describe('The version of this format.'),
    cases: z.array(caseSchema).nullish().describe('The cases.'),
  })
  .meta({
    title: 'Holdpoint policy tests',
    description: 'A file in `.holdpoint/tests`: calls, and the decision that each must get.',
  })

export type CaseConfig = z.infer<typeof caseSchema>
export type CallConfig = z.infer<typeof call>

/** The contents of schema/policy-tests.schema.json. */
export function testFileJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(testFileSchema, { target: 'draft-7', io: 'input' })
}
