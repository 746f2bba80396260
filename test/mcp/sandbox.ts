import { join } from 'node:path'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createSandbox, type Sandbox } from '../e2e/command.ts'
import { type ClientOptions, type Connected, connect, gated, overStdio } from './client.ts'

/** A sandbox with MCP clients, which end with it. */
export interface McpSandbox extends Sandbox {
  /** The official client for a command. */
  client(command: readonly string[], options?: Partial<ClientOptions>): Promise<Connected>
  /** The same with the gate in front of the server. */
  gate(
    options: readonly string[],
    server: readonly string[],
    more?: Partial<ClientOptions>,
  ): Promise<Connected>
  over(transport: Transport, options?: Pick<ClientOptions, 'person'>): Promise<Connected>
  /** Writes hooks of the user, each a script with a fixed answer. */
  hooks(hooks: Readonly<Record<string, HookOf>>): void
  journal(): Promise<readonly Record<string, unknown>[]>
  end(): Promise<void>
}

export interface HookOf {
  readonly match?: string
  readonly rewrites?: boolean
  readonly answer: object
}

export function createMcpSandbox(): McpSandbox {
  const sandbox = createSandbox()
  const open: Connected[] = []
  const kept = async (opening: Promise<Connected>) => {
    const connected = await opening
    open.push(connected)
    return connected
  }
  const client: McpSandbox['client'] = (command, options = {}) =>
    kept(overStdio(command, { cwd: sandbox.project, home: sandbox.home, ...options }))
  return {
    ...sandbox,
    client,
    gate: (options, server, more) => client(gated(options, server), more),
    over: (transport, options = {}) => kept(connect(transport, options)),
    hooks(hooks) {
      const entries = Object.entries(hooks).map(([on, { answer, ...hook }]) => {
        const answers = `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER\n`
        sandbox.write(`${on}.sh`, `#!/bin/sh\ncat >/dev/null\n${answers}`, 0o755)
        const run = join(sandbox.project, `${on}.sh`)
        return [on, [{ id: `test/${on.toLowerCase()}`, ...hook, run }]] as const
      })
      sandbox.userConfig(JSON.stringify({ version: 1, packs: {}, hooks: Object.fromEntries(entries) }))
    },
    async journal() {
      const lines = (await sandbox.run(['log', '--json'])).stdout.split('\n')
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
    },
    async end() {
      for (const { client } of open) await client.close()
      await sandbox.remove()
    },
  }
}
