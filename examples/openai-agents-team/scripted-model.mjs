// The SDK's own model for tests, with a script. It prints what it is told.
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents/testing'

export function scriptedModel(name, turns) {
  const answer = ({ calls = [], shell, text }, turn) => {
    if (text !== undefined) return [assistantMessage(text)]
    if (shell !== undefined) {
      return [{ type: 'shell_call', callId: `${name}-${turn}`, action: { commands: [shell] } }]
    }
    return calls.map(({ tool, input }, index) =>
      functionCall(tool, input, { callId: `${name}-${turn}-${index}` }),
    )
  }
  return new ScriptedModel(
    turns.map((turn, index) =>
      modelResponder(({ request }) => {
        const said = request.input.findLastIndex(
          ({ type, role }) => /call$/.test(type ?? '') || role === 'assistant',
        )
        for (const item of request.input.slice(said + 1))
          console.log(`${name} reads: ${line(item).slice(0, 60)}`)
        return answer(turn, index)
      }),
    ),
  )
}

function line({ role, content, output }) {
  if (role !== undefined) return content
  return Array.isArray(output) ? output.map(({ stdout, stderr }) => stdout || stderr).join(' ') : output.text
}
