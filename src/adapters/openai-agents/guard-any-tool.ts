import { HoldpointError } from '../../core/errors.ts'
import { type FunctionToolOptions, guardFunctionTool } from './function-tool.ts'
import { guardPatchTool } from './patch-tool.ts'
import type { RunAgent } from './run-agent.ts'
import type { AnyTool } from './sdk-types.ts'
import { guardShellTool } from './shell-tool.ts'

/** One tool of any kind with hooks. Throws if no hook could check it. */
export function guardAnyTool(
  tool: AnyTool,
  guard: RunAgent,
  starts: FunctionToolOptions['starts'],
  keepsApproval = false,
): AnyTool {
  if (guard.run.unguarded.includes(tool.name)) return tool
  checkTool(tool, starts)
  switch (tool.type) {
    case 'function':
      return guardFunctionTool(tool, guard, { ...(starts === undefined ? {} : { starts }), keepsApproval })
    case 'shell':
      return tool.shell === undefined ? tool : guardShellTool(tool, tool.shell, guard)
    case 'apply_patch':
      return guardPatchTool(tool, guard)
    default:
      return tool
  }
}

function checkTool(tool: AnyTool, starts: FunctionToolOptions['starts']): void {
  if (tool.type === 'hosted_tool' || (tool.type === 'shell' && tool.shell === undefined)) {
    throw unguardable(
      tool,
      'This tool runs at the provider, so no hook can check it before it runs.',
      'Remove it, or name it in `unguarded`.',
    )
  }
  if (tool.type === 'computer') {
    throw unguardable(
      tool,
      'The SDK lets no hook deny an action of a computer.',
      'Remove it, or name it in `unguarded`.',
    )
  }
  // `asTool` is the only way to make a tool with this method.
  if (tool.type === 'function' && 'on' in tool && starts === undefined) {
    throw unguardable(
      tool,
      'This tool runs an agent whose own calls no hook would check.',
      'Make the tool from the guarded agent, `guardAgent(runtime, agent).asTool(…)`, or name it in `unguarded`.',
    )
  }
}

function unguardable({ name }: AnyTool, message: string, fix: string): HoldpointError {
  return new HoldpointError({ code: 'OPTION_INVALID', key: name, message, fix })
}
