import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from './home.ts'

/**
 * How a hook recognises a probe of `init` and `doctor`. The payload contains a random word, and a file with that name is
 * in Holdpoint's home for as long as the probe runs. Without the file it is an event like any other: neither a
 * repository nor an agent can make a hook believe that a real call is only a probe.
 */
export const PROBE_PREFIX = 'holdpoint-probe-'
/** A tool that no agent has. */
export const PROBE_TOOL = 'HoldpointProbe'

const MARKED = /holdpoint-probe-[0-9a-f]{32}/
/** Probes are short, so longer payloads need not be searched. */
const PAYLOAD_MAX_LENGTH = 2_000

/** The session of the probe that this payload belongs to, if it belongs to one. */
export function probeSession(payload: string, { probes }: Pick<Home, 'probes'>): string | undefined {
  if (payload.length > PAYLOAD_MAX_LENGTH || !payload.includes(PROBE_PREFIX)) return undefined
  const session = MARKED.exec(payload)?.[0]
  return session !== undefined && existsSync(join(probes, session)) ? session : undefined
}
