import { z } from 'zod'
import { EVENT_KINDS, type EventKind } from '../event.ts'

/**
 * A file of policy tests: one schema for types, validation and the JSON Schema that editors use. The `error` of a
 * schema is what would be accepted there; sources/problems.ts makes the sentence.
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
    .describe('Who acts. Default: a sub-agent where `agentType` is given, else the main agent.'),
}).describe('Who makes the call.')

const callShape = {
  command: z
    .string({ error: 'a shell command' })
    .exactOptional()
    .describe('A shell command: short for `tool: Bash` with that input.'),
  tool: text('the name of a tool').exactOptional().describe('The tool of the call.'),
  input: anything('a mapping: the input of the tool')
    .exactOptional()
    .describe('The input of the tool; for an event without a tool, its fields.'),
  output: z.json().exactOptional().describe('What the tool answered, at PostToolUse.'),
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

/** Which keys together make an event. */
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
  if (command !== undefined && tool !== undefined) complain('tool', 'nothing beside `command`')
  if (command !== undefined && input !== undefined) complain('input', 'nothing beside `command`')
  if (typeof event === 'object' && (command ?? tool ?? input) !== undefined) {
    complain('event', 'the name of an event beside `command`, `tool` or `input`')
  }
  if (input !== undefined && tool === undefined && event === undefined) {
    complain('tool', 'the name of the tool `input` is for')
  }
}

const call = mapping(callShape, 'an event: a mapping with `command`, `tool` or `event`').superRefine(whole)

export const caseSchema = mapping(
  {
    name: text('a sentence').describe('What must hold, in a sentence.'),
    ...callShape,
    files: texts(z.string(), 'a mapping of paths to texts')
      .exactOptional()
      .describe(
        'A project of these files alone, in place of what is on the disk; paths start at the project.',
      ),
    env: texts(z.string(), 'a mapping of variables to texts')
      .exactOptional()
      .describe('Variables of the environment, beside those there are.'),
    before: z
      .array(call, { error: 'a list of events' })
      .exactOptional()
      .describe('What happened in the session before, oldest first.'),
    expect: z
      .enum(EXPECTATIONS, { error: `one of ${EXPECTATIONS.map((word) => `\`${word}\``).join(', ')}` })
      .describe(
        'What must be decided. `pass`: nobody objects; `warn`: nobody objects, and the person is told.',
      ),
    by: text('the id of a rule, guard or hook')
      .exactOptional()
      .describe('Who must have decided it: the id of a rule, guard or hook.'),
    reason: text('a part of the reason').exactOptional().describe('A part of what is told about it.'),
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
    description: 'A file in `.holdpoint/tests`: calls, and how they must be decided here.',
  })

export type CaseConfig = z.infer<typeof caseSchema>
export type CallConfig = z.infer<typeof call>

/** What schema/policy-tests.schema.json holds. */
export function testFileJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(testFileSchema, { target: 'draft-7', io: 'input' })
}
