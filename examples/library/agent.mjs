// A small agent with hooks. The model is scripted, so that it runs anywhere. Everything else is what an agent does: ask
// before each tool, obey, and tell the model the result. From a clone: npm ci && npm run build && node examples/library/agent.mjs
import { createRuntime, defineHook } from 'holdpoint'

const files = new Map([['notes.txt', 'buy milk']])

const tools = {
  Read: ({ file_path }) => files.get(file_path) ?? 'no such file',
  Write: ({ file_path, content }) => {
    files.set(file_path, content)
    return `wrote ${content.length} characters`
  },
  Bash: ({ command }) => `ran ${command}`,
}

/** What a model would answer, turn by turn: a tool call, or a last message. */
const script = [
  { tool: 'Read', input: { file_path: ' notes.txt ' } },
  { tool: 'Bash', input: { command: 'git push --force origin main' } },
  { tool: 'Write', input: { file_path: 'notes.txt', content: 'buy milk and bread' } },
  { say: 'done' },
  { tool: 'Read', input: { file_path: 'notes.txt' } },
  { say: 'The list has milk and bread.' },
]

const runtime = createRuntime({ packs: ['safety'] })

runtime.register(
  defineHook({
    on: 'PreToolUse',
    match: 'Read|Write',
    run: ({ tool }) => ({ rewrite: { ...tool.input, file_path: String(tool.input.file_path).trim() } }),
  }),
  { id: 'tidy-paths', rewrites: true },
)
runtime.register(
  defineHook({
    on: 'PreToolUse',
    match: 'Write',
    run: ({ tool }) => ({ ask: `May I write ${String(tool.input.file_path)}?` }),
  }),
  { id: 'ask-before-writing' },
)
runtime.register(
  defineHook({
    on: 'PostToolUse',
    match: 'Write',
    run: () => ({ effect: 'pass', remember: [{ op: 'set', key: 'unread', value: true }], context: [look] }),
  }),
  { id: 'remind' },
)
runtime.register(
  defineHook({
    on: 'PostToolUse',
    match: 'Read',
    run: () => ({ effect: 'pass', remember: [{ op: 'set', key: 'unread', value: false }] }),
  }),
  { id: 'remember-reading' },
)
runtime.register(
  defineHook({
    on: 'Stop',
    run: (_event, { memory }) => (memory?.unread ? { deny: 'Read the file again before you stop.' } : null),
  }),
  { id: 'read-before-stopping' },
)
const look = { text: 'Look at the file once more.', to: 'self', strategy: 'user_message' }

await runtime.ready()
await runAgent()

async function runAgent() {
  let isHeld = false
  for (const turn of script) {
    if (turn.say === undefined) {
      say('tool', await useTool(turn.tool, turn.input))
      continue
    }
    const stop = await runtime.evaluate({ kind: 'Stop', stopHookActive: isHeld, lastMessage: turn.say })
    if (stop.effect !== 'deny') return say('agent', turn.say)
    isHeld = true
    say('held', stop.reason)
  }
}

async function useTool(name, input) {
  const before = await runtime.evaluate({ kind: 'PreToolUse', tool: { name, input } })
  if (before.effect === 'deny') return `${name} was refused: ${before.reason.split('. ')[0]}.`
  if (before.effect === 'ask' && !confirmed(before.reason)) return `${name} was refused by the person.`
  const used = before.input ?? input
  const output = tools[name](used)
  const after = await runtime.evaluate({ kind: 'PostToolUse', tool: { name, input: used }, output })
  for (const text of after.injections.user_message) say('to the agent', text)
  return [output, ...after.injections.tool_result].join('\n')
}

/** Here a person would be asked. */
function confirmed(question) {
  say('person', `${question} yes`)
  return true
}

function say(who, text) {
  console.log(`${who}: ${text}`)
}
