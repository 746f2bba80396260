import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packTarballs } from '../../../scripts/pack-plugins.mjs'
import { setUpAgent } from '../agent-setup.ts'
import { AGENTS, type Agent } from '../agents.ts'
import { notRan, RAN, recorded, told } from '../checks.ts'
import { isInFull } from '../depth.ts'
import type { Sandbox } from '../sandbox.ts'
import { PROGRAMS } from './programs/index.ts'

/**
 * Our plugins as packages, each installed in the way of its own program and without `holdpoint init` for that program:
 * by name from a registry on loopback, from a tarball, or from a folder.
 */
interface Packed {
  readonly host: string
  readonly name: string
  readonly folder: string
  readonly tarball: string
}

let packages: readonly Packed[] = []
let registry: Server | undefined
let registryUrl = ''
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-packages-'))

beforeAll(async () => {
  packages = await packTarballs(folder)
  registry = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const wanted = packages.find(
      ({ name, tarball }) => path === `/${name}` || path === `/${fileName(tarball)}`,
    )
    if (wanted === undefined) response.writeHead(404).end('{}')
    else if (path.endsWith('.tgz')) response.end(readFileSync(wanted.tarball))
    else response.end(JSON.stringify(packument(wanted)))
  })
  await new Promise<void>((resolve) => registry?.listen(0, '127.0.0.1', resolve))
  registryUrl = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
})
afterAll(() => {
  registry?.close()
  rmSync(folder, { recursive: true, force: true })
})

const fileName = (path: string) => path.split('/').at(-1) ?? ''

/** What npm's registry says of a package. */
function packument({ name, folder: from, tarball }: Packed): object {
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  const dist = { tarball: `${registryUrl}/${fileName(tarball)}` }
  const { version } = manifest
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
}

/** How a user installs it, in the words of the program. */
const INSTALLS: Readonly<Record<string, (packed: Packed) => readonly string[]>> = {
  opencode: ({ name }) => ['plugin', name, '--global'],
  kilo: ({ name }) => ['plugin', name, '--global'],
  pi: ({ folder: from }) => ['install', from],
  cline: ({ folder: from }) => ['plugin', 'install', from],
  openclaw: ({ tarball }) => ['plugins', 'install', tarball, '--force', '--accept-capabilities'],
}

const chosen = Object.keys(INSTALLS).filter(isInFull)

describe.each(chosen)('the package for %s', (id) => {
  it('is installed by the program itself, and guards it', async () => {
    const program = PROGRAMS[id]
    const packed = packages.find(({ host }) => host === id)
    const words = packed === undefined ? undefined : INSTALLS[id]?.(packed)
    if (program === undefined || words === undefined) throw new Error(`There is no package for "${id}".`)
    const setup = await setUpAgent(withHome(program.agent), { installedFor: AGENTS['claude-code'] })
    try {
      const script = { main: [{ do: [{ shell: `git push --force origin main; echo original > ${RAN}` }] }] }
      await setup.run(script, async (sandbox) => {
        const installed = await start(sandbox, words)
        expect(installed, installed.output).toMatchObject({ exitCode: 0 })
        const run = await sandbox.run()
        const checks = [notRan(), told('Force push'), recorded({ tool: 'Bash', effect: 'deny' })]
        expect(checks.map((check) => check.wrong(run)).filter((wrong) => wrong !== undefined)).toEqual([])
      })
    } finally {
      await setup.close()
    }
  })
})

/** A package finds Holdpoint as `holdpoint` itself does. */
function withHome(agent: Agent): Agent {
  return {
    ...agent,
    get title() {
      return agent.title
    },
    environment: (places, model) => ({
      ...agent.environment(places, model),
      HOLDPOINT_HOME: places.holdpoint,
      npm_config_registry: `${registryUrl}/`,
    }),
  }
}

function start(
  sandbox: Sandbox,
  args: readonly string[],
): Promise<{ exitCode: number | null; output: string }> {
  const [file = '', ...before] = sandbox.agent.program
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...before, ...args], {
      cwd: sandbox.places.project,
      env: sandbox.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 300_000,
    })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.stderr.on('data', (part: Buffer) => parts.push(part))
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, output: Buffer.concat(parts).toString() }))
  })
}
