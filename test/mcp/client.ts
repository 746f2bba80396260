import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type CallToolResult,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js'
import { holdpointProgram } from '../installed.ts'

/** The official client, and published servers, as users start them. */

const require = createRequire(import.meta.url)
const SERVERS = {
  everything: () => require.resolve('@modelcontextprotocol/server-everything/package.json'),
  filesystem: () => require.resolve('@modelcontextprotocol/server-filesystem/package.json'),
  memory: () => require.resolve('@modelcontextprotocol/server-memory/package.json'),
}

/** The command of a server from npm. */
export function published(name: keyof typeof SERVERS, ...args: readonly string[]): readonly string[] {
  return [process.execPath, join(dirname(SERVERS[name]()), 'dist', 'index.js'), ...args]
}

export interface ClientOptions {
  readonly cwd: string
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  /** A client that can ask the user, and the user's answer. */
  person?(message: string): ElicitResult
}

export interface Connected {
  readonly client: Client
  /** Calls a tool, and returns the texts of its result. */
  call(name: string, input?: Record<string, unknown>): Promise<Called>
  stderr(): string
}

export interface Called {
  readonly text: string
  readonly isError: boolean
  readonly result: CallToolResult
}

/** A client for a command: a server, or the gate in front of one. */
export function overStdio(
  [command = '', ...args]: readonly string[],
  options: ClientOptions,
): Promise<Connected> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: '/home/dev',
    HOLDPOINT_HOME: options.home ?? '/nowhere',
    ...options.env,
  }
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    cwd: options.cwd,
    env,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  return connect(transport, options, () => stderr)
}

export async function connect(
  transport: Transport,
  { person }: Pick<ClientOptions, 'person'>,
  stderr = () => '',
): Promise<Connected> {
  const capabilities = { sampling: {}, roots: {}, ...(person === undefined ? {} : { elicitation: {} }) }
  const client = new Client({ name: 'test', version: '1' }, { capabilities })
  if (person !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => person(params.message))
  }
  await client.connect(transport)
  return {
    client,
    stderr,
    async call(name, input = {}) {
      const result = (await client.callTool({ name, arguments: input })) as CallToolResult
      const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
      return { text: texts.join('\n'), isError: result.isError === true, result }
    },
  }
}

/** The command of the gate in front of a server. */
export function gated(options: readonly string[], server: readonly string[]): readonly string[] {
  return [holdpointProgram(), 'mcp', ...options, '--', ...server]
}
