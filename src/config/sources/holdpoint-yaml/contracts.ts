import type { EventKind } from '../../../core/event.ts'
import type { ActorScope, Matcher, Pattern } from '../../../core/hook.ts'
import type { Json } from '../../../core/json.ts'
import type { HookEntry } from '../../../core/layer.ts'
import { checkRegex } from '../../../core/match/regex.ts'
import {
  BLOCKS_DEFAULT,
  type Contract,
  type ContractRun,
  type FileRequirement,
} from '../../../policy/completion/contract.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import { COMMAND_DEFAULT_MS, type ContractConfig, contractSchema } from './contracts-schema.ts'
import type { YamlReader } from './reading.ts'

const CONTRACTS_MAX = 1_000
/** Apart from its commands, a contract only reads files. */
const LOOKING_MS = 10_000

/**
 * The `contracts` of a file as hooks: one that checks at the stop, and others that inform the agent and record what
 * the check needs. A contract with an error is left out and reported; the others are kept.
 */
export function readContracts(value: Json, reading: YamlReader): readonly HookEntry[] {
  if (value === null) return []
  const { problems } = reading
  if (!Array.isArray(value)) {
    problems.addWrongValue(['contracts'], 'a list of contracts, each with `- ` before it')
    return []
  }
  if (value.length > CONTRACTS_MAX) {
    const message = `The list has ${value.length} contracts; only the first ${CONTRACTS_MAX} are read.`
    problems.add('CONFIG_VALUE', ['contracts', CONTRACTS_MAX], message)
  }
  const ids = new Set<string>()
  return value.slice(0, CONTRACTS_MAX).flatMap((item: Json, index) => {
    return readContract(item, ['contracts', index], ids, reading)
  })
}

function readContract(item: Json, path: Path, ids: Set<string>, reading: YamlReader): readonly HookEntry[] {
  const parsed = contractSchema.safeParse(item)
  if (!parsed.success) {
    reading.problems.addIssues(parsed.error.issues, path)
    return []
  }
  const config = parsed.data
  const contract = contractOf(config, config.id ?? `contract-${Number(path.at(-1)) + 1}`)
  const { files, messages, commands } = contract
  if (files.length + messages.length + commands.length === 0) {
    const message = 'The contract requires nothing; add `files`, `signal`, `message` or `commands`.'
    reading.problems.add('CONFIG_VALUE', path, message)
    return []
  }
  if (ids.has(contract.id)) {
    // Both apply, but their blocks would be counted together.
    reading.problems.add(
      'CONFIG_VALUE',
      [...path, 'id'],
      `Another contract has the id \`${contract.id}\` too.`,
    )
    return []
  }
  ids.add(contract.id)
  const whose = readAgent(config.agent, [...path, 'agent'], reading)
  if (whose === undefined || !isReadable(config, path, reading)) return []
  return entriesOf(contract, whose, config, path, reading)
}

function contractOf(
  { files = [], signal, message, commands = [], when, blocks }: ContractConfig,
  id: string,
): Contract {
  const signals: readonly FileRequirement[] = signal === undefined ? [] : [{ path: signal, signal: true }]
  return {
    id,
    files: [...files.map((file) => (typeof file === 'string' ? { path: file } : file)), ...signals],
    messages: message === undefined ? [] : [typeof message === 'string' ? { token: message } : message],
    commands: commands.map((command) =>
      typeof command === 'string'
        ? { run: command, timeoutMs: COMMAND_DEFAULT_MS }
        : { run: command.run, timeoutMs: command.timeoutMs ?? COMMAND_DEFAULT_MS },
    ),
    blocks: blocks ?? BLOCKS_DEFAULT,
    ...(when === undefined ? {} : { when: { kind: when } }),
  }
}

/** The main agent, or sub-agents; without a pattern all of them. */
type Whose = { readonly kind: 'main' } | { readonly kind: 'subagents'; readonly type: Pattern | undefined }

function readAgent(
  agent: string | undefined,
  path: Path,
  { readMatcher, problems }: YamlReader,
): Whose | undefined {
  if (agent === undefined || agent === 'main') return { kind: 'main' }
  const matcher = readMatcher(agent, 'auto')
  if (!matcher.ok) {
    problems.add('CONFIG_MATCHER', path, matcher.problem.message)
    return undefined
  }
  const { pattern, warning } = matcher.value
  if (warning !== undefined) problems.add('CONFIG_MATCHER', path, warning, { severity: 'warning' })
  return { kind: 'subagents', type: pattern }
}

/** The last message may be long, so only the linear engine is allowed. */
function isReadable({ message }: ContractConfig, path: Path, { problems }: YamlReader): boolean {
  if (typeof message !== 'object' || !('pattern' in message)) return true
  const engine = checkRegex(message.pattern)
  if (engine.ok && engine.value === 'linear') return true
  const fault = engine.ok ? 'Look-around and back-references cannot be used here.' : engine.problem.message
  problems.add('CONFIG_MATCHER', [...path, 'message', 'pattern'], fault)
  return false
}

function entriesOf(
  contract: Contract,
  whose: Whose,
  config: ContractConfig,
  path: Path,
  { file, yaml }: YamlReader,
): readonly HookEntry[] {
  const { id, commands } = contract
  const shared = {
    type: 'contract',
    key: `contract/${file.rank}/${id}`,
    contract,
    // A user's own contract applies to the current project, and what it starts there must be trusted there.
    ...(file.rank === 'managed' || file.rank === 'user' ? {} : { root: file.root }),
    ...(contract.messages.some((requirement) => 'pattern' in requirement) ? { regexes: true } : {}),
  } as const
  const entry = (part: ContractRun['part'], on: readonly EventKind[], match: Matcher): HookEntry => ({
    id: part === 'judge' ? id : `${id}/${part}`,
    on,
    match,
    actor: scopeOf(whose, part),
    run: { ...shared, part } satisfies ContractRun,
    origin: { file: file.path, ...locate(yaml, path), key: keyPath(path) },
    ...(config.required === undefined ? {} : { required: config.required }),
  })
  const isMain = whose.kind === 'main'
  const judging = entry('judge', [isMain ? 'Stop' : 'SubagentStop'], {})
  const budgetMs = commands.reduce((sum, { timeoutMs }) => sum + timeoutMs, LOOKING_MS)
  return [
    isMain ? entry('begin', ['SessionStart'], {}) : entry('tell', ['SubagentStart'], {}),
    ...(contract.when === undefined
      ? []
      : [entry('delegated', ['PostToolUse', 'PostToolUseFailure'], DELEGATION)]),
    {
      ...judging,
      run: commands.length === 0 ? judging.run : { ...judging.run, command: allOf(commands) },
      timeoutMs: budgetMs,
    },
  ]
}

/** One text for `holdpoint trust`. Each command is quoted, so that no quote or here-document affects the next. */
function allOf(commands: Contract['commands']): string {
  const [first, ...more] = commands.map(({ run }) => run)
  if (first === undefined || more.length === 0) return first ?? ''
  return [first, ...more].map((run) => `sh -c '${run.replaceAll("'", `'\\''`)}'`).join('\n')
}

const DELEGATION: Matcher = { subject: { kind: 'names', names: ['Agent'] } }

/**
 * Matched by the actor: an agent that does not send its type at its stop sent it at its start. A SubagentStop always
 * belongs to a sub-agent, even if the host sends no id.
 */
function scopeOf(whose: Whose, part: ContractRun['part']): ActorScope {
  if (whose.kind === 'main') return { role: 'main' }
  return {
    ...(part === 'delegated' ? { role: 'subagent' } : {}),
    ...(whose.type === undefined ? {} : { agentType: whose.type }),
  }
}
