import { readFileSync } from 'node:fs'
import { delimiter, isAbsolute } from 'node:path'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The caller's environment without what makes a loader, an interpreter or a shell run foreign code. A repository can
 * set the environment of hooks; what Holdpoint judges with, and what it starts, must not follow it there.
 */
export function withoutLoaders(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of Object.keys(env)) {
    const value = env[name]
    if (value !== undefined && !LOADERS.test(name)) kept[name] = value
  }
  return kept
}

const LOADERS =
  /^(?:LD_|DYLD_|NODE_|OPENSSL_|PYTHON|PERL|RUBY|GEM_|PHP_|BASH_FUNC_|(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|IFS|CDPATH|GCONV_PATH|BUNDLE_GEMFILE|PHPRC|ZDOTDIR)$)/

/** The environment of this process: what a program that embeds Holdpoint gives its hooks unless it says otherwise. */
export function ownEnvironment(): Environment {
  return process.env
}

/**
 * What programs are found by: the folders known when Holdpoint was installed first, the caller's after them. An empty
 * or relative part would mean whatever folder a program happens to be started in.
 */
export function searchPath(home: Home, callers: string | undefined): string | undefined {
  const known = readPath(home)
  if (known === undefined) return callers
  const named = (callers ?? '').split(delimiter).filter(isAbsolute)
  return [known, ...named].join(delimiter)
}

export function rememberPath(home: Home, path: string | undefined): void {
  if (path) writeWhole(home.path, `${path}\n`, 0o600)
}

function readPath(home: Home): string | undefined {
  try {
    return readFileSync(home.path, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
