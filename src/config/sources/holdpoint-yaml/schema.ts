import * as z from 'zod'
import { PRESET_NAMES } from '../../../core/failure-presets.ts'
import { LEVELS, MODES } from '../../../core/guard.ts'
import { FAILURE_KINDS } from '../../../core/hook.ts'
import { PATTERN_MAX_CHARACTERS } from '../../../core/match/pattern.ts'
import { contractSchema } from './contracts-schema.ts'
import { EVENT_NOTES } from './event-notes.ts'
import { ruleSchemaFrom } from './rules-schema.ts'
import { runSchema } from './run-schema.ts'
import {
  asWords,
  commandLine,
  from,
  HOOK_EVENTS,
  mapping,
  name,
  oneOf,
  text,
  yesOrNo,
} from './schema-words.ts'

/**
 * The configuration file, version 1: one schema for types, validation and the JSON Schema that editors use. The
 * `error` of a schema is not a sentence; it says what is accepted there, and problems.ts makes the sentence. The forms
 * of one value are joined by `xor`, which reports on every form, so that the intended one can be picked.
 */
export { HOOK_EVENTS, type KnownEvent } from './schema-words.ts'

const GUARD_ID = /^[a-z0-9-]+(?:\/[a-z0-9-]+)+$/
const PACK_ID = /^[a-z0-9][a-z0-9-]*$/
/** Longer than any event may take, and small enough for a timer. */
const TIMEOUT_MAX_MS = 600_000
/** A hook never waits longer than ten minutes, and must answer before that. */
const ASK_WAIT_MAX_MS = 580_000

const pattern = () =>
  z
    .string({ error: 'a pattern in quotes, such as "Write|Edit"' })
    .max(PATTERN_MAX_CHARACTERS, { error: `a pattern of at most ${PATTERN_MAX_CHARACTERS} characters` })

const settled = () => oneOf(['deny', 'ask', 'pass'])
const retry = mapping({
  retry: from(1, 5).describe('How often to run the hook again.'),
  then: settled().describe('The effect when all retries have failed.'),
}).describe('Run the hook again, then use the effect in `then`.')
const policy = z.xor([settled(), retry], {
  error: '`deny`, `ask`, `pass` or `{ retry: 1, then: pass }`',
})

const FAILURES: Readonly<Record<(typeof FAILURE_KINDS)[number], string>> = {
  timeout: 'The hook did not answer in time.',
  crash: 'The hook crashed or ended with a bad exit code.',
  invalidOutput: 'The hook printed invalid output.',
  import: 'The hook could not be loaded or started.',
  parse: 'The hook could not read its input.',
  validation: 'The input is not valid for the hook.',
  state: 'The state of the session could not be read.',
  untrusted: 'The file is not trusted, so the hook did not run.',
}

const preset = () => oneOf(asWords(PRESET_NAMES))

const onFailure = z
  .xor(
    [
      settled(),
      preset().describe('A named failure policy.'),
      retry,
      mapping({
        preset: preset().exactOptional().describe('The policy for the kinds that are not listed here.'),
        ...record(FAILURE_KINDS, (kind) => policy.exactOptional().describe(FAILURES[kind])),
      }),
    ],
    {
      error: `\`deny\`, \`ask\`, \`pass\`, \`{ retry: 1, then: pass }\`, ${PRESET_NAMES.map((name) => `\`${name}\``).join(', ')} or a mapping of failure kinds`,
    },
  )
  .describe('The effect if this hook fails: one for all kinds of failure, a preset, or one for each kind.')

const match = z
  .xor(
    [
      pattern().describe('A pattern for the tool name, or for the subject of the event.'),
      mapping({
        toolName: pattern().exactOptional().describe('A pattern for the tool name.'),
        agentType: pattern().exactOptional().describe('A pattern for the type of the acting agent.'),
        agentName: pattern().exactOptional().describe('Another name for `agentType`.'),
        source: pattern()
          .exactOptional()
          .describe('A pattern for the source, such as the source of a session start.'),
        trigger: pattern()
          .exactOptional()
          .describe('A pattern for the trigger, such as the trigger of a compaction.'),
        skill: pattern().exactOptional().describe('A pattern for the active skills.'),
      }).describe('Several patterns; all of them must match.'),
    ],
    { error: 'a pattern in quotes, such as "Write|Edit", or a mapping of patterns' },
  )
  .describe(
    'When the hook runs. Plain names joined by `|` are exact; a `*` makes a glob (`mcp__*`); anything else is a regex. Missing: always.',
  )

const actor = mapping({
  role: oneOf(['main', 'subagent'])
    .exactOptional()
    .describe('Only for the main agent, or only for sub-agents.'),
  agentType: pattern().exactOptional().describe('A pattern for the type of the acting agent.'),
  skill: text('the name of a skill')
    .exactOptional()
    .describe('Only while this skill is active for the agent.'),
}).describe('Which agent must be acting.')

export const hookSchema = mapping(
  {
    id: name().exactOptional().describe('The name of the hook in messages and in the journal.'),
    match: match.exactOptional(),
    actor: actor.exactOptional(),
    run: runSchema,
    timeoutMs: from(1, TIMEOUT_MAX_MS)
      .exactOptional()
      .describe('The time limit of one run, in milliseconds.'),
    onFailure: onFailure.exactOptional(),
    rewrites: yesOrNo().exactOptional().describe('The hook may change the tool input. Such hooks run first.'),
    grants: yesOrNo()
      .exactOptional()
      .describe("The hook may answer `allow`, which skips the agent's own permission prompt."),
    required: yesOrNo()
      .exactOptional()
      .describe('No other file can override this hook, and no exception applies to it.'),
  },
  'a hook: a mapping with `run`',
).meta({ id: 'hook', description: 'One hook.' })

export const ruleSchema = ruleSchemaFrom({ match, actor, onFailure })

export const packOptionsSchema = z
  .looseObject({
    from: commandLine('a script file or a package')
      .exactOptional()
      .describe(
        'The file or the package that the pack comes from. In project files it only works after `holdpoint trust`.',
      ),
    level: oneOf(asWords(LEVELS)).exactOptional().describe('How strict the pack is as a whole.'),
    guards: z
      .record(
        z.string().regex(GUARD_ID, { error: 'the id of a guard, such as `safety/git/force-push`' }),
        oneOf(asWords(MODES)),
        { error: 'a mapping of guard ids to `deny`, `ask`, `warn` or `off`' },
      )
      .exactOptional()
      .describe('Single guards: id to deny, ask, warn or off. The strictest file wins.'),
  })
  .describe("The pack's options.")

export const packSchema = z
  .xor(
    [
      z.boolean().describe('`true`: enabled with the defaults. `false`: disabled in this file.'),
      packOptionsSchema,
    ],
    { error: '`true`, `false` or a mapping of options' },
  )
  .meta({ id: 'pack', description: 'A pack: true, false, or its options.' })

export const packIdSchema = z.string().regex(PACK_ID, { error: 'the name of a pack: a-z, 0-9 and `-`' })

/** A pack's own options are not changed; these belong to Holdpoint. */
export const PACK_KEYS: readonly string[] = ['from', 'level', 'guards']

export const redactSchema = text('a regex').max(PATTERN_MAX_CHARACTERS, {
  error: `a regex of at most ${PATTERN_MAX_CHARACTERS} characters`,
})
export const REDACT_MAX = 100

export const importSchema = z
  .xor(
    [
      text('the name of a format').describe('All files of this format in their usual locations.'),
      mapping({
        source: text('the name of a format').describe('The format the file is written in.'),
        file: commandLine('a file').exactOptional().describe('One file, relative to the project.'),
        closed: yesOrNo()
          .exactOptional()
          .describe('Whether a hook of these files that fails stops the call. Otherwise the file decides.'),
      }).describe('One file, or the files of one format with a choice.'),
    ],
    { error: 'the name of a format, or a mapping with `source`, `file` and `closed`' },
  )
  .meta({
    id: 'import',
    description: 'Hooks written in another format: `claude-settings`, `frontmatter`, ...',
  })

const right = () => oneOf(['allowed', 'forbidden']).exactOptional()

export const settingsShape = {
  projectCode: oneOf(['allowed', 'forbidden'])
    .exactOptional()
    .describe(
      'In managed policy: `forbidden` means that programs, modules and addresses named by a project never run.',
    ),
  stopBlocksMax: from(1, 7)
    .exactOptional()
    .describe('How often the stop of an agent may be blocked before it is allowed with a notice.'),
  ask: mapping({
    waitMs: from(0, ASK_WAIT_MAX_MS)
      .exactOptional()
      .describe(
        'How long a question that reaches no user at the agent waits for a person at `holdpoint ui` or `holdpoint top`, in milliseconds. 0: it is denied at once. Default: 0.',
      ),
    notify: z
      .xor(
        [
          z.boolean().describe("`true`: with the system's own notifications. `false`: not at all."),
          z
            .array(commandLine('a program or an argument'), { error: 'a list: a program and its arguments' })
            .min(1, { error: 'a list: a program and its arguments' })
            .describe('A program and its arguments. A title and a text are added as the last two arguments.'),
        ],
        { error: '`true`, `false`, or a list: a program and its arguments' },
      )
      .exactOptional()
      .describe('Whether the person is told on the desktop that a question waits. Default: true.'),
  })
    .exactOptional()
    .describe('Questions that reach no user: the agent cannot ask, or runs without one.'),
  journal: mapping({
    enabled: yesOrNo().exactOptional().describe('Whether decisions are recorded.'),
    keepDays: from(1, 3650).exactOptional().describe('Older records are removed.'),
    keepMegabytes: from(1, 100_000)
      .exactOptional()
      .describe('The oldest records are removed above this size.'),
    keepInput: yesOrNo()
      .exactOptional()
      .describe(
        'Whether records hold the whole event, masked, so that `holdpoint replay` can decide it again.',
      ),
  })
    .exactOptional()
    .describe('The record of decisions.'),
  users: mapping({
    exceptions: right().describe(
      'Whether `holdpoint allow` works for guards of managed packs. Default: forbidden.',
    ),
    pauses: right().describe('Whether `holdpoint pause` works for managed packs. Default: forbidden.'),
    grants: right().describe('Whether hooks of other files may answer `allow`. Default: allowed.'),
  })
    .exactOptional()
    .describe('In managed policy: what users of the machine may still do.'),
  telemetry: z
    .record(
      z.string().regex(/^OTEL_[A-Z0-9_]{1,80}$/, {
        error: 'a variable of OpenTelemetry, such as `OTEL_EXPORTER_OTLP_ENDPOINT`',
      }),
      text('a text').regex(/^[^\u0000-\u001f\u007f]*$/, { error: 'a text on one line' }),
      { error: 'a mapping of OpenTelemetry variables to texts' },
    )
    .exactOptional()
    .describe(
      'In managed and user files: send decisions to an OpenTelemetry receiver. The keys are its standard variables.',
    ),
  redact: z
    .array(redactSchema, { error: 'a list of regexes' })
    .max(REDACT_MAX, { error: `a list of at most ${REDACT_MAX} regexes` })
    .exactOptional()
    .describe('Extra regexes; what they match is masked before anything is written.'),
}

export const configSchema = z
  .strictObject({
    version: z.literal(1).describe('The version of this format.'),
    packs: z.record(packIdSchema, packSchema).nullish().describe('Packs of guards, by name.'),
    hooks: z
      .strictObject(record(HOOK_EVENTS, (kind) => z.array(hookSchema).nullish().describe(EVENT_NOTES[kind])))
      .nullish()
      .describe('Hooks, by event.'),
    rules: z
      .array(ruleSchema)
      .nullish()
      .describe('Rules without code: if the conditions match, deny, ask, warn, inform or rewrite.'),
    contracts: z.array(contractSchema).nullish().describe('What agents must have done before they may stop.'),
    extends: z
      .array(commandLine('a file or a package'), { error: 'a list of files and packages' })
      .nullish()
      .describe(
        'Whole configurations that count as part of this file: packages with a `holdpoint.yaml`, or files.',
      ),
    imports: z
      .array(importSchema)
      .nullish()
      .describe(
        'Files of other formats whose hooks run too. In project files it only works after `holdpoint trust`.',
      ),
    settings: z.strictObject(settingsShape).nullish().describe('Settings of the engine.'),
  })
  .meta({
    title: 'Holdpoint configuration',
    description:
      'A `config.yaml` of Holdpoint: which packs of guards are enabled, which rules apply, which hooks run at which event, and the settings.',
  })

export type HookConfig = z.infer<typeof hookSchema>
export type RuleConfig = z.infer<typeof ruleSchema>

/** The content of schema/holdpoint.schema.json. Draft 7: the newest one that the YAML language server fully supports. */
export function configJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input' })
}

function record<Key extends string, Value>(
  keys: readonly Key[],
  valueFor: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as Record<Key, Value>
}
