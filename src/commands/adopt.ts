import { dirname } from 'node:path'
import { compile } from '../config/compile.ts'
import { SOURCES } from '../config/sources/index.ts'
import type { EventKind } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import type { HookEntry } from '../core/layer.ts'
import { programFiles } from '../handlers/program-files.ts'
import type { Installer, InstallScope } from '../hosts/installer.ts'
import { dropAdoption, readAdoption, writeAdoption } from '../system/adoptions.ts'
import { writeWhole } from '../system/files.ts'
import { readSettings, writeSettings } from '../system/settings-file.ts'
import { contentHash, pinOf } from '../system/trust.ts'
import { addTrust, readTrust, readTrustFile, restoreTrust } from '../system/trust-file.ts'
import {
  type AdoptionCandidate,
  chooseHooks,
  closed,
  mergeAdoptions,
  withCopies,
} from '../tools/adopt/choose.ts'
import { splitSettings } from '../tools/adopt/split-settings.ts'
import { withImport } from '../tools/adopt/with-import.ts'
import { places, readIfThere } from '../tools/status/agents.ts'
import {
  type AdoptOptions,
  type AdoptPlaces,
  claudeInstaller,
  failure,
  parseObject,
  placesOf,
  restoreText,
  unwrapFor,
} from './adopt-places.ts'
import { undoAdoption } from './adopt-undo.ts'
import type { Caller } from './caller.ts'
import { confirmed } from './confirmed.ts'
import { type Person, personSigner, requireConsent, requirePerson } from './person.ts'
import { recordPerson } from './person-record.ts'

/**
 * Moves the command hooks of a Claude settings file into Holdpoint. They keep their order and the way they
 * fail. They are removed from the settings last: if this is interrupted, hooks run twice instead of not at
 * all.
 */
export async function adopt(caller: Caller, options: AdoptOptions): Promise<void> {
  const installer = await claudeInstaller()
  const where = placesOf(caller, options, installer)
  if (options.undo === true) {
    const person = await requireConsent(caller, where.home, 'adopt', options.unattended)
    return undoAdoption(caller, where, person)
  }
  const text = unwrapFor(readSettings(where.settings), where.settings)
  if (text === undefined) {
    const message = 'This file does not exist.'
    throw failure({
      code: 'CONFIG_UNREADABLE',
      message,
      file: where.settings,
      fix: 'Choose another --scope.',
    })
  }
  const candidates = await candidatesIn(caller, text, where, installer)
  const keys = candidates.filter(({ stays }) => stays === undefined).map(({ key }) => key)
  describe(caller, candidates, options)
  if (keys.length === 0) {
    caller.stdout.write(`There are no hooks to adopt in ${where.settings}.\n`)
    return
  }
  // The hooks of a project are trusted in the same step, which only a person can do.
  const person = where.scope === 'user' ? {} : await requirePerson(caller, where.home, 'adopt')
  if (!(await confirmed(caller, 'Adopt these hooks?', options))) {
    caller.stdout.write('Nothing was changed.\n')
    return
  }
  const settings = parseObject(text)
  const split = unwrapFor(splitSettings(text, withCopies(keys, settings)), where.settings)
  await carryOut(caller, where, text, split.rest, split.taken, { ...options, person })
  caller.stdout.write(
    `${keys.length} hooks moved to ${where.adopted}. To move them back, run \`holdpoint adopt --undo --scope ${where.scope}\`.\n`,
  )
}

async function candidatesIn(
  caller: Caller,
  text: string,
  where: AdoptPlaces,
  installer: Installer,
): Promise<readonly AdoptionCandidate[]> {
  const { source } = await SOURCES['claude-settings']()
  const rank = where.scope === 'user' ? 'user' : where.scope
  const root = where.scope === 'user' ? dirname(where.adopted) : where.project
  const layer = unwrapFor(
    source.parse(text, { path: where.settings, rank, trusted: true, root }),
    where.settings,
  )
  return chooseHooks(layer, parseObject(text), {
    events: startedEvents(caller, where, installer),
    unclear: (entry) => (where.scope === 'user' ? dependsOnFolder(entry) : unknownPrograms(caller, entry)),
  })
}

/**
 * Programs named in the user's own file are always trusted. But a relative path means a different program in
 * a different folder.
 */
function dependsOnFolder({ run }: HookEntry): string | undefined {
  const [program = ''] = String(run.command).split(/\s/)
  return program.includes('/') && !/^[/~$"']/.test(program)
    ? 'its path depends on the folder of the session; write an absolute path, or one that starts with ~'
    : undefined
}

/** Each program that a project's hook starts is trusted on its own, so it must be known. */
function unknownPrograms(caller: Caller, entry: HookEntry): string | undefined {
  return programFiles(entry, caller.userHome) === undefined
    ? 'Holdpoint cannot tell which programs it starts'
    : undefined
}

/**
 * The command must work for everyone who uses these settings. User settings are used in every project.
 * Project settings are also used by people who have only the files of the project.
 */
function startedEvents(caller: Caller, where: AdoptPlaces, installer: Installer): ReadonlySet<EventKind> {
  const scopes: readonly InstallScope[] =
    where.scope === 'local' ? ['user', 'project', 'local'] : [where.scope]
  const events = scopes.flatMap((scope) => {
    const file = installer.file(scope, places(where.project, caller.env))
    const text = file === undefined ? undefined : readIfThere(file)
    const entries = text === undefined ? undefined : installer.entries(text)
    return entries?.ok === true ? entries.value.map(({ event }) => event) : []
  })
  return new Set(installer.events.filter((event) => events.includes(event)))
}

async function carryOut(
  caller: Caller,
  where: AdoptPlaces,
  text: string,
  rest: string,
  taken: JsonObject,
  options: AdoptOptions & { readonly person: Person },
): Promise<void> {
  const earlier = readAdoption(where.home, where.settings)
  const adoptedBefore = unwrapFor(readSettings(where.adopted), where.adopted)
  const configBefore = unwrapFor(readSettings(where.config), where.config)
  checkVouched(where, configBefore, adoptedBefore)
  const given = options.closed === true ? closed(taken) : taken
  const all = adoptedBefore === undefined ? given : mergeAdoptions(parseObject(adoptedBefore), given)
  const adopted = `${JSON.stringify(all, null, 2)}\n`
  const config = unwrapFor(withImport(configBefore, where.importName), where.config)
  const trustBefore = readTrustFile(where.home)
  const back = () => {
    restoreText(where.adopted, adoptedBefore)
    restoreText(where.config, configBefore)
    if (where.scope !== 'user') restoreTrust(where.home, trustBefore)
    if (earlier === undefined) dropAdoption(where.home, where.settings)
    else writeAdoption(where.home, earlier)
  }
  try {
    writeWhole(where.adopted, adopted)
    if (config !== configBefore) writeWhole(where.config, config)
    await vouch(caller, where, config, adopted, options.person)
    await prove(where)
    const firstBefore = earlier === undefined ? text : earlier.after === text ? earlier.before : undefined
    const firstConfig = earlier === undefined ? configBefore : earlier.configBefore
    writeAdoption(where.home, {
      settings: where.settings,
      ...(firstBefore === undefined ? {} : { before: firstBefore }),
      after: rest,
      taken: earlier === undefined ? taken : mergeAdoptions(earlier.taken, taken),
      adopted,
      ...(firstConfig === undefined ? {} : { configBefore: firstConfig }),
      configAfter: config,
    })
    unwrapFor(writeSettings(where.settings, text, rest), where.settings)
  } catch (error) {
    back()
    throw error
  }
}

/** Adopting changes Holdpoint's own files. That must not trust something another person wrote into them. */
function checkVouched(where: AdoptPlaces, ...texts: readonly (string | undefined)[]): void {
  if (where.scope === 'user') return
  const trust = readTrust(where.home)
  for (const [index, path] of [where.config, where.adopted].entries()) {
    const text = texts[index]
    if (text === undefined || trust.get(path) === contentHash(text)) continue
    const message = 'This file is not trusted yet, and adopting hooks would trust it.'
    throw failure({ code: 'HOOK_UNTRUSTED', message, file: path })
  }
}

/** The user has been running these hooks all along, so they are trusted as they are now. */
async function vouch(
  caller: Caller,
  where: AdoptPlaces,
  config: string,
  adopted: string,
  person: Person,
): Promise<void> {
  if (where.scope === 'user') return
  const { source } = await SOURCES['claude-settings']()
  const file = { path: where.adopted, rank: where.scope, trusted: true, root: where.project } as const
  const programs = unwrapFor(source.parse(adopted, file), where.adopted).hooks.flatMap(
    (entry) => programFiles(entry, caller.userHome) ?? [],
  )
  const pins = new Map([
    [where.config, contentHash(config)],
    [where.adopted, contentHash(adopted)],
    ...programs.map((program) => [program, pinOf(program)] as const),
  ])
  addTrust(where.home, pins, await personSigner(caller, where.home, person))
  recordPerson(caller, where.home, 'Trust', `adopt trusts ${[...pins.keys()].join(', ')}`)
}

/**
 * Before the hooks are removed from the settings, check that Holdpoint reads and trusts them and that the
 * plan has them.
 */
async function prove(where: AdoptPlaces): Promise<void> {
  const { source } = await SOURCES['claude-settings']()
  const rank = where.scope === 'user' ? 'user' : where.scope
  const text = readIfThere(where.adopted) ?? ''
  const expected = unwrapFor(
    source.parse(text, { path: where.adopted, rank, trusted: true, root: where.project }),
    where.adopted,
  ).hooks.length
  const { plan, broken } = await compile({
    home: where.home,
    project: where.project,
    packs: [],
    lastGood: {},
  })
  const live = plan.hooks.filter(({ origin, trusted }) => origin.file === where.adopted && trusted)
  if (live.length === expected) return
  const [problem] = broken
  const message = `Holdpoint would run only ${live.length} of ${expected} hooks from ${where.adopted}.`
  const fix = 'Nothing was changed. Run `holdpoint lint` to see why.'
  throw failure(problem ?? { code: 'INTERNAL', message, fix })
}

function describe(caller: Caller, candidates: readonly AdoptionCandidate[], options: AdoptOptions): void {
  for (const { entry, stays } of candidates) {
    const what = `${entry.on.join(', ')}: ${String(entry.run.command ?? entry.run.url)}`
    const isClosed = options.closed === true || entry.onFailure?.crash !== 'pass'
    const how = isClosed
      ? 'if it fails, the call is blocked where the agent allows that'
      : 'if it fails, the call continues, as before; use --closed to block it'
    caller.stdout.write(stays === undefined ? `${what}\n  ${how}\n` : `${what}\n  not adopted: ${stays}\n`)
  }
}
