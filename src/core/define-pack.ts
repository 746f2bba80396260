import { HoldpointError } from './errors.ts'
import { EVENT_KINDS } from './event.ts'
import { type Guard, type GuardInput, LEVELS, MADE_BY, MODES, type Pack } from './guard.ts'
import { type OptionsOf, type PackOptions, schemaMistake } from './pack-options.ts'
import { VERSION } from './version.ts'
import { isInRange } from './version-range.ts'

/**
 * A guard of your own, with the types checked. `holdpoint/testing/contracts` plays its examples, plain and in the
 * forms that agents wrap commands in.
 *
 * @example
 * const noDeploy = defineGuard({
 *   id: 'acme/no-deploy',
 *   title: 'Deployment by an agent',
 *   why: 'Only a person deploys.',
 *   instead: 'ask the user to run the deployment.',
 *   on: ['PreToolUse'],
 *   match: 'mcp__deploy__start',
 *   modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
 *   examples: { stops: [{ tool: 'mcp__deploy__start', input: {} }], passes: ['npm test'] },
 *   check: () => ({ caught: 'starts a deployment' }),
 * })
 */
export function defineGuard<const Options extends PackOptions>(guard: GuardWithOptions<Options>): Guard
export function defineGuard(guard: Guard): Guard
export function defineGuard(guard: object): Guard {
  return guard as Guard
}

/** A guard that reads options of its pack: what it gets in `check` has the types that `options` says. */
export type GuardWithOptions<Options extends PackOptions> = Omit<Guard, 'options' | 'check'> & {
  readonly options: Options
  check(
    input: Omit<GuardInput, 'options'> & { readonly options: OptionsOf<Options> },
  ): ReturnType<Guard['check']>
}

/**
 * A pack of your own, for `createRuntime({ packs: [pack] })`. Throws an error with a code if something is wrong with
 * it: a guard that could not run must not look like one that found nothing.
 *
 * @example
 * const acme = definePack({ id: 'acme', title: 'Rules of Acme', guards: [noDeploy] })
 */
export function definePack(pack: Pack): Pack {
  const wrong = mistakeIn(pack)
  if (wrong === undefined) return { ...pack, [MADE_BY]: VERSION }
  throw new HoldpointError({ code: 'PACK_INVALID', message: wrong })
}

/** What is wrong with a pack, in one sentence. Also for a program in JavaScript, which no compiler has checked. */
export function mistakeIn(pack: unknown): string | undefined {
  const { id, title, guards, options = {}, holdpoint, [MADE_BY]: madeBy } = (pack ?? {}) as Partial<Pack>
  if (typeof id !== 'string' || !PACK_ID.test(id)) {
    return `The pack has the id ${JSON.stringify(id)}; an id has small letters, digits and hyphens.`
  }
  if (typeof title !== 'string' || title === '') return `The pack \`${id}\` has no title.`
  if (!Array.isArray(guards) || guards.length === 0) return `The pack \`${id}\` has no guards.`
  if (madeBy !== undefined && madeBy !== VERSION) {
    return `The pack \`${id}\` was made by Holdpoint ${madeBy}, and this is ${VERSION}: two versions are in one program. \`npm ls holdpoint\` shows where they come from.`
  }
  const version = versionMistake(holdpoint)
  if (version !== undefined) return `The pack \`${id}\` ${version}`
  const schema = schemaMistake(options)
  if (schema !== undefined) return `The pack \`${id}\`: \`options\` ${schema}.`
  const seen = new Set<string>()
  for (const guard of guards as readonly Partial<Guard>[]) {
    const wrong = mistakeInGuard(guard ?? {}, id)
    if (wrong !== undefined) return wrong
    if (seen.has(guard.id ?? '')) return `The pack \`${id}\` has two guards with the id \`${guard.id}\`.`
    seen.add(guard.id ?? '')
    const unread = Object.keys(guard.options ?? {}).find((name) => !Object.hasOwn(options, name))
    if (unread !== undefined)
      return `The guard \`${guard.id}\` reads the option \`${unread}\`, which is not in the \`options\` of its pack.`
  }
  return undefined
}

/** Why this version of Holdpoint is not one that the pack works with, as the end of a sentence. */
export function versionMistake(range: unknown): string | undefined {
  if (range === undefined) return undefined
  if (typeof range !== 'string' || isInRange(VERSION, range) === undefined)
    return `names the versions ${JSON.stringify(range)} of Holdpoint; write a range such as \`>=${VERSION}\`.`
  return isInRange(VERSION, range) === true
    ? undefined
    : `needs Holdpoint ${range}, and this is ${VERSION}. Update Holdpoint, or use another version of the pack.`
}

const PACK_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const GUARD_ID = /^[a-z0-9-]+(?:\/[a-z0-9-]+)+$/

function mistakeInGuard(
  { id, on, match, modes, check, examples, skill, timeoutMs, ...texts }: Partial<Guard>,
  pack: string,
): string | undefined {
  if (typeof id !== 'string' || !GUARD_ID.test(id) || !id.startsWith(`${pack}/`)) {
    return `A guard of the pack \`${pack}\` has the id ${JSON.stringify(id)}; it must be like \`${pack}/no-deploy\`.`
  }
  const empty = (['title', 'why', 'instead'] as const).find(
    (key) => typeof texts[key] !== 'string' || texts[key] === '',
  )
  if (empty !== undefined) return `The guard \`${id}\` has no text for \`${empty}\`.`
  if (!Array.isArray(on) || on.length === 0) return `The guard \`${id}\` names no events in \`on\`.`
  const unknown = on.find((kind) => !EVENT_KINDS.includes(kind))
  if (unknown !== undefined)
    return `The guard \`${id}\` names the event ${JSON.stringify(unknown)}, which does not exist.`
  if (typeof match !== 'string')
    return `The guard \`${id}\` needs \`match\`: tool names joined by \`|\`, or \`*\`.`
  if (!isNames(match))
    return `The guard \`${id}\` has the \`match\` ${JSON.stringify(match)}: it must be whole tool names joined by \`|\`, or \`*\`. To choose tools by a part of their name, use \`*\` and compare the name in \`check\`.`
  const level = LEVELS.find((each) => !MODES.some((mode) => mode === modes?.[each]))
  if (level !== undefined)
    return `The guard \`${id}\` has no mode for the level \`${level}\`; modes: ${MODES.join(', ')}.`
  if (typeof check !== 'function') return `The guard \`${id}\` has no function \`check\`.`
  // With a skill that cannot exist, or without time, the guard would never be asked.
  if (skill !== undefined && (typeof skill !== 'string' || skill === ''))
    return `The guard \`${id}\` has a \`skill\` that is not a name.`
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0))
    return `The guard \`${id}\` has a \`timeoutMs\` that is not a number above 0.`
  const kind = (['stops', 'passes'] as const).find((each) => !((examples?.[each]?.length ?? 0) > 0))
  if (kind !== undefined)
    return `The guard \`${id}\` has no examples of what it ${kind}: nobody could test it.`
  return undefined
}

/** Names are compared whole: a guard with a glob such as `mcp__deploy__*` would never be asked. */
function isNames(match: string): boolean {
  return (
    match === '' || match === '*' || match.split('|').every((name) => /^[^\s*?+^$()[\]{}\\]+$/.test(name))
  )
}
