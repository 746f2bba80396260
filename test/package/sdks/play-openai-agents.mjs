// @ts-nocheck: each version of an SDK has types of its own, which sdk-versions.test.ts compiles a program with.
// Plays a guarded agent of the OpenAI Agents SDK that is installed next to this file, and prints what happened.
import { Agent, Runner, tool, Usage } from '@openai/agents'
import { createRuntime, defineHook } from 'holdpoint'
import { createRunCourier, guardAgent } from 'holdpoint/sdk/openai-agents'
import { z } from 'zod'

/** A model that calls these tools one after the other, and then says that it is done. */
function modelOf(calls) {
  const requests = []
  return {
    requests,
    getResponse: async ({ input }) => {
      requests.push(JSON.stringify(input))
      const [name, args] = calls[requests.length - 1] ?? []
      const callId = `call-${requests.length}`
      const call = {
        type: 'function_call',
        callId,
        name,
        arguments: JSON.stringify(args),
        status: 'completed',
      }
      const content = [{ type: 'output_text', text: 'Done.' }]
      const said = { type: 'message', role: 'assistant', status: 'completed', content }
      return { usage: new Usage(), output: [name === undefined ? said : call], responseId: callId }
    },
    getStreamedResponse: () => {
      throw new Error('not streamed')
    },
  }
}

const ran = []
const Bash = tool({
  name: 'Bash',
  description: 'Runs a command.',
  parameters: z.object({ command: z.string() }),
  execute: async ({ command }) => {
    ran.push(command)
    return `ran ${command}`
  },
})

const runtime = createRuntime({ packs: ['safety'] })
runtime.register(
  defineHook({
    on: 'PreToolUse',
    match: 'Bash',
    run: ({ tool: { input } }) => (input.command === 'deploy' ? { ask: 'Is that meant?' } : undefined),
  }),
)
runtime.register(
  defineHook({ on: 'PostToolUse', match: 'Bash', run: () => ({ context: 'Keep this in mind.' }) }),
)

async function play(calls, settings = {}) {
  const model = modelOf(calls)
  const helper = new Agent({ name: 'Helper', model, tools: [Bash] })
  const agent = new Agent({ name: 'Desk', model, tools: [Bash], handoffs: [helper] })
  const courier = createRunCourier()
  const runner = new Runner({ tracingDisabled: true, callModelInputFilter: courier.callModelInputFilter })
  const result = await runner.run(guardAgent(runtime, agent, { courier, ...settings }), 'Begin.')
  return { result, told: model.requests.at(-1) }
}

const { told } = await play([
  ['Bash', { command: 'git push --force' }],
  ['transfer_to_Helper', {}],
  ['Bash', { command: 'git push --force origin main' }],
  ['Bash', { command: 'ls' }],
])
const denials = told.split('Force push').length - 1
const deploy = [['Bash', { command: 'deploy' }]]
const asked = await play(deploy)
const refused = await play(deploy, { ask: () => false })
const agreed = await play(deploy, { ask: () => true })
console.log(
  JSON.stringify({
    denials,
    toldMore: told.includes('ran ls\\n\\nKeep this in mind.'),
    interruptions: asked.result.interruptions.length,
    refused: refused.told.includes('did not agree'),
    agreed: agreed.told.includes('ran deploy'),
    ran,
  }),
)
