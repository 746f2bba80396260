import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HoldpointError, type Problem, type Result } from '../errors.ts'
import type { Installer, Scope } from '../hosts/installer.ts'
import { INSTALLERS } from '../hosts/installers.ts'
import { isObject, type JsonObject } from '../json.ts'
import { writeWhole } from '../world/files.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { findProject } from '../world/project.ts'
import { places } from './agents.ts'

export interface AdoptOptions {
  readonly closed?: boolean
  readonly scope?: Scope
  readonly undo?: boolean
  readonly yes?: boolean
  readonly home?: string
}

/** Everything a scope has: the agent's settings, and ours beside them. */
export interface AdoptPlaces {
  readonly home: Home
  readonly project: string
  readonly scope: Scope
  readonly settings: string
  readonly config: string
  readonly adopted: string
  /** The adopted file, as the configuration names it. */
  readonly importName: string
}

export async function claudeInstaller(): Promise<Installer> {
  const load = INSTALLERS['claude-code']
  if (load === undefined)
    throw failure({ code: 'INTERNAL', message: 'There is no installer for Claude Code.' })
  return (await load()).installer
}

export function placesOf(options: AdoptOptions, installer: Installer): AdoptPlaces {
  const home = homeLayout(options.home === undefined ? undefined : resolve(options.home), process.env)
  const project = findProject(process.cwd())
  const scope = options.scope ?? 'project'
  const settings = installer.file(scope, places(project))
  if (settings === undefined)
    throw failure({ code: 'OPTION_INVALID', message: `There is no scope ${scope}.` })
  if (scope === 'user') {
    const adopted = join(home.folder, 'adopted.json')
    return { home, project, scope, settings, config: home.userConfig, adopted, importName: 'adopted.json' }
  }
  const [config, name] =
    scope === 'project' ? ['config.yaml', 'adopted.json'] : ['config.local.yaml', 'adopted.local.json']
  const importName = `.holdpoint/${name}`
  const folder = join(project, '.holdpoint')
  return {
    home,
    project,
    scope,
    settings,
    config: join(folder, config),
    adopted: join(folder, name),
    importName,
  }
}

export function restore(path: string, text: string | undefined): void {
  if (text === undefined) rmSync(path, { force: true })
  else writeWhole(path, text)
}

export function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

export function must<T>(result: Result<T>, file: string): T {
  if (result.ok) return result.value
  throw failure({ file, ...result.problem })
}

export function failure(problem: Problem): HoldpointError {
  return new HoldpointError(problem)
}
