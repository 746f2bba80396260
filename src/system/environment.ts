import { delimiter, isAbsolute } from 'node:path'
import { isOlder, type Stamp, sameStamp, stampOf } from './file-stamp.ts'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'
import { readRegularText } from './regular-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The caller's environment without variables that make a loader, an interpreter or a shell run foreign code. A
 * repository can set the environment of hooks; it must not affect Holdpoint or the programs that Holdpoint starts.
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

/** The environment of this process: the default for the hooks of a program that embeds Holdpoint. */
export function ownEnvironment(): Environment {
  return process.env
}

/**
 * The search path for programs: first the folders known when Holdpoint was installed, then the caller's. An empty or
 * relative part would mean the folder in which a program happens to be started.
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

const PATH_MAX_BYTES = 256 * 1024

/** Read again only if the file has changed: every event with a hook of the user's own asks for it. */
function readPath(home: Home): string | undefined {
  const stamp = stampOf(home.path)
  if (lastPath === undefined || lastPath.stamp.path !== stamp.path || !sameStamp(lastPath.stamp, stamp)) {
    const isSettled = isOlder(stamp, Date.now())
    const path = readRegularText(home.path, PATH_MAX_BYTES)?.trim() || undefined
    if (!isSettled) return path
    lastPath = { stamp, path }
  }
  return lastPath.path
}

let lastPath: { readonly stamp: Stamp; readonly path: string | undefined } | undefined
