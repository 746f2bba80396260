import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packedModule } from '../built-module.mjs'
import { percentile } from './rate.mjs'

/** @typedef {import('./amounts.mjs').Amounts} Amounts */
/** @typedef {import('../../src/index.ts').Runtime} Runtime */
/** @typedef {Record<'bare' | 'guarded', number[]>} Times */
/** @typedef {Times & { readonly what: string }} Measured */

/**
 * The cost of an SDK's tool call with hooks, compared with the same call without: the adapter itself, a tool
 * that does something, and a whole turn of the loop. Ten functions get every event.
 * @param {string} root
 * @param {Amounts} amounts
 * @returns {Promise<readonly Measured[]>}
 */
export async function measureSdk(root, amounts) {
  const { createRuntime } = await packedModule('lib/index.js')
  const hooked = () => {
    const runtime = createRuntime({ cwd: '/', env: {} })
    for (let i = 0; i < 10; i += 1)
      runtime.register({ on: ['PreToolUse', 'PostToolUse'], run: () => undefined })
    return runtime
  }
  return [
    ...(await measureAi(hooked(), amounts)),
    ...(await measureOpenai(hooked(), amounts)),
    ...(await measureClaudeAgent(root, hooked(), Math.min(amounts.rounds, 200))),
  ]
}

/**
 * @param {Runtime} runtime
 * @param {Amounts} amounts
 */
async function measureAi(runtime, amounts) {
  const { generateText, jsonSchema, stepCountIs, tool } = await import('ai')
  const { MockLanguageModelV3 } = await import('ai/test')
  const { guardTools } = await packedModule('lib/ai.js')
  const inputSchema = /** @type {typeof jsonSchema<{ path: string }>} */ (jsonSchema)({ type: 'object' })
  const file = new URL(import.meta.url)
  const bare = {
    nothing: tool({ inputSchema, execute: async () => 'done' }),
    read: tool({ inputSchema, execute: async () => await readFile(file, 'utf8') }),
  }
  const guarded = guardTools(runtime, bare, { session: 'bench' })
  let calls = 0
  // As the SDK does it: the approval question first, then the call.
  /** @type {(tools: typeof bare, name: keyof typeof bare) => () => Promise<void>} */
  const callOf = (tools, name) => async () => {
    calls += 1
    const options = { toolCallId: `call-${calls}`, messages: [] }
    const input = { path: 'notes.txt', command: 'ls -la' }
    const { needsApproval, execute } = tools[name]
    if (typeof needsApproval === 'function') await needsApproval(input, options)
    await execute?.(input, options)
  }
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const isFirst = prompt.length === 1
      const call = /** @type {const} */ ({
        type: 'tool-call',
        toolCallId: `turn-${calls++}`,
        toolName: 'read',
        input: '{"path":"notes.txt"}',
      })
      return {
        content: isFirst ? [call] : [/** @type {const} */ ({ type: 'text', text: 'Done.' })],
        finishReason: { unified: isFirst ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
  /** @param {typeof bare} tools */
  const turnOf = (tools) => () => generateText({ model, tools, prompt: 'Go.', stopWhen: stepCountIs(2) })
  return [
    await compare(
      'AI SDK: a tool that does nothing',
      amounts,
      callOf(bare, 'nothing'),
      callOf(guarded, 'nothing'),
    ),
    await compare('AI SDK: a tool that reads a file', amounts, callOf(bare, 'read'), callOf(guarded, 'read')),
    await compare('AI SDK: `generateText` with that call', aQuarter(amounts), turnOf(bare), turnOf(guarded)),
  ]
}

/**
 * @param {Runtime} runtime
 * @param {Amounts} amounts
 */
async function measureOpenai(runtime, amounts) {
  const { Agent, Runner, tool, Usage } = await import('@openai/agents')
  const { assistantMessage, functionCall } = await import('@openai/agents/testing')
  const { guardAgent } = await packedModule('lib/openai-agents.js')
  const file = new URL(import.meta.url)
  /** @type {{ type: 'object', properties: { path: { type: 'string' } }, required: 'path'[], additionalProperties: false }} */
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
  const usage = new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 })
  /** @type {import('@openai/agents').Model} */
  const model = {
    getResponse: async ({ input }) => {
      calls += 1
      const call = functionCall('read', { path: 'notes.txt' }, { callId: `turn-${calls}` })
      return { usage, output: input.length === 1 ? [call] : [assistantMessage('Done.')] }
    },
    getStreamedResponse: () => {
      throw new Error('nothing is streamed here')
    },
  }
  const bare = new Agent({ name: 'main', model, tools })
  const guarded = guardAgent(runtime, bare, { session: 'bench' })
  const runner = new Runner({ tracingDisabled: true })
  // As the SDK does it: the approval question first, then the call. The context is that of a run.
  const { state } = await runner.run(bare, 'Go.')
  const context = state._context
  /** @type {(agent: typeof bare, name: string) => Promise<() => Promise<void>>} */
  const callOf = async (agent, name) => {
    const made = (await agent.getAllTools(context)).find((each) => each.name === name)
    if (made?.type !== 'function') throw new Error(`the agent has no tool ${name}`)
    const input = '{"path":"notes.txt"}'
    return async () => {
      calls += 1
      const toolCall = functionCall(name, input, { callId: `call-${calls}` })
      await made.needsApproval(context, JSON.parse(input), toolCall.callId)
      await made.invoke(context, input, { toolCall })
    }
  }
  /** @param {typeof bare} agent */
  const turnOf = (agent) => () => runner.run(agent, 'Go.')
  return [
    await compare(
      'OpenAI Agents SDK: a tool that does nothing',
      amounts,
      await callOf(bare, 'nothing'),
      await callOf(guarded, 'nothing'),
    ),
    await compare(
      'OpenAI Agents SDK: a tool that reads a file',
      amounts,
      await callOf(bare, 'read'),
      await callOf(guarded, 'read'),
    ),
    await compare(
      'OpenAI Agents SDK: `run` with that call',
      aQuarter(amounts),
      turnOf(bare),
      turnOf(guarded),
    ),
  ]
}

/**
 * The same calls in turn, so that other load on the machine affects both.
 * @param {string} what
 * @param {Amounts} amounts
 * @param {() => Promise<unknown>} bare
 * @param {() => Promise<unknown>} guarded
 * @returns {Promise<Measured>}
 */
async function compare(what, { rounds, callWarmUps }, bare, guarded) {
  /** @type {Times} */
  const times = { bare: [], guarded: [] }
  for (let i = -callWarmUps; i < rounds; i += 1) {
    for (const [all, run] of /** @type {const} */ ([
      [times.bare, bare],
      [times.guarded, guarded],
    ])) {
      const started = performance.now()
      await run()
      if (i >= 0) all.push((performance.now() - started) * 1000)
    }
  }
  return { what, ...times }
}

/**
 * A whole turn takes longer than a call.
 * @param {Amounts} amounts
 */
function aQuarter(amounts) {
  return { ...amounts, rounds: Math.ceil(amounts.rounds / 4) }
}

/**
 * The real program behind the SDK, with a model that makes one call after another: the time from one call to
 * the next.
 * @param {string} root
 * @param {Runtime} runtime
 * @param {number} rounds
 * @returns {Promise<readonly Measured[]>}
 */
async function measureClaudeAgent(root, runtime, rounds) {
  const sdk = join(root, 'test/hosts/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs')
  const what = 'Claude Agent SDK: from call to call'
  if (!existsSync(sdk)) return [{ what, bare: [], guarded: [] }]
  const { createSdkMcpServer, query, tool } = await import(pathToFileURL(sdk).href)
  const { holdpointHooks } = await packedModule('lib/claude-agent.js')
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url)
  /** @type {typeof import('../../test/hosts/models/model.ts')} */
  const { startModel } = await jiti.import(join(root, 'test/hosts/models/model.ts'))
  /** @type {typeof import('../../test/hosts/models/anthropic.ts')} */
  const { anthropic } = await jiti.import(join(root, 'test/hosts/models/anthropic.ts'))
  /** @type {typeof import('../../test/hosts/agents.ts')} */
  const { AGENTS } = await jiti.import(join(root, 'test/hosts/agents.ts'))
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-sdk-'))
  const places = {
    home: join(folder, 'home'),
    project: join(folder, 'project'),
    holdpoint: join(folder, 'holdpoint'),
    temporary: join(folder, 'temporary'),
  }
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
  /** @param {{ readonly hooks?: unknown }} more */
  const intervals = async (more) => {
    /** @type {number[]} */
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
      ...more,
    }
    for await (const _message of query({ prompt: 'Play <<main>>', options }));
    return at.slice(1).map((time, index) => (time - (at[index] ?? time)) * 1000)
  }
  try {
    const events = /** @type {const} */ (['PreToolUse', 'PostToolUse'])
    /** @type {Times} */
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

/**
 * @param {readonly Measured[]} measured
 * @returns {import('./report.mjs').Section}
 */
export function sdkRows(measured) {
  /** @type {(times: readonly number[], p: number) => string} */
  const micros = (times, p) => {
    const value = percentile(times, p)
    return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
  }
  /** @type {(measured: Times, p: number) => string} */
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
