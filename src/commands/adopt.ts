import { dirname } from 'node:path'
import { type Candidate, chooseHooks, closed, joined, withCopies } from '../adopt/choose.ts'
import { splitSettings } from '../adopt/split-settings.ts'
import { withImport } from '../adopt/with-import.ts'
import { compile } from '../compile.ts'
import type { HookEntry } from '../config.ts'
import type { EventKind } from '../event.ts'
import type { Installer, Scope } from '../hosts/installer.ts'
import type { JsonObject } from '../json.ts'
import { SOURCES } from '../sources/index.ts'
import { dropAdoption, readAdoption, writeAdoption } from '../world/adoptions.ts'
import { writeWhole } from '../world/files.ts'
import { readSettings, writeSettings } from '../world/settings-file.ts'
import { contentHash, pinOf, programFiles, readTrust, writeTrust } from '../world/trust.ts'
import {
  type AdoptOptions,
  type AdoptPlaces,
  claudeInstaller,
  failure,
  must,
  parseObject,
  placesOf,
  restore,
} from './adopt-places.ts'
import { undoAdoption } from './adopt-undo.ts'
import { places, readIfThere } from './agents.ts'
import { confirmed } from './confirmed.ts'

/**
 * Takes the command hooks of a Claude settings file into Holdpoint, in their order, each failing as it failed there.
 * The settings lose them last: in between, hooks run twice rather than never.
 */
export async function adopt(options: AdoptOptions): Promise<void> {
  const installer = await claudeInstaller()
  const where = placesOf(options, installer)
  if (options.undo === true) return undoAdoption(where)
  const text = must(readSettings(where.settings), where.settings)
  if (text === undefined) {
    const message = 'There is no such file.'
    throw failure({
      code: 'CONFIG_UNREADABLE',
      message,
      file: where.settings,
      fix: 'Choose another --scope.',
    })
  }
  const candidates = await candidatesIn(text, where, installer)
  const keys = candidates.filter(({ stays }) => stays === undefined).map(({ key }) => key)
  describe(candidates, options)
  if (keys.length === 0) {
    process.stdout.write(`There is nothing to adopt in ${where.settings}.\n`)
    return
  }
  if (!(await confirmed('Take these from now on?', options))) {
    process.stdout.write('Nothing was changed.\n')
    return
  }
  const settings = parseObject(text)
  const split = must(splitSettings(text, withCopies(keys, settings)), where.settings)
  await carryOut(where, text, split.rest, split.taken, options)
  process.stdout.write(
    `${keys.length} hooks are in ${where.adopted} now; \`holdpoint adopt --undo --scope ${where.scope}\` gives them back.\n`,
  )
}

async function candidatesIn(
  text: string,
  where: AdoptPlaces,
  installer: Installer,
): Promise<readonly Candidate[]> {
  const { source } = await SOURCES['claude-settings']()
  const rank = where.scope === 'user' ? 'user' : where.scope
  const root = where.scope === 'user' ? dirname(where.adopted) : where.project
  const layer = must(source.parse(text, { path: where.settings, rank, trusted: true, root }), where.settings)
  return chooseHooks(layer, parseObject(text), {
    events: startedEvents(where, installer),
    unclear: (entry) => (where.scope === 'user' ? dependsOnFolder(entry) : unknownPrograms(entry)),
  })
}

/** A person's own file is trusted whatever it starts; but from another folder a relative path is another program. */
function dependsOnFolder({ run }: HookEntry): string | undefined {
  const [program = ''] = String(run.command).split(/\s/)
  return program.includes('/') && !/^[/~$"']/.test(program)
    ? 'its path depends on the folder of the session; write it from / or ~'
    : undefined
}

/** Those of a project are trusted program by program. */
function unknownPrograms(entry: HookEntry): string | undefined {
  return programFiles(entry) === undefined ? 'nobody can tell which programs it starts' : undefined
}

/**
 * Where Holdpoint is started for everybody the settings are for: those of the user hold in every project, and those
 * of a project also for people who have only what is in the project.
 */
function startedEvents(where: AdoptPlaces, installer: Installer): ReadonlySet<EventKind> {
  const scopes: readonly Scope[] = where.scope === 'local' ? ['user', 'project', 'local'] : [where.scope]
  const events = scopes.flatMap((scope) => {
    const file = installer.file(scope, places(where.project))
    const text = file === undefined ? undefined : readIfThere(file)
    const entries = text === undefined ? undefined : installer.entries(text)
    return entries?.ok === true ? entries.value.map(({ event }) => event) : []
  })
  return new Set(installer.events.filter((event) => events.includes(event)))
}

async function carryOut(
  where: AdoptPlaces,
  text: string,
  rest: string,
  taken: JsonObject,
  options: AdoptOptions,
): Promise<void> {
  const earlier = readAdoption(where.home, where.settings)
  const adoptedBefore = must(readSettings(where.adopted), where.adopted)
  const configBefore = must(readSettings(where.config), where.config)
  checkVouched(where, configBefore, adoptedBefore)
  const given = options.closed === true ? closed(taken) : taken
  const all = adoptedBefore === undefined ? given : joined(parseObject(adoptedBefore), given)
  const adopted = `${JSON.stringify(all, null, 2)}\n`
  const config = must(withImport(configBefore, where.importName), where.config)
  const trustBefore = readTrust(where.home.trust)
  const back = () => {
    restore(where.adopted, adoptedBefore)
    restore(where.config, configBefore)
    if (where.scope !== 'user') writeTrust(where.home.trust, trustBefore)
    if (earlier === undefined) dropAdoption(where.home, where.settings)
    else writeAdoption(where.home, earlier)
  }
  try {
    writeWhole(where.adopted, adopted)
    if (config !== configBefore) writeWhole(where.config, config)
    await vouch(where, config, adopted)
    await prove(where)
    const firstBefore = earlier === undefined ? text : earlier.after === text ? earlier.before : undefined
    const firstConfig = earlier === undefined ? configBefore : earlier.configBefore
    writeAdoption(where.home, {
      settings: where.settings,
      ...(firstBefore === undefined ? {} : { before: firstBefore }),
      after: rest,
      taken: earlier === undefined ? taken : joined(earlier.taken, taken),
      adopted,
      ...(firstConfig === undefined ? {} : { configBefore: firstConfig }),
      configAfter: config,
    })
    must(writeSettings(where.settings, text, rest), where.settings)
  } catch (error) {
    back()
    throw error
  }
}

/** Adopting adds to files of ours; it must not vouch for what somebody else wrote into them. */
function checkVouched(where: AdoptPlaces, ...texts: readonly (string | undefined)[]): void {
  if (where.scope === 'user') return
  const trust = readTrust(where.home.trust)
  for (const [index, path] of [where.config, where.adopted].entries()) {
    const text = texts[index]
    if (text === undefined || trust.get(path) === contentHash(text)) continue
    const message = 'Nobody has vouched for this file yet, and adopting would.'
    throw failure({ code: 'HOOK_UNTRUSTED', message, file: path })
  }
}

/** Whoever adopts hooks has run them until now: they are vouched for as they are. */
async function vouch(where: AdoptPlaces, config: string, adopted: string): Promise<void> {
  if (where.scope === 'user') return
  const { source } = await SOURCES['claude-settings']()
  const file = { path: where.adopted, rank: where.scope, trusted: true, root: where.project } as const
  const programs = must(source.parse(adopted, file), where.adopted).hooks.flatMap(
    (entry) => programFiles(entry) ?? [],
  )
  writeTrust(
    where.home.trust,
    new Map([
      ...readTrust(where.home.trust),
      [where.config, contentHash(config)],
      [where.adopted, contentHash(adopted)],
      ...programs.map((program) => [program, pinOf(program)] as const),
    ]),
  )
}

/** Before the agent lets go of its hooks, ours must hold: read, trusted, in the plan. */
async function prove(where: AdoptPlaces): Promise<void> {
  const { source } = await SOURCES['claude-settings']()
  const rank = where.scope === 'user' ? 'user' : where.scope
  const text = readIfThere(where.adopted) ?? ''
  const expected = must(
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
  const message = `Only ${live.length} of ${expected} hooks would run from ${where.adopted}.`
  const fix = 'Nothing was changed. See `holdpoint lint`.'
  throw failure(problem ?? { code: 'INTERNAL', message, fix })
}

function describe(candidates: readonly Candidate[], options: AdoptOptions): void {
  for (const { entry, stays } of candidates) {
    const what = `${entry.on.join(', ')}: ${String(entry.run.command ?? entry.run.url)}`
    const isClosed = options.closed === true || entry.onFailure?.crash !== 'pass'
    const how = isClosed
      ? 'when it cannot answer, it stops the call where that is possible'
      : 'when it cannot answer, the call goes on, as before; --closed changes that'
    process.stdout.write(stays === undefined ? `${what}\n  ${how}\n` : `${what}\n  stays: ${stays}\n`)
  }
}
