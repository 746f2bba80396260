import * as prompts from '@clack/prompts'
import { loadPacks } from '../config/compile.ts'
import { DEFAULT_PACKS } from '../config/effective.ts'
import type { PackChanges } from '../config/sources/source.ts'
import { HoldpointError } from '../core/errors.ts'
import type { Pack } from '../core/guard.ts'
import { type InstallScope, SCOPES } from '../hosts/installer.ts'
import { type Agent, chosenAgents, knownAgents } from '../tools/status/agents.ts'
import type { Caller } from './caller.ts'
import { plural, say } from './screen.ts'

/** What a person chooses at `init`, by options or by answers. */

export interface ChoiceOptions {
  readonly host?: readonly string[]
  /** Also agents that nobody has seen obey our hooks. */
  readonly unproved?: boolean
  readonly pack?: readonly string[]
  readonly only?: boolean
  readonly scope?: InstallScope
  /** Acts that can be undone are asked about instead of denied. */
  readonly undoable?: 'ask' | 'deny'
  readonly yes?: boolean
  readonly dryRun?: boolean
}

export async function chooseAgents(caller: Caller, options: ChoiceOptions): Promise<readonly Agent[]> {
  const agents = await knownAgents(caller.env)
  sayFound(caller, agents)
  if (options.host !== undefined) return onlyProved(chosenAgents(agents, options.host), options)
  const offered = agents.filter(({ installer }) => options.unproved === true || installer.notProved !== true)
  const found = offered.filter(({ program }) => program !== undefined)
  if (found.length === 0) {
    throw new HoldpointError({
      code: 'HOST_UNKNOWN',
      message: 'No supported agent was found on PATH.',
      fix: 'Install an agent. If it is installed, but not on PATH, name it: `holdpoint init --host claude-code`. For a program of your own that asks Holdpoint, run `holdpoint init --renew`.',
    })
  }
  if (isSilent(caller, options)) return found
  const names = await askMany(
    caller,
    'Which agents should Holdpoint guard?',
    found.map(({ installer, program }) => ({ value: installer.host, hint: program?.version ?? '' })),
    found.map(({ installer }) => installer.host),
  )
  return chosenAgents(agents, names)
}

/** A rule that is not known to hold must not look like one that does. */
function onlyProved(agents: readonly Agent[], { unproved }: ChoiceOptions): readonly Agent[] {
  const doubtful = agents.find(({ installer }) => installer.notProved === true)
  if (doubtful === undefined || unproved === true) return agents
  const { host } = doubtful.installer
  throw new HoldpointError({
    code: 'HOST_NOT_PROVED',
    message: `${host} is not proved: it was never seen to obey Holdpoint's hooks. Nothing was changed.`,
    fix: `To install it all the same, run \`holdpoint init --host ${host} --unproved\`.`,
  })
}

function sayFound(caller: Caller, agents: readonly Agent[]): void {
  const missing = agents.filter(({ program, installer }) => program === undefined && !installer.notProved)
  for (const { installer, program } of agents) {
    if (program === undefined) continue
    const doubt = installer.notProved === true ? '; not proved, installed only with --unproved' : ''
    say(caller, `Found: ${installer.host} ${program.version ?? '(unknown version)'}${doubt}`)
  }
  if (missing.length > 0)
    say(caller, `Not found on PATH: ${missing.map(({ installer }) => installer.host).join(', ')}`)
}

export async function chooseScope(caller: Caller, options: ChoiceOptions): Promise<InstallScope> {
  if (options.scope !== undefined) return options.scope
  if (isSilent(caller, options)) return 'user'
  const answer = await prompts.select<InstallScope>({
    ...terminalOf(caller),
    message: 'Where should the hooks apply?',
    options: SCOPES.map((value) => ({ value, label: value, hint: SCOPE_HINTS[value] })),
    initialValue: 'user',
  })
  return answered(answer)
}

const SCOPE_HINTS: Readonly<Record<InstallScope, string>> = {
  user: 'in all your projects; recommended',
  local: 'only in this checkout, only for you',
  project: 'for everyone who works on this project; commit the file',
}

/**
 * `--pack` adds to what is on. Only `--only`, or a default that is deselected in the menu, leaves a default out, and
 * the configuration then says so.
 */
export async function choosePacks(caller: Caller, options: ChoiceOptions): Promise<PackChanges> {
  const packs = await loadPacks()
  const known = [...packs.keys()]
  const unknown = options.pack?.find((pack) => !known.includes(pack))
  if (unknown !== undefined) {
    throw new HoldpointError({
      code: 'PACK_UNKNOWN',
      message: `Unknown pack "${unknown}". Packs: ${known.join(', ')}.`,
    })
  }
  if (options.only === true && options.pack === undefined) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--only',
      message: 'It needs the packs that stay on.',
      fix: 'Name them with --pack, for example `--only --pack safety`.',
    })
  }
  if (options.only === true) return exactly(options.pack ?? [])
  if (options.pack !== undefined) return { on: options.pack, add: DEFAULT_PACKS }
  if (isSilent(caller, options)) return { add: DEFAULT_PACKS }
  const chosen = await askMany(
    caller,
    'Which packs do you want?',
    [...packs.values()].map(packChoice),
    DEFAULT_PACKS,
  )
  return exactly(chosen)
}

function exactly(chosen: readonly string[]): PackChanges {
  return { on: chosen, off: DEFAULT_PACKS.filter((pack) => !chosen.includes(pack)) }
}

/** Counts the guards that are on unless the person chooses another level, as `status` does. */
function packChoice({ id, title, guards }: Pack): Choice {
  const active = guards.filter(({ modes }) => modes.standard !== 'off').length
  return { value: id, hint: `${title.replace(/\.$/, '')} (${plural(active, 'guard')})` }
}

interface Choice {
  readonly value: string
  readonly hint: string
}

async function askMany(
  caller: Caller,
  message: string,
  choices: readonly Choice[],
  initial: readonly string[],
): Promise<readonly string[]> {
  const options = choices.map(({ value, hint }) => ({ value, label: value, hint }))
  // A hint of clack is shown only for the line with the cursor; people choose between all of them.
  const labelled = options.map((each) => ({
    ...each,
    label: each.hint === '' ? each.label : `${each.label}: ${each.hint}`,
    hint: '',
  }))
  const answer = await prompts.multiselect({
    ...terminalOf(caller),
    message,
    options: labelled,
    initialValues: [...initial],
    required: true,
  })
  return answered(answer)
}

function terminalOf({ stdin, stdout }: Caller) {
  return { input: stdin, output: stdout }
}

/** Pressing Ctrl-C is an answer too. */
function answered<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer !== 'symbol') return answer as Exclude<T, symbol>
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    message: 'You ended the questions, so nothing was changed.',
    fix: 'To start again, run `holdpoint init`.',
  })
}

/** No questions: with --yes, and in a preview that is not at a terminal. */
function isSilent(caller: Caller, { yes, dryRun }: ChoiceOptions): boolean {
  if (yes === true) return true
  if (caller.stdin.isTTY) return false
  if (dryRun === true) return true
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    message: 'This command asks questions, but there is no terminal.',
    fix: 'Choose with --host, --pack and --scope, and pass --yes.',
  })
}
