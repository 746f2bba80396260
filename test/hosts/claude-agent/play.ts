import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { holdpointHooks, holdpointOptions } from '../../../src/adapters/claude-agent/index.ts'
import type { Act, Scenario, Seen } from '../../../src/adapters/scenarios.contract.ts'
import type { Runtime } from '../../../src/library/runtime.ts'
import { AGENTS, type Places } from '../agents.ts'
import { anthropic } from '../models/anthropic.ts'
import { type ModelServer, type ModelTurn, markOf, startModel, textIn, type Wire } from '../models/model.ts'
import { writeFile } from '../sandbox.ts'

/** The parts of the SDK that are used here. It is installed next to this file, only for tests with real programs. */
interface Sdk {
  query(call: { readonly prompt: unknown; readonly options: object }): AsyncIterable<Message>
  createSdkMcpServer(server: object): object
  tool(
    name: string,
    description: string,
    schema: object,
    run: (input: { text: string }) => Promise<object>,
  ): object
}

export interface Message {
  readonly type: string
  readonly subtype?: string
  readonly content?: unknown
}

const SDK = join(import.meta.dirname, '..', 'node_modules', '@anthropic-ai', 'claude-agent-sdk', 'sdk.mjs')

/** The real SDK with the real program, and a scripted model. */
export interface Stage {
  play(scene: Scenario, runtime: Runtime, log: string[]): Promise<Seen>
  /** The same with more options of `query`, and with turns in the program's own tools. */
  run(turns: readonly ModelTurn[], options: object): Promise<Pick<Seen, 'told' | 'ran' | 'requests'>>
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const sdk = (await import(SDK)) as Sdk
  const bodies: Body[] = []
  const model = await startModel(recording(bodies))
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-sdk-')))
  const inside = (name: string) => join(folder, name)
  const places: Places = {
    home: inside('home'),
    project: inside('project'),
    holdpoint: inside('holdpoint'),
    temporary: inside('tmp'),
  }
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true })
  const agent = AGENTS['claude-code']
  for (const [path, text] of Object.entries(agent.files(places, model.url))) writeFile(path, text)
  const surroundings = {
    cwd: places.project,
    env: agent.environment(places, model.url),
    // The user's settings files are read only in tests of the program itself.
    settingSources: [],
  }
  const run: RunQuery = async (script, options, prompt, { ran, see }) => {
    bodies.length = 0
    model.play(({ conversation = '', step }) => script[conversation]?.[step])
    const mcpServers = { notes: createNotes(sdk, ran) }
    for await (const message of sdk.query({ prompt, options: { ...surroundings, mcpServers, ...options } })) {
      see(message)
    }
    const main = bodies.filter((body) => textIn(body.messages[0]?.content).includes(markOf('main')))
    noStrangers(model)
    return { told: main.flatMap(toldBy), requests: main.length }
  }
  return {
    play: (scene, runtime, log) => play(scene, runtime, log, run),
    async run(turns, options) {
      const ran: string[] = []
      const seen = await run({ main: turns }, options, `Play ${markOf('main')}`, { ran, see: () => {} })
      return { ...seen, ran }
    },
    async close() {
      await model.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

type Script = Readonly<Record<string, readonly ModelTurn[]>>
type RunQuery = (
  script: Script,
  options: object,
  prompt: unknown,
  at: { readonly ran: string[]; see(message: Message): void },
) => Promise<Pick<Seen, 'told' | 'requests'>>

async function play(scene: Scenario, runtime: Runtime, log: string[], run: RunQuery): Promise<Seen> {
  const [ran, asked, notices]: [string[], string[], string[]] = [[], [], []]
  const ask = ({ reason }: { readonly reason: string }) => asked.push(reason) > 0 && scene.person === true
  const options = {
    ...(scene.person === undefined ? { hooks: holdpointHooks(runtime) } : holdpointOptions(runtime, { ask })),
    allowedTools: scene.ownQuestion === true ? ['Agent'] : ['Agent', NOTE],
    abortController: cancelOnceLogged(scene, log),
  }
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const prompt = scene.prompt === 'compact' ? thenCompact(finished) : `Play ${markOf('main')}`
  const see = (message: Message) => {
    if (message.type === 'result') finish()
    if (message.subtype === 'informational') notices.push(String(message.content))
  }
  const script = scriptOf(scene.turns ?? [[{ note: 'a' }]])
  const seen = await run(script, options, prompt, { ran, see }).catch((error: unknown) => {
    if (options.abortController.signal.aborted) return { told: [], requests: 0 }
    throw error
  })
  return { ...seen, ran, asked, notices }
}

export const NOTE = 'mcp__notes__note'

/** A tool of this process, which the program calls through the SDK. */
function createNotes(sdk: Sdk, ran: string[]): object {
  const note = sdk.tool('note', 'Notes a text.', { text: z.string() }, async ({ text }) => {
    ran.push(text)
    if (text === 'fail') throw new Error('the tool broke')
    const noted = text === 'large' ? 'x'.repeat(10 * 1024 * 1024) : `noted ${text}`
    return { content: [{ type: 'text', text: noted }] }
  })
  return sdk.createSdkMcpServer({ name: 'notes', version: '1.0.0', tools: [note] })
}

/** Each sub-agent plays a separate conversation. */
function scriptOf(turns: readonly (readonly Act[])[], name = 'main'): Script {
  let helpers: Script = {}
  const own = turns.map((acts, turn) => ({
    uses: acts.map((act, index) => {
      if ('note' in act) return { name: NOTE, input: { text: act.note } }
      const helper = `${name}-${turn}-${index}`
      helpers = { ...helpers, ...scriptOf(act.delegate, helper) }
      const prompt = `Help with ${markOf(helper)}`
      const input = {
        description: 'Help',
        prompt,
        subagent_type: 'general-purpose',
        run_in_background: false,
      }
      return { name: 'Agent', input }
    }),
  }))
  return { ...helpers, [name]: own }
}

async function* thenCompact(finished: Promise<void>) {
  const said = (content: string) => ({
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
  })
  yield said(`Play ${markOf('main')}`)
  await finished
  yield said('/compact')
}

function cancelOnceLogged(scene: Scenario, log: readonly string[]): AbortController {
  const controller = new AbortController()
  if (scene.cancelled !== true) return controller
  const look = setInterval(() => {
    if (log.length === 0) return
    clearInterval(look)
    controller.abort()
  }, 20)
  return controller
}

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** The scripted model, which also records the bodies of the requests. */
function recording(bodies: Body[]): Wire {
  return {
    ...anthropic,
    read(path, body) {
      const request = anthropic.read(path, body)
      if (request?.conversation !== undefined) bodies.push(body as Body)
      return request
    },
  }
}

function toldBy({ messages }: Body): Seen['told'] {
  const spoken = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(spoken + 1).flatMap(({ content }) => {
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
    return blocks.map((block) => {
      const isResult = typeof block === 'object' && block !== null && 'tool_use_id' in block
      return { place: isResult ? ('result' as const) : ('message' as const), text: textIn(block) }
    })
  })
}

function noStrangers(model: ModelServer): void {
  if (model.unexpected.length > 0)
    throw new Error(`traffic to somewhere else: ${model.unexpected.join(', ')}`)
}
