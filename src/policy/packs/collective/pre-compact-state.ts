import type { Answer } from '../../../core/decision.ts'
import type { Event } from '../../../core/event.ts'
import type { EventExample, Guard, GuardInput } from '../../../core/guard.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../../core/json.ts'
import { logNote } from './log.ts'
import { readCollectiveOptions } from './options.ts'
import { RECOVERY_FILE, stateOf, taskOf, taskPatch } from './recovery.ts'

/** Saves which agent works on which task before a compaction, and tracks it until then. */
export const preCompactState: Guard = {
  id: 'collective/pre-compact-state',
  title: 'Compaction that loses the current task',
  why: 'After a compaction only the summary is left, and it may not contain the task and the handoff.',
  instead: 'no action is needed. The state is saved in .claude/compact-recovery.json.',
  on: ['PreCompact', 'UserPromptSubmit', 'PostToolUse'],
  match: '*',
  knowsAgents: true,
  modes: { standard: 'warn', strict: 'warn', paranoid: 'warn' },
  onFailure: 'collective',
  timeoutMs: 10_000,
  examples: {
    stops: [],
    passes: [
      { kind: 'PreCompact', fields: { trigger: 'auto' } },
      { kind: 'PreCompact', fields: { trigger: 'manual' }, memory: {} },
      { kind: 'UserPromptSubmit', fields: { prompt: 'Build it.' }, memory: {} },
      after('TodoWrite', { todos: [{ content: 'Build it', status: 'in_progress' }] }),
      after('TaskUpdate', { taskId: '1', status: 'in_progress', subject: 'Build it' }),
    ],
  },
  check(input) {
    const { event, memory } = input
    if (event.kind === 'PreCompact') return saved(input)
    const task = memory === undefined ? undefined : taskAt(event)
    return task === undefined ? null : { effect: 'pass', remember: [taskPatch(task)] }
  },
}

function saved(input: GuardInput): Answer {
  const { facts, options } = input
  const state = stateOf(input)
  const agent = textAt(state, 'active_agent') ?? 'nobody'
  const message = `saved the state before compaction: ${agent} is active`
  const log = logNote('pre-compact-state', message, facts, readCollectiveOptions(options))
  return { effect: 'pass', notes: [{ kind: 'replace', path: RECOVERY_FILE, json: state }, log] }
}

/** The task that the agent is working on now, if this event names it. */
function taskAt(event: Event): JsonObject | undefined {
  if (event.kind === 'UserPromptSubmit') {
    const isTask = event.prompt.trim() !== '' && !event.prompt.startsWith('/')
    return isTask ? taskOf(event.prompt, 'prompt') : undefined
  }
  if (event.kind !== 'PostToolUse') return undefined
  const { name, input } = event.tool
  if (name === 'TodoWrite') return todoIn(input.todos)
  if (name !== 'TaskUpdate' || input.status !== 'in_progress') return undefined
  const text =
    textAt(input, 'subject') ?? textAt(input, 'description') ?? `task ${textAt(input, 'taskId') ?? ''}`
  return taskOf(text, 'task')
}

function todoIn(todos: Json | undefined): JsonObject | undefined {
  const current = (Array.isArray(todos) ? todos : []).find(
    (todo) => isObject(todo) && todo.status === 'in_progress',
  )
  const text = isObject(current) ? textAt(current, 'content') : undefined
  return text === undefined ? undefined : taskOf(text, 'todo')
}

function after(tool: string, input: JsonObject): EventExample {
  return {
    kind: 'PostToolUse',
    fields: { tool: { name: tool, input, useId: 'call-1' }, output: null },
    memory: {},
  }
}
