import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { HoldpointError, type Problem, type Result } from '../core/errors.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { Installer, InstallScope } from '../hosts/installer.ts'
import { INSTALLERS } from '../hosts/installers.ts'
import { writeWhole } from '../system/files.ts'
import type { Home } from '../system/home.ts'
import { findProject } from '../system/project.ts'
import { places } from '../tools/status/agents.ts'
import { type Caller, homeNamed } from './caller.ts'

export interface AdoptOptions {
  readonly closed?: boolean
  readonly scope?: InstallScope
  readonly undo?: boolean
  readonly yes?: boolean
  /** The file that permits `--undo` where there is no person. */
  readonly unattended?: string
  readonly home?: string
}

/** The files of one scope: the agent's settings, and Holdpoint's own files for the same scope. */
export interface AdoptPlaces {
  readonly home: Home
  readonly project: string
  readonly scope: InstallScope
  readonly settings: string
  readonly config: string
  readonly adopted: string
  /** The path of the adopted file, as it is written in the configuration. */
  readonly importName: string
}

export async function claudeInstaller(): Promise<Installer> {
  const load = INSTALLERS['claude-code']
  if (load === undefined)
    throw failure({ code: 'INTERNAL', message: 'There is no installer for Claude Code.' })
  return (await load()).installer
}

export function placesOf(caller: Caller, options: AdoptOptions, installer: Installer): AdoptPlaces {
  const home = homeNamed(caller, options.home)
  const project = findProject(caller.cwd)
  const scope = options.scope ?? 'project'
  const settings = installer.file(scope, places(project, caller.env))
  if (settings === undefined) throw failure({ code: 'OPTION_INVALID', message: `Unknown scope: ${scope}.` })
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

export function restoreText(path: string, text: string | undefined): void {
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

export function unwrapFor<T>(result: Result<T>, file: string): T {
  if (result.ok) return result.value
  throw failure({ file, ...result.problem })
}

export function failure(problem: Problem): HoldpointError {
  return new HoldpointError(problem)
}
