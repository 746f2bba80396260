// @ts-nocheck: each version of an SDK has types of its own, which sdk-versions.test.ts compiles a program with.
// Plays hooks in the Claude Agent SDK that is installed next to this file. In place of Claude Code, it starts a program
// that calls the hooks and says what they answered.
import { join } from 'node:path'
import { query } from '@anthropic-ai/claude-agent-sdk'
import { createRuntime, defineHook } from 'holdpoint'
import { holdpointOptions } from 'holdpoint/sdk/claude-agent'

const runtime = createRuntime({ packs: ['safety'] })
runtime.register(
  defineHook({
    on: 'PreToolUse',
    match: 'Bash',
    run: ({ tool: { input } }) => (input.command === 'deploy' ? { ask: 'Is that meant?' } : undefined),
  }),
)
const answers = []
const options = {
  ...holdpointOptions(runtime, { ask: () => false }),
  pathToClaudeCodeExecutable: join(import.meta.dirname, 'stand-in-claude.mjs'),
}
for await (const message of query({ prompt: 'Begin.', options })) {
  if (message.type === 'result') answers.push(JSON.parse(message.result))
}
console.log(JSON.stringify(answers[0]))
