import { dirname, join } from 'node:path'
import type { Place } from './imports.ts'
import type { Home } from './world/home.ts'
import { isBelow } from './world/trust.ts'

/** Whose configuration: of this person, in this project. */
export interface Where {
  readonly home: Home
  readonly project: string
}

/** Where configuration is read from, strongest first. `--config` stands in for everything but managed policy. */
export function configPlaces(options: Where & { readonly config?: string }): readonly Place[] {
  // Only a file somebody names may be of another format: guessed, a policy could be read as something that has none.
  const source = 'holdpoint-yaml'
  const managed: Place = { path: options.home.managedConfig, rank: 'managed', source }
  if (options.config !== undefined) return [managed, { path: options.config, rank: 'project', named: true }]
  return [
    managed,
    { path: options.home.userConfig, rank: 'user', source },
    { path: join(options.project, '.holdpoint', 'config.yaml'), rank: 'project', source },
    { path: join(options.project, '.holdpoint', 'config.local.yaml'), rank: 'local', source },
  ]
}

/** Managed and user files are the person's own; what lies in the project travels with a repository. */
export function isOwn({ path, rank }: Place, project: string): boolean {
  if (rank === 'managed' || rank === 'user') return true
  return (rank === 'plugin' || rank === 'frontmatter') && !isBelow(path, project)
}

/** A person's own file means files beside it: the same words in a foreign project would be foreign code. */
export function rootOf({ path, rank }: Place, project: string): string {
  return rank === 'managed' || rank === 'user' ? dirname(path) : project
}
