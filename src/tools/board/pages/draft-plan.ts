import { compile, loadPacks } from '../../../config/compile.ts'
import { SOURCES } from '../../../config/sources/index.ts'
import type { Problem } from '../../../core/errors.ts'
import type { Layer } from '../../../core/layer.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import type { Home } from '../../../system/home.ts'

const DRAFT_FILE = 'your draft'
const DRAFT_MAX_CHARACTERS = 100_000

/** The policy of a project with a draft added to it. Without a plan, the draft cannot be read at all. */
export interface DraftPlan {
  readonly plan?: Plan
  /** What is wrong in the draft, with its lines. */
  readonly problems: readonly Problem[]
}

/**
 * Adds a part of a configuration file to the policy that applies in a project, as if a person had trusted it. An entry
 * with the id of an existing one replaces it, unless that one is managed: so a rule can be edited.
 */
export async function planWithDraft(home: Home, project: string, text: string): Promise<DraftPlan> {
  if (text.length > DRAFT_MAX_CHARACTERS) {
    const message = `The draft is longer than ${DRAFT_MAX_CHARACTERS} characters.`
    return { problems: [{ code: 'CONFIG_TOO_LARGE', message, file: DRAFT_FILE }] }
  }
  const member = await SOURCES['holdpoint-yaml']()
  // At the end, so that the lines of problems are those of the draft.
  const whole = /^version\s*:/m.test(text) ? text : `${text}\nversion: 1\n`
  const file = { path: DRAFT_FILE, rank: 'user', trusted: true, root: project } as const
  const parsed = member.source.parse(whole, file)
  if (!parsed.ok) return { problems: [parsed.problem] }
  const { layers } = await compile({ home, project, packs: [], lastGood: {} })
  const draft = parsed.value
  const plan = buildPlan([...layers.map((layer) => withoutReplaced(layer, draft)), draft], await loadPacks())
  return { plan, problems: plan.problems.filter((problem) => problem.file === DRAFT_FILE) }
}

function withoutReplaced(layer: Layer, draft: Layer): Layer {
  if (layer.rank === 'managed') return layer
  const ids = new Set(draft.hooks.flatMap(({ id }) => id ?? []))
  return { ...layer, hooks: layer.hooks.filter(({ id }) => id === undefined || !ids.has(id)) }
}
