import {
  Agent,
  applyPatchTool,
  computerTool,
  hostedMcpTool,
  type MCPServer,
  Runner,
  shellTool,
  type Tool,
  tool,
  webSearchTool,
} from '@openai/agents'
import { SandboxAgent } from '@openai/agents/sandbox'
import { UnixLocalSandboxClient } from '@openai/agents/sandbox/local'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { onPost, onPre, runtimeWith } from '../../../test/sdk/guarded.ts'
import { type OpenaiTurn, openaiModel, toldTo } from '../../../test/sdk/openai-model.ts'
import type { Runtime } from '../../library/runtime.ts'
import { OPENAI_TOOL_KINDS } from './adapter.ts'
import { type GuardOptions, guardAgent } from './index.ts'

const runner = new Runner({ tracingDisabled: true, sandbox: { client: new UnixLocalSandboxClient() } })
const deny = () => runtimeWith(onPre(() => ({ deny: 'not here' })))

interface Kind {
  readonly tools?: (ran: string[], runtime: Runtime) => Tool[]
  readonly mcpServers?: (ran: string[]) => MCPServer[]
  readonly isSandbox?: true
  readonly turn: OpenaiTurn
}

const plain = (ran: string[], name = 'note') =>
  tool({
    name,
    description: 'Notes.',
    parameters: z.object({ text: z.string() }),
    execute: async ({ text }) => `ran ${ran.push(text)}`,
  })

const shell = (ran: string[]) => ({
  run: async ({ commands }: { readonly commands: readonly string[] }) => {
    ran.push(...commands)
    return { output: [{ stdout: 'ran', stderr: '', outcome: { type: 'exit', exitCode: 0 } as const }] }
  },
})

const editor = (ran: string[]) => {
  const edit = async ({ path }: { readonly path: string }) => {
    ran.push(path)
    return { output: 'ran' }
  }
  return { createFile: edit, updateFile: edit, deleteFile: edit }
}

const server = (ran: string[]): MCPServer =>
  ({
    name: 'notes',
    cacheToolsList: false,
    connect: async () => {},
    close: async () => {},
    invalidateToolsCache: async () => {},
    listTools: async () => [
      {
        name: 'keep',
        description: 'Keeps a text.',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      },
    ],
    callTool: async (_name: string, input: { readonly text?: string } | null) => {
      ran.push(String(input?.text))
      return [{ type: 'text', text: 'ran' }]
    },
  }) as unknown as MCPServer

const helper = (ran: string[]) =>
  new Agent({
    name: 'helper',
    model: openaiModel([{ calls: [{ tool: 'note', input: { text: 'inner' } }] }, { text: 'ran' }]),
    tools: [plain(ran)],
  })

const shellCall = (...commands: string[]) => ({
  items: [{ type: 'shell_call', callId: 'shell-1', action: { commands } }] as never,
})
const patchCall = (path: string) => ({
  items: [
    {
      type: 'apply_patch_call',
      callId: 'patch-1',
      status: 'completed',
      operation: { type: 'create_file', path, diff: '+hello' },
    },
  ] as never,
})
const never = () => Promise.reject(new Error('not in this test'))
const computer = {
  ...{ screenshot: never, click: never, doubleClick: never, drag: never, keypress: never },
  ...{ move: never, scroll: never, type: never, wait: never },
}

const KINDS: Readonly<Record<keyof typeof OPENAI_TOOL_KINDS, Kind>> = {
  function: { tools: (ran) => [plain(ran)], turn: { calls: [{ tool: 'note', input: { text: 'a' } }] } },
  mcp: { mcpServers: (ran) => [server(ran)], turn: { calls: [{ tool: 'keep', input: { text: 'a' } }] } },
  agent: {
    tools: (ran, runtime) => [guardAgent(runtime, helper(ran)).asTool({ toolName: 'help' })],
    turn: { calls: [{ tool: 'help', input: { input: 'Help.' } }] },
  },
  unguardedAgent: {
    tools: (ran) => [helper(ran).asTool({ toolName: 'help' })],
    turn: { calls: [{ tool: 'help', input: { input: 'Help.' } }] },
  },
  shell: { tools: (ran) => [shellTool({ shell: shell(ran) })], turn: shellCall('ls', 'pwd') },
  patch: { tools: (ran) => [applyPatchTool({ editor: editor(ran) })], turn: patchCall('a.txt') },
  sandbox: { isSandbox: true, turn: { calls: [{ tool: 'exec_command', input: { cmd: 'echo ran' } }] } },
  computer: { tools: () => [computerTool({ computer })], turn: {} },
  hosted: { tools: () => [webSearchTool()], turn: {} },
}

async function played(
  { tools, mcpServers, isSandbox, turn }: Kind,
  runtime: Runtime,
  options: GuardOptions = {},
) {
  const ran: string[] = []
  const model = openaiModel([turn])
  const agent = new (isSandbox === true ? SandboxAgent : Agent)({
    name: 'main',
    model,
    tools: tools?.(ran, runtime) ?? [],
    mcpServers: mcpServers?.(ran) ?? [],
  })
  const result = await runner.run(guardAgent(runtime, agent, options), 'Begin.')
  const told = toldTo(model)
    .filter(({ place }) => place === 'result')
    .map(({ text }) => text)
    .join('\n')
  return { ran, told, result }
}

describe('kinds of tools', () => {
  const kinds = Object.entries(OPENAI_TOOL_KINDS).map(
    ([kind, { before, after }]) => [kind as keyof typeof OPENAI_TOOL_KINDS, before, after] as const,
  )

  it.each(kinds)('%s: before it runs %s, after %s', async (kind, before, after) => {
    const outcome = await played(KINDS[kind], deny()).then(
      ({ ran, told }) => `${ran.join()}${told}`,
      (error: unknown) => String(error),
    )
    expect(outcome).toContain(before === 'checked' ? 'not here' : 'unguarded')
    if (before === 'checked') expect((await played(KINDS[kind], deny())).ran).toEqual([])
    const seen: unknown[] = []
    const watching = runtimeWith(onPost(({ output, agentId }) => void (agentId ?? seen.push(output))))
    await played(KINDS[kind], watching).catch(() => undefined)
    expect(JSON.stringify(seen).includes('ran')).toBe(after === 'checked')
  })

  it.each(['computer', 'hosted', 'unguardedAgent'] as const)('%s: passes if it is named', async (kind) => {
    const unguarded = ['computer_use_preview', 'web_search', 'help']
    expect((await played(KINDS[kind], runtimeWith(), { unguarded })).result.finalOutput).toBe('Done.')
  })

  it('a hosted MCP server is refused too', () => {
    const tools = [hostedMcpTool({ serverLabel: 'x', serverUrl: 'https://example.com' })]
    expect(() => guardAgent(deny(), new Agent({ name: 'main', tools }))).toThrow('runs at the provider')
  })

  it('a tool that is added later is checked, or ends the run', async () => {
    const ran: string[] = []
    const model = openaiModel([{ calls: [{ tool: 'note', input: { text: 'a' } }] }])
    const original = new Agent({ name: 'main', model })
    const agent = guardAgent(deny(), original)
    original.tools.push(plain(ran))
    await runner.run(agent, 'Begin.')
    expect([ran, toldTo(model).at(-1)?.text]).toEqual([[], 'not here'])
    original.tools.push(webSearchTool())
    await expect(runner.run(agent, 'Begin.')).rejects.toThrow('runs at the provider')
  })

  it('a copy of a guarded agent is guarded', async () => {
    const ran: string[] = []
    const model = openaiModel([{ calls: [{ tool: 'note', input: { text: 'a' } }] }])
    const agent = guardAgent(deny(), new Agent({ name: 'main', tools: [plain(ran)] })).clone({ model })
    await runner.run(agent, 'Begin.')
    expect([ran, agent instanceof Agent]).toEqual([[], true])
  })
})

describe('the local shell', () => {
  it('is a call of Bash for hooks, which may change it', async () => {
    const seen: unknown[] = []
    const runtime = runtimeWith(
      onPre(
        ({ tool: { name, input, useId } }) => {
          seen.push([name, input, useId])
          return { rewrite: { command: 'ls -l' } }
        },
        { rewrites: true },
      ),
      onPost(() => ({ effect: 'pass', output: 'masked', context: [{ text: 'keep in mind', to: 'self' }] })),
    )
    const { ran, told } = await played(KINDS.shell, runtime)
    expect([ran, seen]).toEqual([['ls -l'], [['Bash', { command: 'ls\npwd' }, 'shell-1']]])
    expect(told).toContain('masked\\n\\nkeep in mind')
  })

  it('is stopped by the guards of the safety pack', async () => {
    const { createRuntime } = await import('../../library/runtime.ts')
    const runtime = createRuntime({ packs: ['safety'], cwd: '/srv/project' })
    const kind = { ...KINDS.shell, turn: shellCall('ls', 'git push --force origin main') }
    expect((await played(kind, runtime)).ran).toEqual([])
  })

  it.each([
    [true, ['ls', 'pwd']],
    [false, []],
  ])('asks by approval: %s', async (isApproved, expected) => {
    const runtime = runtimeWith(onPre(() => ({ ask: 'Sure?' })))
    const ran: string[] = []
    const model = openaiModel([shellCall('ls', 'pwd')])
    const agent = guardAgent(
      runtime,
      new Agent({ name: 'main', model, tools: [shellTool({ shell: shell(ran) })] }),
    )
    const { interruptions, state } = await runner.run(agent, 'Begin.')
    expect([interruptions.length, ran]).toEqual([1, []])
    for (const item of interruptions) isApproved ? state.approve(item) : state.reject(item)
    await runner.run(agent, state)
    expect(ran).toEqual(expected)
  })
})

describe('the patch tool', () => {
  it('is a patch for hooks, which cannot change it', async () => {
    const seen: unknown[] = []
    const watching = runtimeWith(onPre(({ tool: { input } }) => void seen.push(input.command)))
    expect((await played(KINDS.patch, watching)).ran).toEqual(['a.txt'])
    expect(seen).toEqual(['*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch'])
    const changing = runtimeWith(onPre(() => ({ rewrite: { command: 'x' } })))
    const { ran, told } = await played(KINDS.patch, changing)
    expect([ran, told]).toEqual([[], expect.stringContaining('cannot change a patch')])
  })

  it('does not write a secret file, nor a path that no hook can read', async () => {
    const { createRuntime } = await import('../../library/runtime.ts')
    const runtime = createRuntime({ packs: ['secrets'], cwd: '/srv/project' })
    for (const path of ['.env', 'a\nb']) {
      expect((await played({ ...KINDS.patch, turn: patchCall(path) }, runtime)).ran).toEqual([])
    }
  })
})
