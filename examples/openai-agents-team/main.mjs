// A team of agents of the OpenAI Agents SDK behind hooks: `node examples/openai-agents-team/main.mjs` (after `npm run build`).
// The models are scripts (scripted-model.mjs), so that it runs anywhere; put real ones in their place and nothing else changes.
import { Agent, Runner, shellTool, tool } from '@openai/agents'
import { createRuntime, defineHook } from 'holdpoint'
import { createRunCourier, guardAgent } from 'holdpoint/sdk/openai-agents'
import { z } from 'zod'
import { scriptedModel } from './scripted-model.mjs'

const refund = tool({
  name: 'refund',
  description: 'Pays money back.',
  parameters: z.object({ order: z.string(), amount: z.number() }),
  execute: async ({ order, amount }) => `refunded ${amount} for ${order} (card 4111-1111)`,
})
const shell = shellTool({
  shell: {
    run: async ({ commands }) => ({
      output: commands.map((command) => ({
        stdout: `ran ${command}`,
        stderr: '',
        outcome: { type: 'exit', exitCode: 0 },
      })),
    }),
  },
})

const runtime = createRuntime({ packs: ['safety'] })

runtime.register(
  defineHook({
    on: 'PreToolUse',
    match: 'refund',
    run: ({ tool: call, agentId }) =>
      agentId === 'billing'
        ? { ask: `May I pay back ${call.input.amount}?` }
        : { deny: 'Only billing pays money back.' },
  }),
  { id: 'refunds' },
)
runtime.register(
  defineHook({
    on: 'PostToolUse',
    match: 'refund',
    run: ({ output }) => ({
      effect: 'pass',
      output: String(output).replace(/card \S+\d/, 'card [masked]'),
      context: [{ text: 'The customer gets a mail by itself.', to: 'self', strategy: 'user_message' }],
    }),
  }),
  { id: 'after-refunds' },
)
runtime.register(
  defineHook({
    on: 'SubagentStop',
    run: ({ agentId }, { actor }) => console.log(`${agentId} ends; it was started by: ${actor.parent}`),
  }),
  { id: 'watch-agents' },
)

const models = {
  front: scriptedModel('front desk', [
    { calls: [{ tool: 'refund', input: { order: 'A-1', amount: 20 } }] },
    { shell: 'git push --force origin main' },
    { calls: [{ tool: 'transfer_to_billing', input: {} }] },
  ]),
  billing: scriptedModel('billing', [
    { calls: [{ tool: 'refund', input: { order: 'A-1', amount: 20 } }] },
    { text: 'Your money is on its way.' },
  ]),
}
const billing = new Agent({ name: 'billing', model: models.billing, tools: [refund] })
const front = new Agent({
  name: 'front desk',
  model: models.front,
  tools: [refund, shell],
  handoffs: [billing],
})

const courier = createRunCourier()
const agent = guardAgent(runtime, front, {
  session: 'example',
  courier,
  // Here a person would be asked.
  ask: ({ reason, agent: who }) => {
    console.log(`person: ${who} asks: ${reason} yes`)
    return true
  },
})

const runner = new Runner({ tracingDisabled: true, callModelInputFilter: courier.callModelInputFilter })
const { finalOutput } = await runner.run(agent, 'I want my money back.')
console.log(`agent: ${finalOutput}`)
