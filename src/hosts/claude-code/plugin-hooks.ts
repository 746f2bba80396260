import { deadlinesOf, lastResortOf } from '../../core/deadlines.ts'
import type { EventKind } from '../../core/event.ts'
import type { JsonObject } from '../../core/json.ts'
import { hookArguments } from '../hook-entry.ts'

/**
 * What the plugin registers: the entries that `init` writes into a settings file, but for the program and the last
 * option. The program is a script of the plugin that finds Holdpoint; Claude Code fills in the folders, whatever the
 * environment says.
 */
export function pluginHooks(events: readonly EventKind[]): JsonObject {
  const hooks = events.map((event) => [event, [{ hooks: [entryFor(event)] }]])
  return { description: DESCRIPTION, hooks: Object.fromEntries(hooks) }
}

const DESCRIPTION = 'Asks Holdpoint before each act of the agent. Made by `npm run generate`; do not edit.'

/** Started without arguments, as a Claude Code before 2.1.295 does, it stops the call and says why. */
const PROGRAM = `${folder('ROOT')}/bin/holdpoint-hook`

/** A placeholder of Claude Code's. */
function folder(name: 'ROOT' | 'DATA'): string {
  return `\${CLAUDE_PLUGIN_${name}}`
}

function entryFor(event: EventKind): JsonObject {
  const { hostMs, clientMs } = deadlinesOf(event)
  const args = hookArguments('claude-code', event, undefined, clientMs)
  return {
    type: 'command',
    command: PROGRAM,
    args: ['--data', folder('DATA'), ...args, '--via', 'plugin'],
    timeout: hostMs / 1_000,
    ...failing(event),
  }
}

export function failing(event: EventKind): JsonObject {
  return lastResortOf(event) === 'deny' ? { onFailure: 'block' } : {}
}

/**
 * The rest of an entry in the head of a skill, after `command: `. Claude Code names no data folder there. Not by way of
 * the plugin: it brings a pack that the others may not have, so it always judges.
 */
export function pluginSkillHook(event: EventKind, pack: string): string {
  const { clientMs } = deadlinesOf(event)
  const args = [...hookArguments('claude-code', event, undefined, clientMs), '--pack', pack]
  const listed = args.map((word) => JSON.stringify(word)).join(', ')
  const fails = lastResortOf(event) === 'deny' ? ', onFailure: block' : ''
  return `${JSON.stringify(PROGRAM)}, args: [${listed}]${fails}`
}

/** The text of the hooks file with both folders filled in, as Claude Code would. */
export function withPluginFolders(text: string, root: string, data: string): string {
  const quoted = (path: string) => JSON.stringify(path).slice(1, -1)
  return text.replaceAll(folder('ROOT'), () => quoted(root)).replaceAll(folder('DATA'), () => quoted(data))
}
