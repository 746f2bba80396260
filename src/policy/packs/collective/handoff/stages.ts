import type { CommandOutcome, CommandRequirement } from '../../../../core/command.ts'
import type { Facts } from '../../../../core/facts.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../../../core/json.ts'
import { commandFault } from '../../../completion/command-fault.ts'
import { projectPath } from '../../../completion/inspect-file.ts'
import { type CollectiveOptions, STAGES, type TestStage } from '../options.ts'

/** The stages that must succeed before work is handed on, in order. */
export interface HandoffStage {
  /** Why the stages cannot start: dependencies that are not installed. */
  readonly fault?: string
  readonly stages: readonly { readonly stage: TestStage; readonly duty: CommandRequirement }[]
}

/** The configured commands, otherwise those that the project defines. */
export async function checkpointOf(options: CollectiveOptions, facts: Facts): Promise<HandoffStage> {
  const found = await commandsOf(facts)
  const wanted = (stage: TestStage) => {
    const set = options.commands[stage]
    return set === false ? undefined : (set ?? found[stage])
  }
  const stages = STAGES.flatMap((stage) => {
    const run = wanted(stage)
    return run === undefined ? [] : [{ stage, duty: { run, timeoutMs: options.timeoutsMs[stage] } }]
  })
  const isChecked = options.commands.dependencies === undefined && found.missing !== undefined
  return isChecked ? { stages, ...(found.missing === undefined ? {} : { fault: found.missing }) } : { stages }
}

/** The next command to run. Undefined if one failed, or all succeeded. */
export function nextRequirement(
  { fault, stages }: HandoffStage,
  ran: ReadonlyMap<string, CommandOutcome> = new Map(),
): CommandRequirement | undefined {
  if (fault !== undefined) return undefined
  for (const { duty } of stages) {
    const outcome = ran.get(duty.run)
    if (outcome === undefined) return duty
    if (outcome.kind !== 'succeeded') return undefined
  }
  return undefined
}

/** The first fault. Undefined if everything succeeded. */
export function faultOf(
  { fault, stages }: HandoffStage,
  ran: ReadonlyMap<string, CommandOutcome> = new Map(),
): string | undefined {
  if (fault !== undefined) return fault
  for (const { stage, duty } of stages) {
    const wrong = commandFault(duty.run, ran.get(duty.run))
    if (wrong !== undefined) return `${NAMES[stage]}: ${wrong}`
  }
  return undefined
}

const NAMES: Readonly<Record<TestStage, string>> = {
  dependencies: 'Dependencies',
  test: 'Tests',
  build: 'Build',
}

type Found = Partial<Record<TestStage, string>> & { readonly missing?: string }

async function commandsOf(facts: Facts): Promise<Found> {
  const manifest = await jsonAt('package.json', facts)
  const node = manifest === undefined ? {} : await nodeCommands(manifest, facts)
  if (node.test !== undefined) return node
  const own = await jsonAt('.claude-collective/package.json', facts)
  if (own !== undefined && usesVitest(own))
    return { ...node, test: 'cd .claude-collective && npx vitest run' }
  const composer = await jsonAt('composer.json', facts)
  if (composer !== undefined && has(composer.scripts, 'test')) return { ...node, test: 'composer test' }
  return node
}

async function nodeCommands(manifest: JsonObject, facts: Facts): Promise<Found> {
  const manager = await managerOf(facts)
  const { scripts } = manifest
  const script = isObject(scripts) ? textAt(scripts, 'test') : undefined
  // The placeholder that `npm init` writes is not a test.
  const isScript = script !== undefined && !script.includes('no test specified')
  const test = usesVitest(manifest) ? manager.vitest : isScript ? manager.test : undefined
  const needs = [manifest.dependencies, manifest.devDependencies].some(
    (each) => isObject(each ?? null) && Object.keys(each as JsonObject).length > 0,
  )
  const isInstalled = !needs || (await isThere('node_modules', facts)) || (await isThere('.pnp.cjs', facts))
  return {
    ...(test === undefined ? {} : { test }),
    ...(has(scripts, 'build') ? { build: manager.build } : {}),
    ...(isInstalled
      ? {}
      : { missing: `Dependencies: node_modules is missing. Run \`${manager.install}\`, then finish.` }),
  }
}

interface Manager {
  readonly lock: readonly string[]
  readonly vitest: string
  readonly test: string
  readonly build: string
  readonly install: string
}

const NPM: Manager = {
  lock: ['package-lock.json'],
  vitest: 'npx vitest run',
  test: 'npm test',
  build: 'npm run build',
  install: 'npm install',
}
const MANAGERS: readonly Manager[] = [
  NPM,
  {
    lock: ['pnpm-lock.yaml'],
    vitest: 'pnpm exec vitest run',
    test: 'pnpm test',
    build: 'pnpm run build',
    install: 'pnpm install',
  },
  {
    lock: ['yarn.lock'],
    vitest: 'yarn vitest run',
    test: 'yarn test',
    build: 'yarn build',
    install: 'yarn install',
  },
  {
    lock: ['bun.lock', 'bun.lockb'],
    vitest: 'bunx vitest run',
    test: 'bun run test',
    build: 'bun run build',
    install: 'bun install',
  },
]

async function managerOf(facts: Facts): Promise<Manager> {
  for (const manager of MANAGERS) {
    for (const lock of manager.lock) if (await isThere(lock, facts)) return manager
  }
  return NPM
}

function usesVitest({ dependencies, devDependencies }: JsonObject): boolean {
  return has(dependencies, 'vitest') || has(devDependencies, 'vitest')
}

function has(object: Json | undefined, key: string): boolean {
  return isObject(object) && Object.hasOwn(object, key)
}

async function isThere(path: string, facts: Facts): Promise<boolean> {
  return (await facts.stat(projectPath(path, facts))) !== undefined
}

/** Undefined if there is none, or if it is not a JSON object. */
export async function jsonAt(path: string, facts: Facts): Promise<JsonObject | undefined> {
  const text = await facts.readText(projectPath(path, facts))
  if (text === undefined) return undefined
  try {
    const value: Json = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
