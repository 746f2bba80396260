import { createEngine } from '../../src/app/create-engine.ts'
import { buildPlan } from '../../src/handlers/plan.ts'
import { bash, toolCall } from '../../src/library/testing/events.ts'
import { rulesOf } from '../../src/library/testing/rules.ts'
import { deciderOf } from './decider.ts'
import type { Dimension } from './dimension.ts'

/** One file holds some thousand rules at most, so more of them are in several files. */
const FILE_RULES = 1_000

function filesOf(size: number, line: (i: number) => string): readonly string[] {
  const lines = Array.from({ length: size }, (_, i) => `${line(i)}\n`)
  const files = Math.ceil(size / FILE_RULES)
  return Array.from({ length: files }, (_, i) => lines.slice(i * FILE_RULES, (i + 1) * FILE_RULES).join(''))
}

const elsewhere = (i: number) =>
  `  - { id: r${i}, match: Tool${i}, when: { input: { path: "*.p${i}" } }, deny: Not here. }`
const ofFiles = (i: number) =>
  `  - { id: r${i}, match: Edit, when: { path: { glob: "/srv/project/p${i}/**" } }, deny: Not here. }`
const ofCommands = (i: number) =>
  `  - { id: r${i}, match: Bash, when: { shell: { command: program-${i} } }, deny: Not here. }`

async function deciding(files: readonly string[]) {
  const around = { rank: 'user', trusted: true, file: 'test', packs: [], settings: {}, problems: [] } as const
  const layers = files.map((yaml) => ({ ...around, hooks: rulesOf(yaml) }))
  return deciderOf(await createEngine(buildPlan(layers, new Map())))
}

const SIZES = { sizes: [10, 100, 1_000], more: [10_000] } as const

export const ruleDimensions: readonly Dimension[] = [
  {
    id: 'rules-elsewhere',
    does: 'decide a call that no rule is for',
    unit: 'rules',
    law: 'flat',
    counts: 'steps',
    ...SIZES,
    async prepare(size) {
      const decide = await deciding(filesOf(size, elsewhere))
      return { warmUp: () => decide(bash('ls')), run: () => decide(bash('ls')) }
    },
  },
  {
    id: 'rules-commands',
    does: 'decide a command that every rule looks at',
    unit: 'rules',
    law: 'linear',
    counts: 'steps',
    ...SIZES,
    async prepare(size) {
      const decide = await deciding(filesOf(size, ofCommands))
      // The same program: what is read once about it is not work of a rule.
      return { warmUp: () => decide(bash('git log')), run: () => decide(bash('git status')) }
    },
  },
  {
    id: 'rules-files',
    does: 'decide a change of a file that every rule looks at',
    unit: 'rules',
    law: 'linear',
    counts: 'steps',
    sizes: [],
    more: [...SIZES.sizes, ...SIZES.more],
    async prepare(size) {
      const decide = await deciding(filesOf(size, ofFiles))
      const edit = (path: string) => toolCall('Edit', { file_path: path, old_string: 'a', new_string: 'b' })
      return { warmUp: () => decide(edit('/srv/project/a.ts')), run: () => decide(edit('/srv/project/b.ts')) }
    },
  },
  {
    id: 'rules-load',
    does: 'read the rules and prepare the first decision',
    unit: 'rules',
    law: 'linear',
    counts: 'steps',
    ...SIZES,
    prepare(size) {
      const files = filesOf(size, ofFiles)
      return { run: async () => (await deciding(files))(bash('ls')) }
    },
  },
]
