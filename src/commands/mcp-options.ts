import { randomBytes } from 'node:crypto'
import type { Who } from '../adapters/mcp/conversation.ts'
import { serverNameOf } from '../adapters/mcp/server-name.ts'
import type { PinMode } from '../adapters/mcp/tool-policy.ts'
import { HoldpointError } from '../core/errors.ts'

/** Reads and checks the options of `holdpoint mcp`. */
export interface McpOptions {
  readonly url?: string
  readonly header?: readonly string[]
  readonly listen?: string
  readonly name?: string
  readonly hide?: readonly string[]
  readonly only?: readonly string[]
  readonly pin?: PinMode
  readonly dropOutputSchemas?: boolean
  readonly accept?: boolean
  readonly session?: string
  readonly agent?: string
  readonly agentType?: string
  readonly skill?: readonly string[]
  readonly pack?: readonly string[]
  readonly config?: string
  readonly home?: string
}

/** How the server is reached: its command, or its url. */
export function reachedBy(words: readonly string[], { url, listen }: McpOptions): readonly string[] {
  if ((url === undefined) === (words.length === 0)) {
    throw wrong('Name exactly one server: its command after `--`, or its address with --url.')
  }
  if (url === undefined && listen !== undefined) throw wrong('--listen works only with --url.')
  if (url === undefined) return words
  const isUrl = URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
  if (!isUrl) throw wrong(`--url is "${url}"; accepted: an address that begins with http:// or https://.`)
  return [url]
}

export function nameOf(name: string | undefined, reached: readonly string[]): string {
  if (name === undefined) return serverNameOf(reached)
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return name
  throw wrong(`--name is "${name}"; accepted: up to 64 letters, digits, "-" and "_".`)
}

export function whoOf({ session, agent, agentType }: McpOptions, cwd: string): Who {
  return {
    session: session ?? `mcp-${newSessionId()}`,
    cwd,
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(agentType === undefined ? {} : { agentType }),
  }
}

export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX) return Number(text)
  throw wrong(`--listen is "${text}"; accepted: 0 to ${PORT_MAX}.`)
}

const PORT_MAX = 65_535

/**
 * Every user of the machine can read a secret in an option. A secret in an environment variable is private.
 */
export function headersOf(
  texts: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const entries = texts.map((text) => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw wrong(`--header is "${text}"; accepted: Name: value.`)
    const filled = value.replaceAll(/\$([A-Z_][A-Z0-9_]*)/g, (_all, variable: string) => {
      const found = env[variable]
      if (found === undefined) throw wrong(`--header uses $${variable}, which is not set.`)
      return found
    })
    return [name.toLowerCase(), filled] as const
  })
  return Object.fromEntries(entries)
}

export function newSessionId(): string {
  return randomBytes(9).toString('hex')
}

function wrong(message: string): HoldpointError {
  return new HoldpointError({
    code: 'OPTION_INVALID',
    message,
    fix: 'Run `holdpoint mcp --help` to see the options.',
  })
}
