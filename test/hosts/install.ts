import { join } from 'node:path'
import type { Agent } from './agents.ts'
import type { World } from './world.ts'

/** Holdpoint in and out of an agent's configuration, by its own commands. */

/** `init` finds the program on PATH, as it would on a person's machine. */
export function install(world: World, agent: Agent, more: readonly string[] = []): void {
  const folder = join(world.places.temporary, 'programs')
  const words = agent.program.map((word) => `'${word}'`).join(' ')
  world.write(join(folder, agent.command), `#!/bin/sh\nexec ${words} "$@"\n`, 0o755)
  const PATH = `${folder}:${world.env.PATH}`
  const init = ['init', '--host', agent.host, '--pack', 'safety', '--scope', 'user', '--yes']
  order(world, [...init, ...more], { PATH })
}

export function uninstall(world: World): void {
  order(world, ['uninstall', '--host', world.agent.host, '--scope', 'user', '--yes'])
}

function order(world: World, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const { exitCode, stdout, stderr } = world.holdpoint([...args, '--home', world.places.holdpoint], env)
  if (exitCode !== 0) throw new Error(`holdpoint ${args.join(' ')}: exit ${exitCode}\n${stdout}${stderr}`)
}
