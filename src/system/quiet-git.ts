import { delimiter, isAbsolute } from 'node:path'
import { withoutLoaders } from './environment.ts'

/** A call of git for `execFile` and similar functions. */
export interface QuietGitCall {
  readonly args: readonly string[]
  readonly env: Record<string, string>
}

/**
 * Runs git in an untrusted folder. Its configuration can name programs for signatures, hooks, file monitors, pagers and
 * remotes, and a repository that lacks objects fetches them from any address. None of that is run.
 */
export function quietGit(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): QuietGitCall {
  const own = Object.entries(withoutLoaders(env)).filter(([name]) => !name.startsWith('GIT_'))
  const path = (env.PATH ?? '').split(delimiter).filter(isAbsolute).join(delimiter)
  return {
    args: [...SWITCHED_OFF, '-C', folder, ...args],
    env: { ...Object.fromEntries(own), PATH: path === '' ? SYSTEM_PATH : path, ...NO_TRANSPORT },
  }
}

const SYSTEM_PATH = '/usr/bin:/bin'

/** Values of the command line take precedence over those of any file. */
const SWITCHED_OFF = [
  '--no-optional-locks',
  '--no-pager',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.alternateRefsCommand=',
    'log.showSignature=false',
    'gpg.program=false',
    'gpg.openpgp.program=false',
    'gpg.x509.program=false',
    'gpg.ssh.program=false',
    'core.askPass=false',
    'credential.helper=',
  ].flatMap((setting) => ['-c', setting]),
]

/** This list takes precedence over `protocol.*` in any file, and no protocol has this name. */
const NO_TRANSPORT = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
}
