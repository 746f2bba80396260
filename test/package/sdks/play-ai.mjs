// @ts-nocheck: each version of an SDK has types of its own, which sdk-versions.test.ts compiles a program with.
// Plays guarded tools in the AI SDK that is installed next to this file, whatever its version, and prints what happened.
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import * as mocks from 'ai/test'
import { createRuntime, defineHook } from 'holdpoint'
import { guardTools, isDeniedError } from 'holdpoint/sdk/ai'

const Model = mocks.MockLanguageModelV4 ?? mocks.MockLanguageModelV3 ?? mocks.MockLanguageModelV2
const isFirst = Model === mocks.MockLanguageModelV2

/** A model that calls `Bash` once with each of these commands, and then says that it is done. */
function modelOf(commands) {
  const prompts = []
  const model = new Model({
    doGenerate: async ({ prompt }) => {
      prompts.push(JSON.stringify(prompt))
      const turn = prompt.filter(({ role }) => role === 'assistant').length
      const command = commands[turn]
      const input = JSON.stringify({ command })
      const call = { type: 'tool-call', toolCallId: `call-${turn}`, toolName: 'Bash', input }
      const finish = command === undefined ? 'stop' : 'tool-calls'
      return {
        content: [command === undefined ? { type: 'text', text: 'Done.' } : call],
        finishReason: isFirst ? finish : { unified: finish, raw: undefined },
        usage: isFirst
          ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
          : { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
        warnings: [],
      }
    },
  })
  return { model, prompts }
}

const ran = []
const Bash = tool({
  inputSchema: jsonSchema({ type: 'object', properties: { command: { type: 'string' } } }),
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
const tools = guardTools(runtime, { Bash })

const { model, prompts } = modelOf(['git push --force', 'ls'])
const { steps } = await generateText({ model, tools, prompt: 'Begin.', stopWhen: stepCountIs(5) })
const [error] = steps.flatMap(({ content }) => content).filter(({ type }) => type === 'tool-error')

const asked = await generateText({ model: modelOf(['deploy']).model, tools, prompt: 'Go.' })
const question = asked.content.find(({ type }) => type === 'tool-approval-request')
const refused = asked.content.find(({ type }) => type === 'tool-error')

const refusal = (unchecked) => {
  try {
    guardTools(runtime, { unchecked })
    return 'taken'
  } catch (thrown) {
    return thrown.message
  }
}
console.log(
  JSON.stringify({
    ran,
    denied: [isDeniedError(error.error), error.error.message],
    told: prompts.at(-1).includes('ran ls\\n\\nKeep this in mind.'),
    toldOfDenial: prompts[1].includes('Force push'),
    ask: question === undefined ? String(refused?.error?.message) : 'the SDK asks',
    provider: ['provider', 'provider-defined'].map((type) =>
      refusal({ type, id: 'a.b', name: 'b', args: {} }),
    ),
    client: refusal({ inputSchema: Bash.inputSchema }),
  }),
)
