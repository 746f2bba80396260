import { createEngine } from '../../src/app/create-engine.ts'
import { buildPlan } from '../../src/handlers/plan.ts'
import { bash, toolCall } from '../../src/library/testing/events.ts'
import { rulesOf } from '../../src/library/testing/rules.ts'
import { deciderOf } from './decider.ts'
import type { Dimension } from './dimension.ts'

const yamlOf = (size: number, line: (i: number) => string) => Array.from({ length: size }, (_, i) => `${line(i)}\n`).join('')

const elsewhere = (i: number) =>
  `  - { id: r${i}, match: Tool${i}, when: { input: { path: "*.p${i}" } }, deny: Not here. }`
const ofFiles = (i: number) =>
  `  - { id: r${i}, match: Edit, when: { path: { glob: "/srv/project/p${i}/**" } }, deny: Not here. }`
const ofCommands = (i: number) =>
  `  - { id: r${i}, match: Bash, when: { shell: { command: program-${i} } }, deny: Not here. }`

function planOf(yaml: string) {
  const hooks = rulesOf(yaml)
  const layer = { rank: 'user', trusted: true, file: 'test', packs: [], hooks, settings: {}, problems: [] } as const
  return buildPlan([layer], new Map())
}

async function deciding(yaml: string) {
  return deciderOf(await createEngine(planOf(yaml)))
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
      const decide = await deciding(yamlOf(size, elsewhere))
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
      const decide = await deciding(yamlOf(size, ofCommands))
      return { warmUp: () => decide(bash('ls -la src')), run: () => decide(bash('git status')) }
    },
  },
  {
    id: 'rules-files',
    does: 'decide a change of a file that every rule looks at',
    unit: 'rules',
    law: 'linear',
    counts: 'steps',
    ...SIZES,
    async prepare(size) {
      const decide = await deciding(yamlOf(size, ofFiles))
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
      const yaml = yamlOf(size, ofFiles)
      return { run: async () => (await deciding(yaml))(bash('ls')) }
    },
  },
]
