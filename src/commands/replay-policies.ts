import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import type { Home } from '../system/home.ts'
import { quietGit } from '../system/quiet-git.ts'
import { createProjectPlans } from '../tools/history/project-plans.ts'
import type { PurePlan } from '../tools/history/without-programs.ts'
import { policyAlone } from '../tools/replay/policy-alone.ts'
import type { Caller } from './caller.ts'
import { visible } from './visible.ts'

export interface ReplayPolicies {
  readonly plan: PurePlan
  readonly policy: string
  readonly against: PurePlan | 'recorded' | 'nothing'
  readonly againstWords?: string
}

export interface PolicyOptions {
  readonly policy?: string
  readonly against?: string
}

const CONFIG = '.holdpoint/config.yaml'
const POLICY_MAX_BYTES = 1024 * 1024

/** The policies that a replay decides with. With `--against`, each is one file alone, read as trusted. */
export async function replayPolicies(
  caller: Caller,
  options: PolicyOptions,
  project: string,
  home: Home,
  hasVerdicts: boolean,
): Promise<ReplayPolicies> {
  if (options.against === undefined && options.policy === undefined) {
    const plan = await createProjectPlans(home).planOf(project)
    const words = { plan, policy: 'The current policy' }
    return hasVerdicts
      ? { ...words, against: 'recorded', againstWords: 'what was decided at the time' }
      : { ...words, against: 'nothing' }
  }
  const own = options.policy === undefined ? join(project, CONFIG) : resolve(caller.cwd, options.policy)
  const isThere = options.policy !== undefined || existsSync(own)
  const plan = await alone(caller, isThere ? readPolicy(own, '--policy') : undefined, own, home)
  const policy = isThere ? `The policy ${visible(options.policy ?? CONFIG)}` : 'The default policy'
  if (options.against === undefined) {
    return hasVerdicts
      ? { plan, policy, against: 'recorded', againstWords: 'what was decided at the time' }
      : { plan, policy, against: 'nothing' }
  }
  const other = againstText(caller, options.against, project)
  return {
    plan,
    policy,
    against: await alone(caller, other.text, options.against, home),
    againstWords: other.words,
  }
}

async function alone(caller: Caller, text: string | undefined, name: string, home: Home): Promise<PurePlan> {
  const made = await policyAlone(text, home.user)
  if (!made.ok) throw new HoldpointError({ ...made.problem, file: name })
  for (const { message, line } of made.value.problems) {
    const place = line === undefined ? '' : `:${line}`
    caller.stderr.write(`holdpoint: ${visible(`${name}${place} ${message}`)}\n`)
  }
  return made.value.plan
}

/** `none`, a file, or a commit of the project's repository. */
function againstText(
  caller: Caller,
  against: string,
  project: string,
): { readonly text: string | undefined; readonly words: string } {
  if (against === 'none') return { text: undefined, words: 'the default policy' }
  if (existsSync(resolve(caller.cwd, against)) && statSync(resolve(caller.cwd, against)).isFile()) {
    return { text: readPolicy(resolve(caller.cwd, against), '--against'), words: visible(against, 200) }
  }
  const commit = git(caller, project, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${against}^{commit}`,
  ])
  if (commit === undefined) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--against',
      message: `"${visible(against, 200)}" is neither a file nor a commit of this repository.`,
      fix: 'Name a file, a branch, tag or commit, or `none` for the default policy. In CI, fetch the commit first.',
    })
  }
  const words = `${CONFIG} of ${visible(against, 100)}`
  const id = commit.trim()
  if (git(caller, project, ['ls-tree', '--name-only', id, '--', CONFIG])?.trim() !== CONFIG) {
    return { text: undefined, words: `${visible(against, 100)}, which has no ${CONFIG}: the default policy` }
  }
  const text = git(caller, project, ['show', `${id}:./${CONFIG}`])
  if (text === undefined) {
    throw new HoldpointError({ code: 'CONFIG_UNREADABLE', message: `git cannot show ${words}.` })
  }
  return { text, words }
}

function git(caller: Caller, project: string, args: readonly string[]): string | undefined {
  const call = quietGit(project, args, caller.env)
  try {
    return execFileSync('git', call.args, {
      encoding: 'utf8',
      env: call.env,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: POLICY_MAX_BYTES * 2,
      timeout: 30_000,
    })
  } catch {
    return undefined
  }
}

function readPolicy(file: string, key: string): string {
  try {
    const info = statSync(file)
    if (!info.isFile() || info.size > POLICY_MAX_BYTES)
      throw new Error('it is not a regular file of at most 1 MiB')
    return readFileSync(file, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HoldpointError({
      code: 'CONFIG_UNREADABLE',
      key,
      message: `The policy cannot be read: ${why}.`,
      file,
    })
  }
}
