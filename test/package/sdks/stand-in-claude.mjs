// @ts-nocheck: messages of a protocol without types.
// Speaks the protocol between the Claude Agent SDK and Claude Code, as far as hooks and permissions need it.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
const waiting = new Map()
let asked = 0

function request(body) {
  asked += 1
  const id = `request-${asked}`
  say({ type: 'control_request', request_id: id, request: body })
  return new Promise((resolve) => waiting.set(id, resolve))
}

async function play(callbackId) {
  const decide = async (command) => {
    const input = {
      session_id: 's',
      transcript_path: '/srv/t.jsonl',
      cwd: '/srv',
      hook_event_name: 'PreToolUse',
    }
    const call = { tool_name: 'Bash', tool_input: { command } }
    const { response } = await request({
      subtype: 'hook_callback',
      callback_id: callbackId,
      input: { ...input, ...call, tool_use_id: command },
      tool_use_id: command,
    })
    return response?.hookSpecificOutput?.permissionDecision ?? 'none'
  }
  const { response } = await request({
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: { command: 'deploy' },
    tool_use_id: 'deploy',
  })
  return {
    denied: await decide('git push --force'),
    passed: await decide('ls'),
    asked: await decide('deploy'),
    refused: response?.behavior,
  }
}

let callbackId
let hasBegun = false
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  if (message.type === 'control_response') {
    waiting.get(message.response.request_id)?.(message.response)
  } else if (message.type === 'control_request') {
    const { subtype, hooks } = message.request
    if (subtype === 'initialize') callbackId = hooks.PreToolUse[0].hookCallbackIds[0]
    const about = { commands: [], models: [], account: {}, output_style: 'default' }
    const response = { ...about, hook_on_failure_supported: true }
    say({
      type: 'control_response',
      response: { subtype: 'success', request_id: message.request_id, response },
    })
  } else if (message.type === 'user' && !hasBegun) {
    hasBegun = true
    void play(callbackId).then((answers) => {
      const usage = { input_tokens: 1, output_tokens: 1 }
      const result = { type: 'result', subtype: 'success', is_error: false, result: JSON.stringify(answers) }
      say({ ...result, session_id: 's', uuid: 'u', num_turns: 1, duration_ms: 1, duration_api_ms: 1, usage })
    })
  }
}
