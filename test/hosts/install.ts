import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { personAt } from '../e2e/terminal.ts'
import { holdpointProgram } from '../installed.ts'
import type { Agent } from './agents.ts'
import { ROOT, type Sandbox } from './sandbox.ts'

/** Installs Holdpoint for an agent and uninstalls it, with its own commands. */

/** `init` finds the program on PATH, as on a user's machine. */
export function install(
  sandbox: Sandbox,
  agent: Agent,
  more: readonly string[] = [],
  program = holdpointProgram(),
  path = sandbox.env.PATH ?? '',
): void {
  const folder = join(sandbox.places.temporary, 'programs')
  const words = agent.program.map((word) => `'${word}'`).join(' ')
  sandbox.write(join(folder, agent.command), `#!/bin/sh\nexec ${words} "$@"\n`, 0o755)
  const PATH = `${folder}:${path}`
  const init = ['init', '--host', agent.host, '--pack', 'safety', '--scope', 'user', '--yes']
  order(sandbox, [...init, ...more], { PATH }, program)
}

/** Installs as a user does in a terminal, with this repository as the marketplace. Claude Code only. */
export function installPlugin(sandbox: Sandbox): void {
  for (const args of [
    ['marketplace', 'add', ROOT],
    ['install', 'holdpoint@holdpoint'],
  ]) {
    const [file = '', ...before] = sandbox.agent.program
    const ended = spawnSync(file, [...before, 'plugin', ...args], {
      cwd: sandbox.places.project,
      env: sandbox.env,
      encoding: 'utf8',
    })
    if (ended.status !== 0) throw new Error(`claude plugin ${args.join(' ')}: ${ended.stdout}${ended.stderr}`)
  }
}

/** Installs Holdpoint without its hooks, because the plugin has them. */
export function installForPlugin(sandbox: Sandbox): void {
  order(sandbox, ['init', '--renew'])
}

export function uninstall(sandbox: Sandbox): void {
  typeAsPerson(sandbox, ['uninstall', '--host', sandbox.agent.host, '--scope', 'user', '--yes'])
}

/** What only a person may do, at a terminal of one. */
export function typeAsPerson({ env, places }: Sandbox, args: readonly string[]): void {
  const place = { cwd: places.project, env, home: places.holdpoint }
  const { text, exitCode } = personAt(place, [...args, '--home', places.holdpoint])
  if (exitCode !== 0) throw new Error(`holdpoint ${args.join(' ')}: exit ${exitCode}\n${text}`)
}

function order(
  sandbox: Sandbox,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program = holdpointProgram(),
): void {
  const words = [...args, '--home', sandbox.places.holdpoint]
  const { exitCode, stdout, stderr } = sandbox.holdpoint(words, env, program)
  if (exitCode !== 0) throw new Error(`holdpoint ${args.join(' ')}: exit ${exitCode}\n${stdout}${stderr}`)
}
