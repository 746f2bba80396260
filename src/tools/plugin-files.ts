import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EVENT_KINDS, type EventKind } from '../core/event.ts'
import { VERSION } from '../core/version.ts'
import type { PluginSupport } from '../hosts/installer.ts'
import { packageRoot } from '../system/package.ts'

/**
 * The files of the Claude Code plugin that are generated: its hooks from what `init` installs, its skills
 * from `skills/`, its version from the package. The scripts in `plugin/bin` and the command are written by
 * hand.
 */
export function pluginFiles(plugin: PluginSupport): ReadonlyMap<string, string> {
  return new Map([
    ['.claude-plugin/marketplace.json', json(MARKETPLACE)],
    ['plugin/.claude-plugin/plugin.json', json(MANIFEST)],
    ['plugin/hooks/hooks.json', json(plugin.hooks())],
    ...skills(plugin),
  ])
}

const DESCRIPTION =
  'Guards Claude Code with Holdpoint: policies decide before every tool call, prompt and stop, and each decision is explained and recorded.'
const OWNER = { name: 'Holdpoint' }

const MARKETPLACE = {
  name: 'holdpoint',
  description: 'Holdpoint, a hook runtime for AI coding agents.',
  owner: OWNER,
  plugins: [{ name: 'holdpoint', description: DESCRIPTION, source: './plugin', category: 'security' }],
}

const MANIFEST = {
  name: 'holdpoint',
  version: VERSION,
  description: DESCRIPTION,
  author: OWNER,
  license: 'MIT',
  keywords: ['hooks', 'policy', 'guard', 'safety'],
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function skills(plugin: PluginSupport): readonly (readonly [string, string])[] {
  const from = join(packageRoot(), 'skills')
  return filesBelow(from).map((name) => {
    const text = readFileSync(join(from, name), 'utf8')
    return [`plugin/skills/${name}`, inPlugin(text, name, plugin)] as const
  })
}

/** A skill of a plugin has its own folder, whose path Claude Code inserts when it reads the skill. */
function inPlugin(text: string, name: string, plugin: PluginSupport): string {
  const folder = name.endsWith('/SKILL.md') ? SKILL_FOLDER : 'FOLDER_OF_THE_SKILL'
  return text
    .replace(/\{\{hook ([\w-]+)\}\}/g, (_all, event: string) => plugin.skillHook(kindOf(event), 'mux'))
    .replaceAll('{{skills}}/mux/', `${folder}/`)
}

/** A placeholder of Claude Code. */
const SKILL_FOLDER = ['$', '{CLAUDE_SKILL_DIR}'].join('')

function kindOf(event: string): EventKind {
  const kind = EVENT_KINDS.find((each) => each === event)
  if (kind === undefined) throw new Error(`a skill names the event ${event}`)
  return kind
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
