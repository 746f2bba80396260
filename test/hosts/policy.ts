import { join } from 'node:path'
import type { World } from './world.ts'

/** Holdpoint's configuration for a scenario, as data. Each hook is a shell script that answers as it is told here. */
export interface Policy {
  readonly packs?: Readonly<Record<string, unknown>>
  readonly hooks?: readonly PolicyHook[]
  readonly settings?: Readonly<Record<string, unknown>>
}

export interface PolicyHook {
  readonly on: string
  readonly id: string
  readonly match?: string
  readonly actor?: Readonly<Record<string, string>>
  /** The script's text after it has read its input into `$event`; or JSON to print. */
  readonly answer: string | object
  readonly onFailure?: string | object
  readonly timeoutMs?: number
  readonly grants?: boolean
  readonly rewrites?: boolean
}

/** Writes `config.yaml` (JSON is YAML) and the scripts it names, as the user's own layer. */
export function writePolicy(world: World, { packs = {}, hooks = [], settings }: Policy): void {
  const byEvent: Record<string, object[]> = {}
  hooks.forEach(({ on, answer, ...hook }, index) => {
    const program = join(world.places.holdpoint, 'policy', `${index}.sh`)
    world.write(program, scriptOf(answer), 0o755)
    byEvent[on] = [...(byEvent[on] ?? []), { ...hook, run: program }]
  })
  const config = { version: 1, packs, hooks: byEvent, ...(settings === undefined ? {} : { settings }) }
  world.write(join(world.places.holdpoint, 'config.yaml'), `${JSON.stringify(config, null, 2)}\n`)
}

function scriptOf(answer: string | object): string {
  const body = typeof answer === 'string' ? answer : `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER`
  return `#!/bin/sh\nevent=$(cat)\n${body}\n`
}
