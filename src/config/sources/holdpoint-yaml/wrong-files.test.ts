import { describe, expect, test } from 'vitest'
import type { ErrorCode, Problem } from '../../../core/errors.ts'
import { parseYaml } from '../parse-yaml.ts'
import { toJson } from '../to-json.ts'
import { configSchema } from './schema.ts'
import { source } from './source.ts'

/**
 * The messages for mistakes, compared exactly, because a message with the wrong location or the wrong suggestion is
 * worse than no message.
 */
interface Wrong {
  readonly text: string
  readonly code: ErrorCode
  /** Line and column. */
  readonly at: readonly [number, number]
  readonly key?: string
  readonly message: string
}

/** The file cannot be used at all. */
const BROKEN: readonly Wrong[] = [
  {
    text: 'version: 2',
    code: 'CONFIG_VERSION',
    at: [1, 10],
    key: 'version',
    message: '`version` must be the number 1, not the number `2`.',
  },
  {
    text: 'version: "1"',
    code: 'CONFIG_VERSION',
    at: [1, 10],
    key: 'version',
    message: '`version` must be the number 1, not the text `1`.',
  },
  {
    text: 'version:',
    code: 'CONFIG_VERSION',
    at: [1, 9],
    key: 'version',
    message: '`version` must be the number 1, not an empty value.',
  },
  {
    text: '# mine\nverison: 1\npacks: {}',
    code: 'CONFIG_VERSION',
    at: [2, 1],
    key: 'version',
    message: '`version` is missing. `verison` is not a key; did you mean `version`?',
  },
  {
    text: 'packs: {}',
    code: 'CONFIG_VERSION',
    at: [1, 1],
    key: 'version',
    message: '`version` is missing.',
  },
  {
    text: '- version: 1',
    code: 'CONFIG_VERSION',
    at: [1, 1],
    message: 'The file must be a mapping that starts with `version: 1`, not the list `[{"version":1}]`.',
  },
  {
    text: '\nhello',
    code: 'CONFIG_VERSION',
    at: [2, 1],
    message: 'The file must be a mapping that starts with `version: 1`, not the text `hello`.',
  },
  {
    text: 'version: 1\npacks:\n\tsafety: true',
    code: 'CONFIG_NOT_YAML',
    at: [3, 1],
    message: 'Tabs are not allowed as indentation.',
  },
  {
    text: 'version: 1\nversion: 1',
    code: 'CONFIG_NOT_YAML',
    at: [2, 1],
    message: 'The key `version` occurs twice.',
  },
  {
    text: 'version: 1\nhooks:\n  Stop:\n    - run: x\n      run: y',
    code: 'CONFIG_NOT_YAML',
    at: [5, 7],
    message: 'The key `run` occurs twice.',
  },
  {
    text: 'version: 1\nhooks:\n  PreToolUse:\n    - match: *\n      run: x',
    code: 'CONFIG_NOT_YAML',
    at: [4, 14],
    message: 'A `*` here is a YAML alias; put a pattern in quotes: "*".',
  },
  {
    text: 'version: 1\nhooks:\n  PreToolUse:\n    - match: *_status\n      run: x',
    code: 'CONFIG_NOT_YAML',
    at: [4, 14],
    message: '`*_status` is an alias without an anchor. Put a pattern in quotes: "*_status".',
  },
  {
    text: 'version: 1\npacks: "a',
    code: 'CONFIG_NOT_YAML',
    at: [2, 10],
    message: 'Missing closing "quote.',
  },
  {
    text: 'version: 1\npacks: { a: true',
    code: 'CONFIG_NOT_YAML',
    at: [2, 17],
    message: 'Flow map in block collection must be sufficiently indented and end with a }.',
  },
  {
    text: 'version: 1\n---\nversion: 1',
    code: 'CONFIG_NOT_YAML',
    at: [2, 1],
    message: 'The file contains more than one document.',
  },
  {
    text: 'version: 1\npacks: { a: !secret x }',
    code: 'CONFIG_NOT_YAML',
    at: [2, 13],
    message: 'The tag `!secret` is not supported.',
  },
  {
    text: 'version: 1\npacks: { ? [a] : true }',
    code: 'CONFIG_NOT_YAML',
    at: [2, 12],
    message: 'A key must be a plain word.',
  },
  {
    text: 'version: 1\npacks: { a: { <<: { x: 1 } } }',
    code: 'CONFIG_NOT_YAML',
    at: [2, 15],
    message: 'Merge keys (`<<`) are not supported; write the keys out.',
  },
  {
    text: 'version: 1\npacks: &p { a: *p }',
    code: 'CONFIG_NOT_YAML',
    at: [2, 16],
    message: '`*p` contains itself.',
  },
  {
    text: 'version: 1\n# \u0007',
    code: 'CONFIG_NOT_YAML',
    at: [2, 3],
    message: 'The file contains the control character U+0007.',
  },
]

/** One part is wrong. The hook `ok` at Setup, in the same file, must be kept in every case. */
const OK = 'version: 1\nhooks:\n  Setup: [ { id: ok, run: x } ]\n'

const ONE_PART: readonly Wrong[] = [
  // Keys of the file
  {
    text: 'pack: {}',
    code: 'CONFIG_KEY',
    at: [4, 1],
    key: 'pack',
    message:
      '`pack` is not a key of the configuration. Did you mean `packs`? Accepted: version, packs, hooks, rules, contracts, extends, imports, settings.',
  },
  {
    text: '"my rules": []',
    code: 'CONFIG_KEY',
    at: [4, 1],
    key: '["my rules"]',
    message:
      '`my rules` is not a key of the configuration. Accepted: version, packs, hooks, rules, contracts, extends, imports, settings.',
  },
  {
    text: 'packs: safety',
    code: 'CONFIG_VALUE',
    at: [4, 8],
    key: 'packs',
    message: 'The text `safety` is not accepted here; expected a mapping of pack names to their options.',
  },
  {
    text: 'settings: []',
    code: 'CONFIG_VALUE',
    at: [4, 11],
    key: 'settings',
    message: 'The list `[]` is not accepted here; expected a mapping of settings.',
  },
  // Events
  {
    text: '  PreToolUs:\n    - run: x',
    code: 'CONFIG_KEY',
    at: [4, 3],
    key: 'hooks.PreToolUs',
    message: '`PreToolUs` is not an event. Did you mean `PreToolUse`?',
  },
  {
    text: '  Unknown: []',
    code: 'CONFIG_KEY',
    at: [4, 3],
    key: 'hooks.Unknown',
    message:
      '`Unknown` is not an event. Accepted: Setup, SessionStart, InstructionsLoaded, UserPromptSubmit, UserPromptExpansion, PreModelSwitch, PostModelSwitch, PreToolUse, PermissionRequest, PermissionDenied, PostToolUse, PostToolUseFailure, PostToolBatch, SubagentStart, SubagentStop, Elicitation, ElicitationResult, TaskCreated, TaskCompleted, TeammateIdle, Notification, MessageDisplay, ConfigChange, CwdChanged, FileChanged, DirectoryAdded, WorktreeCreate, WorktreeRemove, PreCompact, PostCompact, Stop, StopFailure, SessionEnd.',
  },
  {
    text: '  Stop:\n    run: x',
    code: 'CONFIG_VALUE',
    at: [5, 5],
    key: 'hooks.Stop',
    message:
      'The mapping `{"run":"x"}` is not accepted here; expected a list of hooks, each with `- ` before it.',
  },
  // Hooks
  {
    text: '  Stop:\n    - ./x.sh',
    code: 'CONFIG_VALUE',
    at: [5, 7],
    key: 'hooks.Stop[0]',
    message: 'The text `./x.sh` is not accepted here; expected a hook: a mapping with `run`.',
  },
  {
    text: '  Stop:\n    -',
    code: 'CONFIG_VALUE',
    at: [5, 6],
    key: 'hooks.Stop[0]',
    message: 'An empty value is not accepted here; expected a hook: a mapping with `run`.',
  },
  {
    text: '  Stop:\n    - matcher: Bash\n      run: x',
    code: 'CONFIG_KEY',
    at: [5, 7],
    key: 'hooks.Stop[0].matcher',
    message:
      '`matcher` is not a key here. Did you mean `match`? Accepted: id, match, actor, run, timeoutMs, onFailure, rewrites, grants, required.',
  },
  {
    text: '  Stop:\n    - match: Bash',
    code: 'CONFIG_VALUE',
    at: [5, 7],
    key: 'hooks.Stop[0].run',
    message: '`run` is missing; expected a command, or a mapping with `command`, `module` or `url`.',
  },
  {
    text: '  Stop:\n    - run:',
    code: 'CONFIG_VALUE',
    at: [5, 11],
    key: 'hooks.Stop[0].run',
    message:
      'An empty value is not accepted here; expected a command, or a mapping with `command`, `module` or `url`.',
  },
  {
    text: '  Stop:\n    - run: ""',
    code: 'CONFIG_VALUE',
    at: [5, 12],
    key: 'hooks.Stop[0].run',
    message: 'An empty text is not accepted here; expected a command.',
  },
  {
    text: '  Stop:\n    - run: [a, b]',
    code: 'CONFIG_VALUE',
    at: [5, 12],
    key: 'hooks.Stop[0].run',
    message:
      'The list `["a","b"]` is not accepted here; expected a command, or a mapping with `command`, `module` or `url`.',
  },
  {
    text: '  Stop:\n    - run: { comand: x }',
    code: 'CONFIG_KEY',
    at: [5, 14],
    key: 'hooks.Stop[0].run.comand',
    message: '`comand` is not a key here. Did you mean `command`? Accepted: command, args, protocol.',
  },
  {
    text: '  Stop:\n    - run: { args: [a] }',
    code: 'CONFIG_VALUE',
    at: [5, 12],
    key: 'hooks.Stop[0].run.command',
    message: '`command` is missing; expected a command.',
  },
  {
    text: '  Stop:\n    - run: { export: x }',
    code: 'CONFIG_VALUE',
    at: [5, 12],
    key: 'hooks.Stop[0].run.module',
    message: '`module` is missing; expected a script file or a package.',
  },
  {
    text: '  Stop:\n    - run: { module: ./x.ts, export: 1 }',
    code: 'CONFIG_VALUE',
    at: [5, 38],
    key: 'hooks.Stop[0].run.export',
    message: 'The number `1` is not accepted here; expected the name of an export.',
  },
  {
    text: '  Stop:\n    - run: { command: x, args: -a }',
    code: 'CONFIG_VALUE',
    at: [5, 32],
    key: 'hooks.Stop[0].run.args',
    message: 'The text `-a` is not accepted here; expected a list of texts.',
  },
  {
    text: '  Stop:\n    - run: { command: x, args: [a, 1] }',
    code: 'CONFIG_VALUE',
    at: [5, 36],
    key: 'hooks.Stop[0].run.args[1]',
    message: 'The number `1` is not accepted here; expected a text.',
  },
  {
    text: '  Stop:\n    - run: { command: "a\\0b" }',
    code: 'CONFIG_VALUE',
    at: [5, 23],
    key: 'hooks.Stop[0].run.command',
    message: 'The text `a\\u0000b` is not accepted here; expected a command without NUL characters.',
  },
  {
    text: '  Stop:\n    - run: { command: x, protocol: Claude }',
    code: 'CONFIG_VALUE',
    at: [5, 36],
    key: 'hooks.Stop[0].run.protocol',
    message:
      'The text `Claude` is not accepted here; expected one of `claude`, `mux`, `massgen`. Did you mean `claude`?',
  },
  {
    text: '  Stop:\n    - run: x\n      timeoutMs: 500ms',
    code: 'CONFIG_VALUE',
    at: [6, 18],
    key: 'hooks.Stop[0].timeoutMs',
    message: 'The text `500ms` is not accepted here; expected a whole number from 1 to 600000.',
  },
  {
    text: '  Stop:\n    - run: x\n      timeoutMs: 0',
    code: 'CONFIG_VALUE',
    at: [6, 18],
    key: 'hooks.Stop[0].timeoutMs',
    message: 'The number `0` is not accepted here; expected a whole number from 1 to 600000.',
  },
  {
    text: '  Stop:\n    - run: x\n      timeoutMs: .inf',
    code: 'CONFIG_VALUE',
    at: [6, 18],
    key: 'hooks.Stop[0].timeoutMs',
    message: 'The text `.inf` is not accepted here; expected a whole number from 1 to 600000.',
  },
  {
    text: '  Stop:\n    - run: x\n      timeoutMs: 1.5',
    code: 'CONFIG_VALUE',
    at: [6, 18],
    key: 'hooks.Stop[0].timeoutMs',
    message: 'The number `1.5` is not accepted here; expected a whole number from 1 to 600000.',
  },
  {
    text: '  Stop:\n    - run: x\n      timeout: 500',
    code: 'CONFIG_KEY',
    at: [6, 7],
    key: 'hooks.Stop[0].timeout',
    message:
      '`timeout` is not a key here. Did you mean `timeoutMs`? Accepted: id, match, actor, run, timeoutMs, onFailure, rewrites, grants, required.',
  },
  {
    text: '  Stop:\n    - id: My Hook\n      run: x',
    code: 'CONFIG_VALUE',
    at: [5, 11],
    key: 'hooks.Stop[0].id',
    message: 'The text `My Hook` is not accepted here; expected a name of a-z, 0-9, `-` and `/`.',
  },
  {
    text: '  Stop:\n    - run: x\n      grants: yes',
    code: 'CONFIG_VALUE',
    at: [6, 15],
    key: 'hooks.Stop[0].grants',
    message: 'The text `yes` is not accepted here; expected `true` or `false`, without quotes.',
  },
  {
    text: '  Stop:\n    - run: x\n      required: "true"',
    code: 'CONFIG_VALUE',
    at: [6, 17],
    key: 'hooks.Stop[0].required',
    message: 'The text `true` is not accepted here; expected `true` or `false`, without quotes.',
  },
  // Failure policies
  {
    text: '  Stop:\n    - run: x\n      onFailure: block',
    code: 'CONFIG_VALUE',
    at: [6, 18],
    key: 'hooks.Stop[0].onFailure',
    message:
      'The text `block` is not accepted here; expected `deny`, `ask`, `pass`, `{ retry: 1, then: pass }`, `mux`, `scratchpad`, `massgen`, `collective` or a mapping of failure kinds. Did you mean `deny`?',
  },
  {
    text: '  Stop:\n    - run: x\n      onFailure: { timeot: pass }',
    code: 'CONFIG_KEY',
    at: [6, 20],
    key: 'hooks.Stop[0].onFailure.timeot',
    message:
      '`timeot` is not a key here. Did you mean `timeout`? Accepted: preset, timeout, crash, invalidOutput, import, parse, validation, state, untrusted.',
  },
  {
    text: '  Stop:\n    - run: x\n      onFailure: { crash: pas }',
    code: 'CONFIG_VALUE',
    at: [6, 27],
    key: 'hooks.Stop[0].onFailure.crash',
    message:
      'The text `pas` is not accepted here; expected `deny`, `ask`, `pass` or `{ retry: 1, then: pass }`. Did you mean `pass`?',
  },
  {
    text: '  Stop:\n    - run: x\n      onFailure: { retry: 9, then: pass }',
    code: 'CONFIG_VALUE',
    at: [6, 27],
    key: 'hooks.Stop[0].onFailure.retry',
    message: 'The number `9` is not accepted here; expected a whole number from 1 to 5.',
  },
  {
    text: '  Stop:\n    - run: x\n      onFailure: { retry: 1 }',
    code: 'CONFIG_VALUE',
    at: [6, 18],
    key: 'hooks.Stop[0].onFailure.then',
    message: '`then` is missing; expected one of `deny`, `ask`, `pass`.',
  },
  {
    text: '  Stop:\n    - run: x\n      onFailure: { crash: { retry: 1, then: allow } }',
    code: 'CONFIG_VALUE',
    at: [6, 45],
    key: 'hooks.Stop[0].onFailure.crash.then',
    message:
      'The text `allow` is not accepted here; expected one of `deny`, `ask`, `pass`. Did you mean `pass`?',
  },
  // Matchers and actors
  {
    text: '  Stop:\n    - match: [Bash]\n      run: x',
    code: 'CONFIG_VALUE',
    at: [5, 14],
    key: 'hooks.Stop[0].match',
    message:
      'The list `["Bash"]` is not accepted here; expected a pattern in quotes, such as "Write|Edit", or a mapping of patterns.',
  },
  {
    text: '  Stop:\n    - match: { tool: Bash }\n      run: x',
    code: 'CONFIG_KEY',
    at: [5, 16],
    key: 'hooks.Stop[0].match.tool',
    message:
      '`tool` is not a key here. Did you mean `toolName`? Accepted: toolName, agentType, agentName, source, trigger, skill.',
  },
  {
    text: '  Stop:\n    - match: { agentType: a, agentName: b }\n      run: x',
    code: 'CONFIG_KEY',
    at: [5, 30],
    key: 'hooks.Stop[0].match.agentName',
    message: '`agentName` is another name for `agentType`; use only one of them.',
  },
  {
    text: '  Stop:\n    - match: "Bash("\n      run: x',
    code: 'CONFIG_MATCHER',
    at: [5, 14],
    key: 'hooks.Stop[0].match',
    message: 'The pattern `Bash(` is not a valid regex: missing closing ), at character 5.',
  },
  {
    text: '  Stop:\n    - match: { agentName: "x[z-a]" }\n      run: x',
    code: 'CONFIG_MATCHER',
    at: [5, 27],
    key: 'hooks.Stop[0].match.agentName',
    message:
      'The pattern `x[z-a]` is not a valid regex: invalid character class range at `z-a`, character 3.',
  },
  {
    text: '  Stop:\n    - match: "mcp__[*"\n      run: x',
    code: 'CONFIG_MATCHER',
    at: [5, 14],
    key: 'hooks.Stop[0].match',
    message: 'The glob `mcp__[*` has a `[` without its `]`, at character 6.',
  },
  {
    text: '  Stop:\n    - match: " | "\n      run: x',
    code: 'CONFIG_MATCHER',
    at: [5, 14],
    key: 'hooks.Stop[0].match',
    message: 'The pattern " | " contains no name, so it can never match.',
  },
  {
    text: '  Stop:\n    - match: "(?=(a+)+$)b"\n      run: x',
    code: 'CONFIG_MATCHER',
    at: [5, 14],
    key: 'hooks.Stop[0].match',
    message:
      'The pattern `(?=(a+)+$)b` uses look-around or a back-reference together with repeats that could take forever; simplify it.',
  },
  {
    text: '  Stop:\n    - run: x\n      actor: { role: sub }',
    code: 'CONFIG_VALUE',
    at: [6, 22],
    key: 'hooks.Stop[0].actor.role',
    message:
      'The text `sub` is not accepted here; expected one of `main`, `subagent`. Did you mean `subagent`?',
  },
  {
    text: '  Stop:\n    - run: x\n      actor: { agentType: "(" }',
    code: 'CONFIG_MATCHER',
    at: [6, 27],
    key: 'hooks.Stop[0].actor.agentType',
    message: 'The pattern `(` is not a valid regex: missing closing ), at character 1.',
  },
  {
    text: '  Stop:\n    - run: x\n      actor: mux',
    code: 'CONFIG_VALUE',
    at: [6, 14],
    key: 'hooks.Stop[0].actor',
    message: 'The text `mux` is not accepted here; expected a mapping.',
  },
  // Packs
  {
    text: 'packs:\n  Safety: true',
    code: 'CONFIG_KEY',
    at: [5, 3],
    key: 'packs.Safety',
    message: '`Safety` is not the name of a pack: a-z, 0-9 and `-`.',
  },
  {
    text: 'packs:\n  safety:',
    code: 'CONFIG_VALUE',
    at: [5, 10],
    key: 'packs.safety',
    message: 'An empty value is not accepted here; expected `true`, `false` or a mapping of options.',
  },
  {
    text: 'packs:\n  safety: on',
    code: 'CONFIG_VALUE',
    at: [5, 11],
    key: 'packs.safety',
    message: 'The text `on` is not accepted here; expected `true`, `false` or a mapping of options.',
  },
  {
    text: 'packs:\n  safety: { level: stict }',
    code: 'CONFIG_VALUE',
    at: [5, 20],
    key: 'packs.safety.level',
    message:
      'The text `stict` is not accepted here; expected one of `standard`, `strict`, `paranoid`. Did you mean `strict`?',
  },
  {
    text: 'packs:\n  safety: { guards: { safety/git/force-push: block } }',
    code: 'CONFIG_VALUE',
    at: [5, 46],
    key: 'packs.safety.guards["safety/git/force-push"]',
    message:
      'The text `block` is not accepted here; expected one of `off`, `warn`, `ask`, `deny`. Did you mean `deny`?',
  },
  {
    text: 'packs:\n  safety: { guards: { safety/git/force-push: false } }',
    code: 'CONFIG_VALUE',
    at: [5, 46],
    key: 'packs.safety.guards["safety/git/force-push"]',
    message:
      '`false` is not accepted here; expected one of `off`, `warn`, `ask`, `deny`. Did you mean `off`?',
  },
  {
    text: 'packs:\n  safety: { guards: { force-push: deny } }',
    code: 'CONFIG_KEY',
    at: [5, 23],
    key: 'packs.safety.guards.force-push',
    message: '`force-push` is not the id of a guard, such as `safety/git/force-push`.',
  },
  // Settings
  {
    text: 'settings:\n  stopBlocksMax: 8',
    code: 'CONFIG_VALUE',
    at: [5, 18],
    key: 'settings.stopBlocksMax',
    message: 'The number `8` is not accepted here; expected a whole number from 1 to 7.',
  },
  {
    text: 'settings:\n  stopBlockMax: 3',
    code: 'CONFIG_KEY',
    at: [5, 3],
    key: 'settings.stopBlockMax',
    message:
      '`stopBlockMax` is not a setting. Did you mean `stopBlocksMax`? Accepted: projectCode, stopBlocksMax, ask, journal, users, telemetry, redact.',
  },
  {
    text: 'settings:\n  ask: { wait: 20000 }',
    code: 'CONFIG_KEY',
    at: [5, 10],
    key: 'settings.ask.wait',
    message: '`wait` is not a key here. Did you mean `waitMs`? Accepted: waitMs, notify.',
  },
  {
    text: 'settings:\n  ask: { waitMs: 20s }',
    code: 'CONFIG_VALUE',
    at: [5, 18],
    key: 'settings.ask.waitMs',
    message: 'The text `20s` is not accepted here; expected a whole number from 0 to 580000.',
  },
  {
    text: 'settings:\n  journal: { enable: true }',
    code: 'CONFIG_KEY',
    at: [5, 14],
    key: 'settings.journal.enable',
    message:
      '`enable` is not a key here. Did you mean `enabled`? Accepted: enabled, keepDays, keepMegabytes, keepInput.',
  },
  {
    text: 'settings:\n  journal: { keepDays: -1 }',
    code: 'CONFIG_VALUE',
    at: [5, 24],
    key: 'settings.journal.keepDays',
    message: 'The number `-1` is not accepted here; expected a whole number from 1 to 3650.',
  },
  {
    text: 'settings:\n  redact: tok_.*',
    code: 'CONFIG_VALUE',
    at: [5, 11],
    key: 'settings.redact',
    message: 'The text `tok_.*` is not accepted here; expected a list of regexes.',
  },
  {
    text: 'settings:\n  redact:\n    - "tok_("',
    code: 'CONFIG_MATCHER',
    at: [6, 7],
    key: 'settings.redact[0]',
    message: 'The pattern `tok_(` is not a valid regex: missing closing ), at character 5.',
  },
  {
    text: 'settings:\n  redact:\n    - "x*"',
    code: 'CONFIG_MATCHER',
    at: [6, 7],
    key: 'settings.redact[0]',
    message: 'The pattern `x*` matches the empty text.',
  },
  {
    text: 'settings:\n  redact:\n    - "(?<=key=).+"',
    code: 'CONFIG_MATCHER',
    at: [6, 7],
    key: 'settings.redact[0]',
    message:
      'The pattern `(?<=key=).+` uses look-around or a back-reference, which cannot be used for masking.',
  },
]

const FILE = { path: '/p/.holdpoint/config.yaml', rank: 'project', trusted: false, root: '/p' } as const

function expected({ code, at, key, message }: Wrong): Problem {
  return { code, file: FILE.path, line: at[0], column: at[1], message, ...(key === undefined ? {} : { key }) }
}

describe('a broken file', () => {
  test.each(BROKEN)('$text', (wrong) => {
    expect(source.parse(wrong.text, FILE)).toEqual({ ok: false, problem: expected(wrong) })
  })
})

describe('one wrong part', () => {
  test.each(ONE_PART)('$text', (wrong) => {
    const result = source.parse(OK + wrong.text, FILE)
    expect(result.ok && result.value.problems[0]).toMatchObject(expected(wrong))
    const read = result.ok ? result.value.hooks.filter(({ run }) => run.unread === undefined) : []
    expect(read.map(({ id }) => id)).toEqual(['ok'])
    // A pack with a misspelled option stays enabled: only the wrong part gets its default.
    const stays = wrong.key?.startsWith('packs.safety')
      ? [{ pack: 'safety', options: wrong.key.includes('guards') ? { guards: {} } : {} }]
      : []
    expect(result.ok && result.value.packs.map(({ pack, options }) => ({ pack, options }))).toEqual(stays)
  })

  // What a schema cannot express (patterns, and two names for one key) is only checked by the code.
  test.each(ONE_PART.filter(({ code, key }) => code !== 'CONFIG_MATCHER' && !key?.endsWith('agentName')))(
    'the schema rejects it too: $text',
    ({ text }) => {
      const document = parseYaml(OK + text)
      if (!document.ok) throw new Error(document.problem.message)
      const yaml = toJson(document.value)
      if (!yaml.ok) throw new Error(yaml.problem.message)
      expect(configSchema.safeParse(yaml.value.json).success).toBe(false)
    },
  )
})
