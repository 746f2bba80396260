import { isObject } from '../../core/json.ts'
import { type GuardedCall, judgeAfter, judgeFailure } from '../judge-call.ts'
import { seenInput } from '../judged-input.ts'
import { createAskedActions } from './asked-actions.ts'
import { changedCopy } from './changed-copy.ts'
import type { RunAgent } from './run-agent.ts'
import type { PatchTool } from './sdk-types.ts'

type Editor = PatchTool['editor']
type Operation =
  | Parameters<Editor['createFile']>[0]
  | Parameters<Editor['updateFile']>[0]
  | Parameters<Editor['deleteFile']>[0]
type Result = Awaited<ReturnType<Editor['createFile']>>
type Context = Parameters<Editor['createFile']>[1]

/** The SDK's editor with hooks. They see a call of `apply_patch` with the text of a patch, as Codex sends it. */
export function guardPatchTool(tool: PatchTool, guard: RunAgent): PatchTool {
  const { context, gate, run } = guard
  const asked = createAskedActions<Operation>(gate, run.signal, patchCall, (...given) =>
    tool.needsApproval(...given),
  )
  const guarded = async (operation: Operation, edit: () => Promise<Result>): Promise<Result> => {
    const { verdict, call } = await asked.begin(operation)
    if (verdict.kind === 'stop') return { status: 'failed', output: verdict.reason }
    const startedMs = performance.now()
    let result: Result
    try {
      result = await edit()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const more = { interrupted: run.signal?.aborted === true, durationMs: since(startedMs) }
      const texts = [...verdict.texts, ...(await judgeFailure(context, call, message, more))]
      throw texts.length === 0 ? error : new Error([message, ...texts].join('\n\n'), { cause: error })
    }
    const released = await judgeAfter(context, call, result ?? null, since(startedMs))
    if ('withheld' in released) return { status: result?.status ?? 'completed', output: released.withheld }
    return below(released.output, [...verdict.texts, ...released.texts])
  }
  const { editor } = tool
  return changedCopy(tool, {
    needsApproval: asked.needsApproval,
    editor: {
      createFile: (operation: Parameters<Editor['createFile']>[0], given: Context) =>
        guarded(operation, async () => editor.createFile(operation, given)),
      updateFile: (operation: Parameters<Editor['updateFile']>[0], given: Context) =>
        guarded(operation, async () => editor.updateFile(operation, given)),
      deleteFile: (operation: Parameters<Editor['deleteFile']>[0], given: Context) =>
        guarded(operation, async () => editor.deleteFile(operation, given)),
    } satisfies Editor,
  })
}

const HEADERS = { create_file: 'Add File', update_file: 'Update File', delete_file: 'Delete File' } as const

function patchCall(operation: Operation, toolCallId: string): GuardedCall {
  const lines = [
    '*** Begin Patch',
    `*** ${HEADERS[operation.type]}: ${operation.path}`,
    ...('diff' in operation ? [operation.diff] : []),
    '*** End Patch',
  ]
  return {
    name: 'apply_patch',
    toolCallId,
    input: operation,
    // A path with a line break would look like another path.
    seen: operation.path.includes('\n') ? undefined : seenInput({ command: lines.join('\n') }),
    accept: () => ({ wrong: 'the SDK cannot change a patch; deny it and say what to write instead.' }),
  }
}

/** The editor's result, or what a hook wrote instead, with the texts below. */
function below(output: unknown, texts: readonly string[]): Result {
  const result = isObject(output) ? output : { output: output === null ? '' : asText(output) }
  const status = result.status === 'failed' ? ({ status: 'failed' } as const) : {}
  const said = [asText(result.output ?? ''), ...texts].filter((text) => text !== '')
  return { ...status, ...(said.length === 0 ? {} : { output: said.join('\n\n') }) }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function since(startedMs: number): number {
  return Math.round(performance.now() - startedMs)
}
