import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentSetup, setUpAgent } from './agent-setup.ts'
import { isInFull } from './depth.ts'
import { ROOT, type Sandbox } from './sandbox.ts'
import { EVERY_PROGRAM } from './short/programs.ts'

/**
 * Settings that keep hooks from counting, and settings that only look so, on the real programs without their own
 * questions. What `status` says and whether `run` starts the program is compared with what happened.
 */

interface Setting {
  /** In the project, or with `~/` in the home of the user. */
  readonly file: string
  /** A value is merged into a JSON file that is there; a text is added to one. */
  readonly content: string | object
  /**
   * Whether the call ran that a guard denies. `stopped`: it would, but other hooks still run, and they let no prompt
   * through.
   */
  readonly runs: boolean | 'stopped'
  /** What a person reads about it. */
  readonly says?: string
}

const late = (event: string) => ({
  hooks: {
    [event]: [
      { matcher: '*', hooks: [{ type: 'command', command: `sleep 5; echo '${JSON.stringify(ALLOW)}'` }] },
    ],
  },
})
const ALLOW = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
  decision: 'allow',
  permissionDecision: 'allow',
}
/** Stands for the folder of our plugin. */
const PLUGIN = 'HOME/.agents/plugins/holdpoint'
const table = (more: string) => `\n[[hooks]]\nevent = "Stop"\n${more}\n`

const SETTINGS: Readonly<Record<string, readonly Setting[]>> = {
  'claude-code': [
    {
      file: '.claude/settings.json',
      content: { disableAllHooks: true },
      runs: true,
      says: '`disableAllHooks`',
    },
    { file: '.claude/settings.json', content: { disableAllHooks: false }, runs: false },
    { file: '.claude/settings.json', content: late('PreToolUse'), runs: false },
  ],
  codex: [
    {
      file: '.codex/config.toml',
      content: '[features]\nhooks = false\n',
      runs: true,
      says: '`hooks = false` under [features]',
    },
    { file: '.codex/config.toml', content: '[features]\nother = false\n', runs: false },
  ],
  gemini: [
    {
      file: '.gemini/settings.json',
      content: { hooksConfig: { enabled: false } },
      runs: true,
      says: '`hooksConfig.enabled`',
    },
    { file: '.gemini/settings.json', content: { hooksConfig: { enabled: 'false' } }, runs: true },
    { file: '.gemini/settings.json', content: { hooksConfig: { disabled: ['COMMAND'] } }, runs: 'stopped' },
    { file: '~/.gemini/settings.json', content: { hooksConfig: { enabled: false } }, runs: true },
    { file: '.gemini/settings.json', content: { hooksConfig: { enabled: true } }, runs: false },
    { file: '.gemini/settings.json', content: { tools: { enableHooks: false } }, runs: false },
    { file: '.gemini/settings.json', content: late('BeforeTool'), runs: false },
  ],
  qwen: [
    {
      file: '.qwen/settings.json',
      content: { disableAllHooks: true },
      runs: true,
      says: '`disableAllHooks`',
    },
    { file: '.qwen/settings.json', content: { disableAllHooks: 'false' }, runs: true },
    { file: '~/.qwen/settings.json', content: { disableAllHooks: true }, runs: true },
    { file: '.qwen/settings.json', content: { disableAllHooks: 0 }, runs: false },
    { file: '.qwen/settings.json', content: late('PreToolUse'), runs: false },
  ],
  droid: [
    {
      file: '.factory/settings.json',
      content: { hooks: { hooksDisabled: true } },
      runs: true,
      says: '`hooksDisabled`',
    },
    { file: '.factory/hooks.json', content: { hooksDisabled: true }, runs: true },
    { file: '.factory/hooks/hooks.json', content: { hooksDisabled: true }, runs: true },
    { file: '~/.factory/settings.json', content: { hooks: { hooksDisabled: true } }, runs: true },
    { file: '.factory/settings.json', content: { hooksDisabled: true }, runs: false },
    { file: '.factory/hooks.json', content: late('PreToolUse').hooks, runs: false },
  ],
  codebuddy: [
    {
      file: '.codebuddy/settings.json',
      content: late('PreToolUse'),
      runs: 'stopped',
      says: 'a hook that answers `allow` after ours',
    },
    { file: '.codebuddy/settings.local.json', content: late('PreToolUse'), runs: 'stopped' },
    { file: '.codebuddy/settings.json', content: late('PermissionRequest'), runs: false },
  ],
  goose: [
    {
      file: '.agents/plugins/holdpoint/plugin.json',
      content: {},
      runs: true,
      says: 'a plugin with the name of ours',
    },
    { file: '.agents/plugins/holdpoint/x.txt', content: 'x', runs: true },
    {
      file: '~/.config/goose/config.yaml',
      content: `\nplugins:\n  ${PLUGIN}:\n    enabled: false\n`,
      runs: true,
    },
    {
      file: '~/.config/goose/config.yaml',
      content: '\nplugins:\n  holdpoint:\n    enabled: false\n',
      runs: false,
    },
    { file: '.agents/plugins/other/hooks/hooks.json', content: late('PreToolUse'), runs: false },
  ],
  kimi: [
    { file: '~/.kimi-code/config.toml', content: table('command = "true"\nmode = 1'), runs: true },
    { file: '~/.kimi-code/config.toml', content: table('timeout = 5'), runs: true },
    { file: '~/.kimi-code/config.toml', content: table('command = "true"\ntimeout = 601'), runs: true },
    { file: '~/.kimi-code/config.toml', content: table('command = "true"\ntimeout = 600'), runs: false },
    { file: '.kimi-code/config.toml', content: 'hooks = []\n', runs: false },
  ],
  copilot: [
    { file: '.github/copilot/settings.json', content: { disableAllHooks: true }, runs: false },
    { file: '.github/hooks/holdpoint.json', content: { version: 1, hooks: {} }, runs: false },
  ],
  grok: [
    { file: '.grok/hooks/holdpoint.json', content: { hooks: {} }, runs: false },
    { file: '.grok/hooks/other.json', content: late('PreToolUse'), runs: false },
  ],
  opencode: [
    { file: '.opencode/plugin/holdpoint.js', content: 'export const X = async () => ({})\n', runs: false },
  ],
  kilo: [{ file: '.kilo/plugin/holdpoint.js', content: 'export const X = async () => ({})\n', runs: false }],
  pi: [
    { file: '~/.pi/agent/settings.json', content: { extensions: ['-extensions/holdpoint.js'] }, runs: true },
    { file: '.pi/settings.json', content: { extensions: ['-extensions/holdpoint.js'] }, runs: false },
  ],
  openclaw: [
    { file: '~/.openclaw/openclaw.json', content: { plugins: { deny: ['holdpoint'] } }, runs: true },
    { file: '~/.openclaw/openclaw.json', content: { plugins: { enabled: false } }, runs: true },
  ],
  cline: [{ file: '.cline/plugins/holdpoint.js', content: 'export default {}\n', runs: false }],
}

/** A guard denies it, and what stands before it leaves a mark. */
const DENIED = 'touch ran.txt; cat ~/.aws/credentials'

for (const [id, settings] of Object.entries(SETTINGS)) {
  describe(`settings of ${id}`, () => {
    const program = EVERY_PROGRAM[id]
    if (program === undefined) throw new Error(`There is no program "${id}".`)
    let setup: AgentSetup
    beforeAll(async () => {
      setup = await setUpAgent(program.agent)
    })
    afterAll(() => setup.close())

    it('none: the call is denied, and `status` says that it is guarded', async () => {
      expect(await played(setup, id)).toEqual({ runs: false, guarded: true, starts: true })
    })

    it.each(isInFull(id) ? settings : settings.slice(0, 1))('$file: $content', async (setting) => {
      const isOff = setting.runs !== false
      const { starts, ...seen } = await played(setup, id, setting)
      expect(seen).toEqual({ runs: setting.runs === true, guarded: !isOff })
      if (isOff) expect(starts).toBe(false)
    })
  })
}

/** What happened to the call, what `status` says afterwards, and whether `run` starts the program. */
async function played(setup: AgentSetup, host: string, setting?: Setting) {
  const script = { main: [{ do: [{ shell: DENIED }] }, { say: 'Done.' }] }
  return setup.run(script, async (sandbox) => {
    if (setting !== undefined) put(sandbox, setting)
    await sandbox.run({ skipPermissions: true })
    const runs = existsSync(join(sandbox.places.project, 'ran.txt'))
    const PATH = `${join(sandbox.places.temporary, 'programs')}:${sandbox.env.PATH}`
    const ask = (words: readonly string[]) =>
      sandbox.holdpoint([...words, '--home', sandbox.places.holdpoint], { PATH })
    const { agents } = JSON.parse(ask(['status', '--json']).stdout) as {
      agents: readonly { host: string; guarded: boolean; because: readonly string[] }[]
    }
    const found = agents.find((each) => each.host === host)
    // Codex is started with an option for hooks that nobody has trusted yet.
    const guarded = found?.guarded === true || found?.because.every((why) => /trust/.test(why)) === true
    const started = sandbox.holdpoint(
      ['run', '--home', sandbox.places.holdpoint, sandbox.agent.command, '--version'],
      { PATH },
    )
    return { runs, guarded, starts: !started.stderr.includes('HOOKS_OFF') }
  })
}

function put({ places, write }: Sandbox, { file, content }: Setting): void {
  const path = file.startsWith('~/') ? join(places.home, file.slice(2)) : join(places.project, file)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  if (typeof content === 'string') {
    write(path, `${before ?? ''}${content.replaceAll('HOME', places.home)}`)
    return
  }
  const own = join(places.home, '.gemini', 'settings.json')
  const command = existsSync(own)
    ? JSON.parse(readFileSync(own, 'utf8')).hooks.BeforeTool[0].hooks[0].command
    : ''
  const text = JSON.stringify(merged(before === undefined ? {} : JSON.parse(before), content))
  write(
    path,
    text.replace('"COMMAND"', () => JSON.stringify(command)),
  )
}

type Tree = Readonly<Record<string, unknown>>

function merged(into: Tree, more: object): Tree {
  return Object.fromEntries(
    Object.entries({ ...into, ...more }).map(([key, value]) => {
      const old = into[key]
      const isTree = (each: unknown): each is Tree =>
        typeof each === 'object' && each !== null && !Array.isArray(each)
      return [key, isTree(value) && isTree(old) && key in more ? merged(old, value) : value]
    }),
  )
}

it('docs/hosts/switches.md names every agent that lets a repository win', () => {
  const rows = Object.entries(SETTINGS).map(([id, settings]) => {
    const won = settings.filter(({ file, runs }) => runs !== false && !file.startsWith('~/'))
    const files = [...new Set(won.map(({ file }) => `\`${file}\``))].join(', ')
    const [says] = won.flatMap((each) => each.says ?? [])
    const can = won.some(({ runs }) => runs === true)
      ? '**yes**'
      : 'it could, so Holdpoint lets no prompt through'
    return `| ${EVERY_PROGRAM[id]?.agent.title ?? id} | ${won.length === 0 ? 'no' : `${can}: ${says} in ${files}`} |`
  })
  const page = join(ROOT, 'docs/hosts/switches.md')
  const text = readFileSync(page, 'utf8')
  const wanted = text.replace(/(?<=\| --- \| --- \|\n)[\s\S]*?(?=\n\n)/, () => rows.join('\n'))
  if (process.env.HOLDPOINT_WRITE_DOCS === '1') writeFileSync(page, wanted)
  expect(process.env.HOLDPOINT_WRITE_DOCS === '1' ? wanted : text).toBe(wanted)
})
