import { isObject, type Json } from '../../core/json.ts'
import { type GuardedCall, judgeAfter, judgeFailure } from '../judge-call.ts'
import { seenInput } from '../judged-input.ts'
import { createAskedActions } from './asked-actions.ts'
import { changedCopy } from './changed-copy.ts'
import type { RunAgent } from './run-agent.ts'
import type { ShellTool } from './sdk-types.ts'

type Shell = NonNullable<ShellTool['shell']>
type Action = Parameters<Shell['run']>[0]
type Result = Awaited<ReturnType<Shell['run']>>
type Output = Result['output'][number]

/** The SDK's local shell with hooks. They see a call of `Bash`, as in every other host. */
export function guardShellTool(tool: ShellTool, shell: Shell, guard: RunAgent): ShellTool {
  const { context, gate, run } = guard
  const asked = createAskedActions<Action>(gate, run.signal, bashCall, (...given) =>
    tool.needsApproval(...given),
  )
  return changedCopy(tool, {
    needsApproval: asked.needsApproval,
    shell: {
      async run(action: Action): Promise<Result> {
        const { verdict, call } = await asked.begin(action)
        if (verdict.kind === 'stop') return { output: [refused(verdict.reason)] }
        const changed = verdict.isRewritten ? (verdict.input as Action) : action
        const running = verdict.isRewritten ? bashCall(changed, call.toolCallId) : call
        const startedMs = performance.now()
        let result: Result
        try {
          result = await shell.run(changed)
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error)
          const more = { interrupted: run.signal?.aborted === true, durationMs: since(startedMs) }
          const texts = [...verdict.texts, ...(await judgeFailure(context, running, message, more))]
          throw texts.length === 0 ? error : new Error([message, ...texts].join('\n\n'), { cause: error })
        }
        const released = await judgeAfter(context, running, result.output, since(startedMs))
        if ('withheld' in released) return { output: [refused(released.withheld)] }
        const output = Object.is(released.output, result.output) ? result.output : written(released.output)
        return { ...result, output: below(output, [...verdict.texts, ...released.texts]) }
      },
    },
  })
}

/** The commands of one action run one after the other. */
function bashCall(action: Action, toolCallId: string): GuardedCall {
  return {
    name: 'Bash',
    toolCallId,
    input: action,
    seen: seenInput({ command: action.commands.join('\n') }),
    accept: ({ command }) =>
      typeof command === 'string'
        ? { value: { ...action, commands: [command] } }
        : { wrong: '`command` must be a text.' },
  }
}

function refused(reason: string): Output {
  return { stdout: '', stderr: reason, outcome: { type: 'exit', exitCode: 1 } }
}

/** An output that a hook wrote: a text, or a list as the shell gives it. */
function written(output: unknown): Output[] {
  if (Array.isArray(output) && output.length > 0 && output.every(isOutput)) return output as Output[]
  const stdout = typeof output === 'string' ? output : JSON.stringify(output)
  return [{ stdout, stderr: '', outcome: { type: 'exit', exitCode: 0 } }]
}

function isOutput(value: Json): boolean {
  return isObject(value) && typeof value.stdout === 'string' && typeof value.stderr === 'string'
}

function below(output: readonly Output[], texts: readonly string[]): Output[] {
  if (texts.length === 0) return [...output]
  const last = output.at(-1) ?? { stdout: '', stderr: '', outcome: { type: 'exit', exitCode: 0 } }
  return [...output.slice(0, -1), { ...last, stdout: [last.stdout, ...texts].join('\n\n') }]
}

function since(startedMs: number): number {
  return Math.round(performance.now() - startedMs)
}
