import { dirname, join } from 'node:path'
import type { Home } from '../system/home.ts'
import { isBelow } from '../system/regular-file.ts'
import { storedConfig } from './bundle/managed.ts'
import type { ConfigFile } from './imports.ts'

/** The user and the project that the configuration is for. */
export interface ConfigScope {
  readonly home: Home
  readonly project: string
}

/** The configuration files, strongest first. `--config` replaces all of them except managed policy. */
export function configPlaces(options: ConfigScope & { readonly config?: string }): readonly ConfigFile[] {
  // Only a file that is named explicitly may be in another format: if guessed, a policy could be read as empty.
  const source = 'holdpoint-yaml'
  const fleet = storedConfig(options.home)
  const managed = [options.home.managedConfig, ...(fleet === undefined ? [] : [fleet])].map(
    (path): ConfigFile => ({ path, rank: 'managed', source }),
  )
  if (options.config !== undefined)
    return [...managed, { path: options.config, rank: 'project', named: true }]
  return [
    ...managed,
    { path: options.home.userConfig, rank: 'user', source },
    { path: join(options.project, '.holdpoint', 'config.yaml'), rank: 'project', source },
    { path: join(options.project, '.holdpoint', 'config.local.yaml'), rank: 'local', source },
  ]
}

/** Managed and user files belong to the user. Files in the project come with a repository. */
export function isOwn({ path, rank }: ConfigFile, project: string): boolean {
  if (rank === 'managed' || rank === 'user') return true
  return (rank === 'plugin' || rank === 'frontmatter') && !isBelow(path, project)
}

/** Paths in a user's own file are relative to that file: in another project the same path would be untrusted code. */
export function rootOf({ path, rank }: ConfigFile, project: string): string {
  return rank === 'managed' || rank === 'user' ? dirname(path) : project
}
