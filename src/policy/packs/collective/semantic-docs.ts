import type { Answer } from '../../../core/decision.ts'
import type { Event } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import type { EventExample, Guard, GuardInput } from '../../../core/guard.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../../core/json.ts'
import { toolPaths } from '../../analysis/tool-touches.ts'
import { isDeveloper } from './agents.ts'
import { logNote } from './log.ts'
import { type CollectiveOptions, readCollectiveOptions } from './options.ts'

/** After a development task: reminds of the documentation of every changed module, once each. */
export const semanticDocs: Guard = {
  id: 'collective/semantic-docs',
  title: 'Development without updated documentation',
  why: 'The next agent learns about a module from its semantic documentation, so outdated documentation misleads it.',
  instead: 'update the semantic documentation of the modules that were changed.',
  on: ['PostToolUse'],
  match: '*',
  knowsAgents: true,
  modes: { standard: 'warn', strict: 'warn', paranoid: 'warn' },
  onFailure: 'collective',
  examples: {
    stops: [],
    passes: [
      after('Write', { file_path: 'web/modules/custom/shop/shop.module' }),
      after('Write', { file_path: 'README.md' }),
      after('TodoWrite', { todos: [{ content: 'Build the shop', status: 'completed' }] }),
      after('Bash', { command: 'ls' }),
    ],
  },
  check(input) {
    const { event, memory, options } = input
    if (event.kind !== 'PostToolUse' || memory === undefined) return null
    const settings = readCollectiveOptions(options)
    const edited = modulesIn(event, input.facts, settings).filter(
      (each) => !listIn(memory, EDITED).includes(each),
    )
    if (edited.length > 0) {
      const remember = edited.map((value) => ({ op: 'push', key: EDITED, value, keep: MODULES_MAX }) as const)
      return { effect: 'pass', remember, rememberDenied: remember }
    }
    return endsTask(event) ? reminder(input, memory, settings) : null
  },
}

const EDITED = 'collective/docs/edited'
const REMINDED = 'collective/docs/reminded'
const MODULES_MAX = 200

function reminder(input: GuardInput, memory: JsonObject, settings: CollectiveOptions): Answer | null {
  const { agents = [], facts } = input
  const told = listIn(memory, REMINDED)
  const all = [...listIn(memory, EDITED), ...agents.flatMap((agent) => listIn(agent.memory, EDITED))]
  const modules = [...new Set(all)].filter((each) => !told.includes(each))
  if (modules.length === 0) return null
  const names = modules.map((module) => module.slice(module.lastIndexOf('/') + 1)).join(', ')
  const text = `Reminder: ${names} changed. Update the semantic documentation (${settings.docs}) if it is out of date.`
  const remember = modules.map((value) => ({ op: 'push', key: REMINDED, value, keep: MODULES_MAX }) as const)
  return {
    effect: 'pass',
    context: [{ text, to: 'self' }],
    // A route is delivered as a deny of the same call.
    remember,
    rememberDenied: remember,
    notes: [logNote('semantic-docs-update-hook', text, facts, settings)],
  }
}

type AfterCall = Extract<Event, { kind: 'PostToolUse' }>

/** The folder of every module that the call changed. */
function modulesIn(
  { tool }: AfterCall,
  { project }: Facts,
  { modules }: CollectiveOptions,
): readonly string[] {
  const written = (toolPaths(tool) ?? []).filter(({ access }) => access === 'write')
  return written.flatMap(({ text }) => {
    const path = text.startsWith(`${project}/`) ? text.slice(project.length + 1) : text
    const steps = path.split('/')
    return modules.flatMap((folder) => {
      const parts = folder.split('/')
      const at = steps.findIndex((_, index) => parts.every((part, i) => steps[index + i] === part))
      const end = at + parts.length
      // A file directly in the folder of all modules belongs to no module.
      return at < 0 || steps.length <= end + 1 ? [] : [steps.slice(0, end + 1).join('/')]
    })
  })
}

const DONE: ReadonlySet<string> = new Set(['done', 'completed'])

function endsTask({ tool }: AfterCall): boolean {
  if (tool.name === 'Agent') return isDeveloper(textAt(tool.input, 'subagent_type') ?? '')
  if (tool.name === 'TaskUpdate') return DONE.has(textAt(tool.input, 'status') ?? '')
  const { todos } = tool.input
  if (tool.name !== 'TodoWrite' || !Array.isArray(todos)) return false
  return todos.some((todo: Json) => isObject(todo) && DONE.has(textAt(todo, 'status') ?? ''))
}

function listIn(memory: JsonObject, key: string): readonly string[] {
  const kept = memory[key]
  return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []
}

function after(tool: string, input: JsonObject): EventExample {
  return {
    kind: 'PostToolUse',
    fields: { tool: { name: tool, input, useId: 'call-1' }, output: null },
    memory: {},
  }
}
