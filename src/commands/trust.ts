import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { configPlaces, parseConfig } from '../compile.ts'
import type { HookEntry, Layer } from '../config.ts'
import { describeProblem, HoldpointError } from '../errors.ts'
import { textAt } from '../json.ts'
import { homeLayout } from '../world/home.ts'
import { findProject } from '../world/project.ts'
import { contentHash, MISSING, pinOf, programFiles, readTrust, writeTrust } from '../world/trust.ts'

interface TrustOptions {
  readonly yes?: boolean
  readonly config?: string
  readonly home?: string
}

/** Shows what a project's configuration would run, then pins it and the programs it names to their content. */
export async function trust(options: TrustOptions): Promise<void> {
  const home = homeLayout(options.home, process.env)
  const project = findProject(process.cwd())
  const config = options.config === undefined ? {} : { config: resolve(options.config) }
  const places = configPlaces({ home, project, ...config }).filter(
    (place) => place.rank === 'project' || place.rank === 'local',
  )
  const pins = new Map<string, string>()
  for (const { path, rank } of places) {
    const text = readIfThere(path)
    if (text === undefined) continue
    const parsed = await parseConfig(text, { path, rank, trusted: false, root: project })
    if (!parsed.ok) throw new HoldpointError(parsed.problem)
    describe(path, parsed.value)
    pins.set(path, contentHash(text))
    for (const file of parsed.value.hooks.flatMap((entry) => programFiles(entry) ?? []))
      pins.set(file, pinOf(file))
  }
  if (pins.size === 0) {
    const message = `There is no project configuration in ${project}.`
    throw new HoldpointError({
      code: 'CONFIG_UNREADABLE',
      message,
      fix: 'Write .holdpoint/config.yaml first.',
    })
  }
  if (!(await confirmed(options))) {
    process.stdout.write('Nothing was changed.\n')
    return
  }
  writeTrust(home.trust, new Map([...readTrust(home.trust), ...pins]))
  // What is not there is pinned too, as missing; only what there was to read is told.
  const told = [...pins].flatMap(([file, pin]) => (pin === MISSING ? [] : [file]))
  process.stdout.write(`Trusted as they are now: ${told.join(', ')}. A change asks again.\n`)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function describe(path: string, layer: Layer): void {
  process.stdout.write(`${path}\n`)
  for (const entry of layer.hooks) {
    const what = textAt(entry.run, 'command') ?? moduleIn(entry) ?? entry.run.type
    const rights = [entry.grants ? 'may grant permissions' : '', entry.rewrites ? 'may rewrite calls' : '']
    const extra = rights.filter((right) => right !== '').join(', ')
    const unclear =
      programFiles(entry) === undefined ? ' (cannot be read, so it will not run; write it more simply)' : ''
    process.stdout.write(
      `  at ${entry.on.join(', ')} runs: ${what}${extra === '' ? '' : ` (${extra})`}${unclear}\n`,
    )
  }
  if (layer.hooks.length === 0) process.stdout.write('  runs no programs\n')
  for (const problem of layer.problems) process.stdout.write(`  wrong: ${describeProblem(problem)}\n`)
}

function moduleIn({ run }: HookEntry): string | undefined {
  const [module, name] = [textAt(run, 'module'), textAt(run, 'export')]
  return module === undefined || name === undefined ? module : `${module} (${name})`
}

async function confirmed(options: TrustOptions): Promise<boolean> {
  if (options.yes === true) return true
  if (!process.stdin.isTTY) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      message: 'Nobody is here to ask.',
      fix: 'Pass --yes after reading the list above.',
    })
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await prompt.question('Run these from now on? Type yes: ')
  prompt.close()
  return answer.trim() === 'yes'
}
