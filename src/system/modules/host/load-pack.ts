import { mistakeIn } from '../../../core/define-pack.ts'
import type { Guard, GuardInput, Pack } from '../../../core/guard.ts'
import { frozenCopy, type JsonObject } from '../../../core/json.ts'
import { describePack, tooMuchForOthers } from '../../../core/pack-description.ts'
import { liveFacts } from '../../live-facts.ts'
import { at, type LoadedHook, loadModule, type OwnLibraries } from './load.ts'
import type { ModulePart } from './protocol.ts'

/** Loads a pack, and gives one part of it as something that can be called. Throws if the pack has a mistake. */
export async function loadPackPart(
  request: Pick<ModulePart, 'file' | 'loader' | 'own'>,
  part: NonNullable<ModulePart['pack']>,
  provided: OwnLibraries,
): Promise<LoadedHook> {
  const pack = packIn(await loadModule(request, provided))
  const always = () => true
  if (part.kind === 'describe') return { concerns: always, run: () => describePack(pack) }
  const guard = guardNamed(pack, part.guard)
  return { concerns: always, run: (event, context) => guard.check(inputFrom(event, context)) }
}

function packIn(exports: unknown): Pack {
  const first = at(exports, 'default') ?? at(exports, 'pack') ?? exports
  const found = at(first, 'guards') === undefined ? (at(first, 'default') ?? at(first, 'pack')) : first
  if (found === undefined)
    throw new Error('it has no default export, and no export `pack`, that is a pack made by definePack')
  const wrong = mistakeIn(found)
  if (wrong !== undefined) throw new Error(wrong)
  const pack = found as Pack
  const tooMuch = tooMuchForOthers(pack)
  if (tooMuch !== undefined) throw new Error(`The pack \`${pack.id}\` ${tooMuch}.`)
  return pack
}

function guardNamed({ guards }: Pack, id: string): Guard {
  for (let i = 0; i < guards.length; i += 1) {
    const guard = guards[i]
    if (guard?.id === id) return guard
  }
  throw new Error(`it has no guard ${id} any more`)
}

/** Frozen: a guard that changes its input would throw, and the call is denied. */
function inputFrom(event: unknown, context: unknown): GuardInput {
  const given = context as PackContext
  const { cwd, home, project, env, actor, options, memory, agents } = given
  return Object.freeze({
    event: frozenCopy(event) as unknown as GuardInput['event'],
    actor: frozenCopy(actor) as unknown as GuardInput['actor'],
    facts: Object.freeze(liveFacts({ cwd, home, project, env })),
    options: frozenCopy(options) as JsonObject,
    memory: frozenCopy(memory) as JsonObject | undefined,
    ...(agents === undefined ? {} : { agents: frozenCopy(agents) as unknown as GuardInput['agents'] }),
  })
}

/** What the parent sends with an event. */
interface PackContext extends Pick<GuardInput, 'actor' | 'options' | 'memory' | 'agents'> {
  readonly cwd: string
  readonly home: string
  readonly project: string
  readonly env: Readonly<Record<string, string | undefined>>
}
