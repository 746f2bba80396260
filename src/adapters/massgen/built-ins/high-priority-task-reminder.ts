import { isObject } from '../../../core/json.ts'
import {
  BUILT_IN_TIMEOUT_SECONDS,
  FunctionHook,
  type LegacyContext,
  type Returned,
} from '../function-hook.ts'

/**
 * After a high-priority task is completed, reminds the agent to write down what it learned and to check its
 * work.
 */
export class HighPriorityTaskReminderHook extends FunctionHook {
  readonly #reminder: string

  constructor({ reminder = REMINDER }: { reminder?: string } = {}) {
    super({
      name: 'HighPriorityTaskReminderHook',
      matcher: '*update_task_status',
      timeout: BUILT_IN_TIMEOUT_SECONDS,
    })
    this.#reminder = reminder
  }

  execute(_name: string, _arguments: string, { tool_output: output }: LegacyContext): Returned {
    return isDone(output) ? { inject: { content: this.#reminder, strategy: 'user_message' } } : null
  }
}

const REMINDER =
  'A high-priority task is completed. Before you continue: check the result against what was asked, and write down what others need to know about it.'

function isDone(output: string | null): boolean {
  try {
    const value: unknown = JSON.parse(output ?? '')
    const task = isObject(value) ? value.task : undefined
    return isObject(task) && task.priority === 'high' && task.status === 'completed'
  } catch {
    // The output of a tool can be anything.
    return false
  }
}
