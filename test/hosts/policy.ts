import { join } from 'node:path'
import type { Sandbox } from './sandbox.ts'

/** Holdpoint's configuration for a scenario, as data. Each hook is a shell script with a fixed answer. */
export interface Policy {
  readonly packs?: Readonly<Record<string, unknown>>
  readonly hooks?: readonly PolicyHook[]
  readonly contracts?: readonly object[]
  readonly settings?: Readonly<Record<string, unknown>>
}

export interface PolicyHook {
  readonly on: string
  readonly id: string
  readonly match?: string
  readonly actor?: Readonly<Record<string, string>>
  /** The script after it has read its input into `$event`, or JSON to print. */
  readonly answer: string | object
  readonly onFailure?: string | object
  readonly timeoutMs?: number
  readonly grants?: boolean
  readonly rewrites?: boolean
}

/** Writes `config.yaml` (JSON is YAML) and its scripts, as the configuration of the user. */
export function writePolicy(
  sandbox: Sandbox,
  { packs = {}, hooks = [], contracts = [], settings }: Policy,
): void {
  const byEvent: Record<string, object[]> = {}
  hooks.forEach(({ on, answer, ...hook }, index) => {
    const program = join(sandbox.places.holdpoint, 'policy', `${index}.sh`)
    sandbox.write(program, scriptOf(answer), 0o755)
    byEvent[on] = [...(byEvent[on] ?? []), { ...hook, run: program }]
  })
  const config = { version: 1, packs, hooks: byEvent, contracts, ...(settings && { settings }) }
  sandbox.write(join(sandbox.places.holdpoint, 'config.yaml'), `${JSON.stringify(config, null, 2)}\n`)
}

function scriptOf(answer: string | object): string {
  const body = typeof answer === 'string' ? answer : `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER`
  return `#!/bin/sh\nevent=$(cat)\n${body}\n`
}
