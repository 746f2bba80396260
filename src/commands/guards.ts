import { HoldpointError } from '../core/errors.ts'
import type { Guard } from '../core/guard.ts'
import { findProject } from '../system/project.ts'
import { readPolicy } from '../tools/status/status-facts.ts'
import { type Caller, homeNamed } from './caller.ts'
import { type DescribedGuard, guardExamples, guardText, modeHere } from './guard-text.ts'
import { foldedText, plural, screenWidth } from './screen.ts'
import { visibleJson } from './visible.ts'

interface GuardsOptions {
  readonly home?: string
  readonly json?: boolean
}

/** Lists guards, or describes the one that the pattern names. */
export async function guards(
  caller: Caller,
  pattern: string | undefined,
  options: GuardsOptions,
): Promise<void> {
  const all = await describedGuards(caller, options.home)
  const found = all.filter(({ guard }) => pattern === undefined || isNamed(guard, pattern))
  if (found.length === 0) throw unknownGuard(pattern ?? '')
  const exact = found.filter(({ guard }) => isExactly(guard, pattern))
  const shown = exact.length === 1 ? exact : found
  if (options.json === true) {
    caller.stdout.write(`${visibleJson(JSON.stringify(shown.map(asJson), null, 2))}\n`)
    return
  }
  const [only] = shown
  if (shown.length === 1 && only !== undefined) {
    caller.stdout.write(guardText(caller, only))
    return
  }
  for (const { guard, pack, here } of shown)
    caller.stdout.write(
      `${foldedText(`${modeHere(caller, pack, here)}: ${guard.title}`, `${guard.id}  `, screenWidth(caller.stdout))}\n`,
    )
  caller.stdout.write(`\n${plural(shown.length, 'guard')}. To see one: \`holdpoint guards <id>\`.\n`)
}

/** Explains one guard, for `holdpoint explain <id>`. False if the text names no guard, and none of a known pack. */
export async function explainGuard(caller: Caller, id: string, options: GuardsOptions): Promise<boolean> {
  if (!/^[a-z][a-z-]*\/[a-z0-9/-]+$/.test(id)) return false
  const all = await describedGuards(caller, options.home)
  const found = all.find(({ guard }) => isExactly(guard, id))
  if (found === undefined) {
    const [name] = id.split('/')
    if (all.some(({ pack }) => pack.pack === name)) throw unknownGuard(id)
    return false
  }
  caller.stdout.write(
    options.json === true
      ? `${visibleJson(JSON.stringify(asJson(found), null, 2))}\n`
      : guardText(caller, found),
  )
  return true
}

async function describedGuards(caller: Caller, home: string | undefined): Promise<readonly DescribedGuard[]> {
  const layout = homeNamed(caller, home)
  const { policy, packs } = await readPolicy(layout, findProject(caller.cwd))
  // What is on comes first: that is what people look for.
  const ordered = [...policy.packs].sort((a, b) => Number(b.on) - Number(a.on))
  return ordered.flatMap((pack) =>
    (packs.get(pack.pack)?.guards ?? []).map((guard) => ({
      guard,
      pack,
      here: pack.guards.find(({ id }) => id === guard.id) ?? {
        id: guard.id,
        mode: 'off' as const,
        isSet: false,
      },
    })),
  )
}

/** `git`, `safety/git`, `*push*`: a part of the id or of the title, or a glob over the id. */
function isNamed({ id, title }: Guard, pattern: string): boolean {
  const wanted = pattern.toLowerCase()
  if (!wanted.includes('*')) return id.toLowerCase().includes(wanted) || title.toLowerCase().includes(wanted)
  const parts = wanted.split('*')
  let at = 0
  for (const [index, part] of parts.entries()) {
    const found = id.indexOf(part, at)
    if (found < 0 || (index === 0 && found !== 0)) return false
    at = found + part.length
  }
  return parts.at(-1) === '' || id.endsWith(parts.at(-1) ?? '')
}

function isExactly({ id }: Guard, pattern: string | undefined): boolean {
  return id === pattern
}

function asJson({ guard, pack, here }: DescribedGuard): object {
  const { id, title, why, instead, on, match, skill, modes } = guard
  const examples = guardExamples(id)
  return {
    id,
    pack: pack.pack,
    mode: here.mode,
    from: here.from,
    title,
    why,
    instead,
    on,
    match,
    skill,
    modes,
    examples,
  }
}

function unknownGuard(pattern: string): HoldpointError {
  return new HoldpointError({
    code: 'GUARD_UNKNOWN',
    message: `No guard is named ${JSON.stringify(pattern)}.`,
    fix: 'Run `holdpoint guards` to list all guards.',
  })
}
