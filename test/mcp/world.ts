import { join } from 'node:path'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createWorld, type World } from '../e2e/command.ts'
import { type ClientOptions, type Connected, connect, gated, overStdio } from './client.ts'

/** A world with MCP clients in it, which end with it. */
export interface McpWorld extends World {
  /** The official client on a command. */
  client(command: readonly string[], options?: Partial<ClientOptions>): Promise<Connected>
  /** The same with the gate before the server. */
  gate(
    options: readonly string[],
    server: readonly string[],
    more?: Partial<ClientOptions>,
  ): Promise<Connected>
  over(transport: Transport, options?: Pick<ClientOptions, 'person'>): Promise<Connected>
  /** Hooks of the user's own, each a script that answers as it is told. */
  hooks(hooks: Readonly<Record<string, HookOf>>): void
  journal(): Promise<readonly Record<string, unknown>[]>
  end(): Promise<void>
}

export interface HookOf {
  readonly match?: string
  readonly rewrites?: boolean
  readonly answer: object
}

export function createMcpWorld(): McpWorld {
  const world = createWorld()
  const open: Connected[] = []
  const kept = async (opening: Promise<Connected>) => {
    const connected = await opening
    open.push(connected)
    return connected
  }
  const client: McpWorld['client'] = (command, options = {}) =>
    kept(overStdio(command, { cwd: world.project, home: world.home, ...options }))
  return {
    ...world,
    client,
    gate: (options, server, more) => client(gated(options, server), more),
    over: (transport, options = {}) => kept(connect(transport, options)),
    hooks(hooks) {
      const entries = Object.entries(hooks).map(([on, { answer, ...hook }]) => {
        const answers = `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER\n`
        world.write(`${on}.sh`, `#!/bin/sh\ncat >/dev/null\n${answers}`, 0o755)
        const run = join(world.project, `${on}.sh`)
        return [on, [{ id: `test/${on.toLowerCase()}`, ...hook, run }]] as const
      })
      world.userConfig(JSON.stringify({ version: 1, packs: {}, hooks: Object.fromEntries(entries) }))
    },
    async journal() {
      const lines = (await world.run(['log', '--json'])).stdout.split('\n')
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
    },
    async end() {
      for (const { client } of open) await client.close()
      world.remove()
    },
  }
}
