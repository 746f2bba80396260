import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { createResponder, type Responder } from '../../src/app/responder.ts'
import { survey } from '../../src/commands/trust-survey.ts'
import { compile } from '../../src/config/compile.ts'
import type { Problem } from '../../src/core/errors.ts'
import type { Event } from '../../src/core/event.ts'
import { ALL_ABILITIES } from '../../src/core/host.ts'
import { toolCall } from '../../src/library/testing/events.ts'
import { createMemoryState } from '../../src/storage/state/memory-state.ts'
import { homeLayout } from '../../src/system/home.ts'
import { signerFor } from '../../src/system/signer.testing.ts'
import { addTrust } from '../../src/system/trust-file.ts'

let folder: string
let responder: Responder
export const project = () => join(folder, 'project')
export const home = () => homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') })

/** A folder, a project and a responder of its own for each test of the file. */
export function inFreshProject(): void {
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-packs-')))
    mkdirSync(join(project(), '.git'), { recursive: true })
    // One for all events of a test, as in a daemon: it notices what changes between them.
    responder = createResponder({ home: home(), state: createMemoryState(), now: () => performance.now() })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
}

export function write(path: string, text: string): string {
  const file = join(project(), path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** As `holdpoint trust` does, after a person said yes. */
export async function trust(): Promise<void> {
  const { files } = await survey({ home: home(), project: project() })
  addTrust(home(), new Map([...files].map(([path, { pin }]) => [path, pin])), signerFor(home()))
}

export const configured = (options: string) =>
  write('.holdpoint/config.yaml', `version: 1\npacks:\n  acme: ${options}\n`)

export interface Parts {
  readonly check?: string
  readonly guard?: string
  readonly pack?: string
  readonly before?: string
}

/** A pack in TypeScript with one guard, `acme/no-deploy`, of the tool `mcp__deploy__start`. */
export const packText = ({
  check = `() => ({ caught: 'starts a deployment' })`,
  guard = '',
  pack = '',
  before = '',
}: Parts) => `
import { defineGuard, definePack } from 'holdpoint'
${before}
const noDeploy = {
  id: 'acme/no-deploy', title: 'Deployment by an agent', why: 'Only a person deploys.',
  instead: 'ask the user to run the deployment.', on: ['PreToolUse'], match: 'mcp__deploy__start',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: { stops: [{ tool: 'mcp__deploy__start', input: {} }], passes: ['npm test'] },
  check: ${check}, ${guard}
}
export default definePack({ id: 'acme', title: 'Rules of Acme', guards: [defineGuard(noDeploy)], ${pack} })
`

export const DEPLOY = () => toolCall('mcp__deploy__start', { to: 'prod' })
export const LIST = () => toolCall('mcp__deploy__list', {})

export async function decided(event: Event = DEPLOY()) {
  const { decision } = await responder.decide({
    event,
    can: ALL_ABILITIES,
    project: project(),
    env: {},
    skills: [],
  })
  return { ...decision, reason: JSON.stringify(decision.reasons) }
}

export async function problems(): Promise<readonly Problem[]> {
  const { plan, broken } = await compile({ home: home(), project: project(), packs: [], lastGood: {} })
  return [...broken, ...plan.problems]
}

export async function withPack(parts: Parts, options = '{ from: ./policies/pack.ts }'): Promise<void> {
  write('policies/pack.ts', packText(parts))
  configured(options)
  await trust()
}
