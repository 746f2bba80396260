import { recordedInput } from '../../app/record.ts'
import { toolOf } from '../../core/event.ts'
import type { Host } from '../../core/host.ts'
import type { TranscriptCall } from '../../core/transcript.ts'
import type { DescribedCall } from './find-decision.ts'

/** The tool and the input of a call, in the words of the journal. */
export function describeCall({ payload, cwd }: TranscriptCall, host: Host): DescribedCall {
  const decoded = host.decode({ payload: JSON.stringify(payload), cwd })
  const tool = decoded.ok ? toolOf(decoded.value) : undefined
  const input = decoded.ok ? recordedInput(decoded.value, []) : undefined
  return { tool: tool?.name ?? String(payload.tool_name), ...(input === undefined ? {} : { input }) }
}
