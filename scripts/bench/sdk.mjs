import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { percentile } from './rate.mjs'

/**
 * The cost of an SDK's tool call with hooks, compared with the same call without: the adapter itself, a tool
 * that does something, and a whole turn of the loop. Ten functions get every event.
 */
export async function measureSdk(root, rounds) {
  const load = (path) => import(pathToFileURL(join(root, path)))
  const { createRuntime } = await load('dist/lib/index.js')
  const hooked = () => {
    const runtime = createRuntime({ cwd: '/', env: {} })
    for (let i = 0; i < 10; i += 1)
      runtime.register({ on: ['PreToolUse', 'PostToolUse'], run: () => undefined })
    return runtime
  }
  return [
    ...(await measureAi(load, hooked(), rounds)),
    ...(await measureOpenai(load, hooked(), rounds)),
    ...(await measureClaudeAgent(root, load, hooked(), Math.min(rounds, 200))),
  ]
}

async function measureAi(load, runtime, rounds) {
  const { generateText, jsonSchema, stepCountIs, tool } = await import('ai')
  const { MockLanguageModelV3 } = await import('ai/test')
  const { guardTools } = await load('dist/lib/ai.js')
  const inputSchema = jsonSchema({ type: 'object' })
  const file = new URL(import.meta.url)
  const bare = {
    nothing: tool({ inputSchema, execute: async () => 'done' }),
    read: tool({ inputSchema, execute: async () => await readFile(file, 'utf8') }),
  }
  const guarded = guardTools(runtime, bare, { session: 'bench' })
  let calls = 0
  // As the SDK does it: the approval question first, then the call.
  const callOf = (tools, name) => async () => {
    calls += 1
    const options = { toolCallId: `call-${calls}`, messages: [] }
    const input = { path: 'notes.txt', command: 'ls -la' }
    await tools[name].needsApproval?.(input, options)
    await tools[name].execute(input, options)
  }
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const isFirst = prompt.length === 1
      const call = {
        type: 'tool-call',
        toolCallId: `turn-${calls++}`,
        toolName: 'read',
        input: '{"path":"notes.txt"}',
      }
      return {
        content: isFirst ? [call] : [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: isFirst ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
  const turnOf = (tools) => () => generateText({ model, tools, prompt: 'Go.', stopWhen: stepCountIs(2) })
  return [
    await compare(
      'AI SDK: a tool that does nothing',
      rounds,
      callOf(bare, 'nothing'),
      callOf(guarded, 'nothing'),
    ),
    await compare('AI SDK: a tool that reads a file', rounds, callOf(bare, 'read'), callOf(guarded, 'read')),
    await compare('AI SDK: `generateText` with that call', rounds / 4, turnOf(bare), turnOf(guarded)),
  ]
}

async function measureOpenai(load, runtime, rounds) {
  const { Agent, Runner, tool } = await import('@openai/agents')
  const { assistantMessage, functionCall } = await import('@openai/agents/testing')
  const { guardAgent } = await load('dist/lib/openai-agents.js')
  const file = new URL(import.meta.url)
  const parameters = {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  }
  const tools = [
    tool({ name: 'nothing', description: 'Does nothing.', parameters, execute: async () => 'done' }),
    tool({
      name: 'read',
      description: 'Reads.',
      parameters,
      execute: async () => await readFile(file, 'utf8'),
    }),
  ]
  let calls = 0
  const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  const model = {
    getResponse: async ({ input }) => {
      calls += 1
      const call = functionCall('read', { path: 'notes.txt' }, { callId: `turn-${calls}` })
      return { usage, output: input.length === 1 ? [call] : [assistantMessage('Done.')] }
    },
  }
  const bare = new Agent({ name: 'main', model, tools })
  const guarded = guardAgent(runtime, bare, { session: 'bench' })
  const runner = new Runner({ tracingDisabled: true })
  // As the SDK does it: the approval question first, then the call. The context is that of a run.
  const { state } = await runner.run(bare, 'Go.')
  const context = state._context
  const callOf = async (agent, name) => {
    const made = (await agent.getAllTools(context)).find((each) => each.name === name)
    const input = '{"path":"notes.txt"}'
    return async () => {
      calls += 1
      const toolCall = functionCall(name, input, { callId: `call-${calls}` })
      await made.needsApproval(context, JSON.parse(input), toolCall.callId)
      await made.invoke(context, input, { toolCall })
    }
  }
  const turnOf = (agent) => () => runner.run(agent, 'Go.')
  const [nothing, read] = ['nothing', 'read'].map((name) => [callOf(bare, name), callOf(guarded, name)])
  return [
    await compare('OpenAI Agents SDK: a tool that does nothing', rounds, ...(await Promise.all(nothing))),
    await compare('OpenAI Agents SDK: a tool that reads a file', rounds, ...(await Promise.all(read))),
    await compare('OpenAI Agents SDK: `run` with that call', rounds / 4, turnOf(bare), turnOf(guarded)),
  ]
}

/** The same calls in turn, so that other load on the machine affects both. */
async function compare(what, rounds, bare, guarded) {
  const times = { bare: [], guarded: [] }
  for (let i = -200; i < rounds; i += 1) {
    for (const [name, run] of [
      ['bare', bare],
      ['guarded', guarded],
    ]) {
      const started = performance.now()
      await run()
      if (i >= 0) times[name].push((performance.now() - started) * 1000)
    }
  }
  return { what, ...times }
}

/**
 * The real program behind the SDK, with a model that makes one call after another: the time from one call to
 * the next.
 */
async function measureClaudeAgent(root, load, runtime, rounds) {
  const sdk = join(root, 'test/hosts/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs')
  const what = 'Claude Agent SDK: from call to call'
  if (!existsSync(sdk)) return [{ what, bare: [], guarded: [] }]
  const { createSdkMcpServer, query, tool } = await import(pathToFileURL(sdk))
  const { holdpointHooks } = await load('dist/lib/claude-agent.js')
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url)
  const { startModel } = await jiti.import(join(root, 'test/hosts/models/model.ts'))
  const { anthropic } = await jiti.import(join(root, 'test/hosts/models/anthropic.ts'))
  const { AGENTS } = await jiti.import(join(root, 'test/hosts/agents.ts'))
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-sdk-'))
  const places = Object.fromEntries(
    ['home', 'project', 'holdpoint', 'temporary'].map((name) => [name, join(folder, name)]),
  )
  const model = await startModel(anthropic)
  const agent = AGENTS['claude-code']
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true })
  for (const [path, text] of Object.entries(agent.files(places, model.url))) {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  const use = { name: 'mcp__notes__note', input: { text: 'a' } }
  model.play(({ conversation, step }) =>
    conversation === 'main' && step <= rounds ? { uses: [use] } : { text: 'Done.' },
  )
  const intervals = async (hooks) => {
    const at = []
    const note = tool('note', 'Notes.', {}, async () => {
      at.push(performance.now())
      return { content: [{ type: 'text', text: 'noted' }] }
    })
    const options = {
      cwd: places.project,
      env: agent.environment(places, model.url),
      settingSources: [],
      mcpServers: { notes: createSdkMcpServer({ name: 'notes', version: '1.0.0', tools: [note] }) },
      allowedTools: [use.name],
      maxTurns: rounds + 10,
      ...hooks,
    }
    for await (const _message of query({ prompt: 'Play <<main>>', options }));
    return at.slice(1).map((time, index) => (time - at[index]) * 1000)
  }
  try {
    const events = ['PreToolUse', 'PostToolUse']
    const times = { bare: [], guarded: [] }
    for (let pass = 0; pass < 2; pass += 1) {
      times.bare.push(...(await intervals({})))
      times.guarded.push(...(await intervals({ hooks: holdpointHooks(runtime, { events }) })))
    }
    return [{ what, ...times }]
  } finally {
    await model.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

export function sdkRows(measured) {
  const micros = (times, p) => {
    const value = percentile(times, p)
    return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
  }
  const ratio = ({ bare, guarded }, p) => `${(percentile(guarded, p) / percentile(bare, p)).toFixed(2)}x`
  return {
    title: 'A tool call through an SDK',
    head: ['call', 'bare p50 µs', 'behind hooks p50 µs', 'ratio p50', 'ratio p99'],
    rows: measured.map((each) =>
      each.bare.length === 0
        ? [each.what.padEnd(44), 'not measured: `npm ci --prefix test/hosts` first', '', '', '']
        : [
            each.what.padEnd(44),
            micros(each.bare, 50),
            micros(each.guarded, 50),
            ratio(each, 50),
            ratio(each, 99),
          ],
    ),
    note: 'Ten functions with no opinion look at each call before and after it runs. A tool that does nothing shows the adapter itself. With the Claude Agent SDK, each event is a message to the program and back; the time from call to call includes a turn of a scripted model.',
  }
}
