// An agent of the AI SDK 6 with hooks. The model is scripted (scripted-model.mjs), so that it runs anywhere. You can use
// a real model instead without other changes. From a clone: npm ci && npm run build && node examples/ai-sdk-agent/main.mjs
import { stepCountIs, ToolLoopAgent, tool } from 'ai'
import { createRuntime, defineHook } from 'holdpoint'
import { createCourier, guardTools } from 'holdpoint/sdk/ai'
import { z } from 'zod'
import { scriptedModel } from './scripted-model.mjs'

const files = new Map([['notes.txt', 'token: s3cr3t\nbuy milk']])

const tools = {
  Read: tool({
    description: 'Reads a file.',
    inputSchema: z.object({ file_path: z.string() }),
    execute: async ({ file_path }) => files.get(file_path) ?? 'no such file',
  }),
  Write: tool({
    description: 'Writes a file.',
    inputSchema: z.object({ file_path: z.string(), content: z.string() }),
    execute: async ({ file_path, content }) => {
      files.set(file_path, content)
      return `wrote ${file_path}`
    },
  }),
  Bash: tool({
    description: 'Runs a command.',
    inputSchema: z.object({ command: z.string() }),
    execute: async ({ command }) => `ran ${command}`,
  }),
}

const runtime = createRuntime({ packs: ['safety'] })

runtime.register(
  defineHook({
    on: 'PreToolUse',
    match: 'Read|Write',
    run: ({ tool: call }) => ({
      rewrite: { ...call.input, file_path: String(call.input.file_path).trim() },
    }),
  }),
  { id: 'tidy-paths', rewrites: true },
)
runtime.register(
  defineHook({
    on: 'PreToolUse',
    match: 'Write',
    run: ({ tool: call }) => ({ ask: `May I write ${String(call.input.file_path)}?` }),
  }),
  { id: 'ask-before-writing' },
)
runtime.register(
  defineHook({
    on: 'PostToolUse',
    match: 'Read',
    run: ({ output }) => ({
      effect: 'pass',
      output: String(output).replace(/token: \S+/, 'token: [masked]'),
    }),
  }),
  { id: 'mask-tokens' },
)
runtime.register(
  defineHook({
    on: 'PostToolUse',
    match: 'Write',
    run: () => ({
      effect: 'pass',
      context: [{ text: 'The person will read this file.', to: 'self', strategy: 'user_message' }],
    }),
  }),
  { id: 'remind' },
)

const { model, seen } = scriptedModel([
  { calls: [{ tool: 'Read', input: { file_path: ' notes.txt ' } }] },
  {
    calls: [
      { tool: 'Bash', input: { command: 'git push --force origin main' } },
      { tool: 'Bash', input: { command: 'ls' } },
    ],
  },
  { calls: [{ tool: 'Write', input: { file_path: 'notes.txt', content: 'buy milk and bread' } }] },
  { text: 'The list has milk and bread.' },
])

const courier = createCourier()
const agent = new ToolLoopAgent({
  model,
  tools: guardTools(runtime, tools, {
    session: 'example',
    courier,
    // Here a person would be asked.
    ask: ({ reason }) => {
      console.log(`person: ${reason} yes`)
      return true
    },
  }),
  prepareStep: courier.prepareStep,
  stopWhen: [stepCountIs(10), courier.stopWhen],
})

const { text } = await agent.generate({ prompt: 'Put bread on the list.' })
for (const told of seen()) console.log(told)
console.log(`agent: ${text}`)
