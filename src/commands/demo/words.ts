import { type DemoStep, milliseconds } from './lines.ts'

/** The texts of the demo, apart from what Holdpoint answers. */

/** `.holdpoint/config.yaml` of the demo's project. Every line fits a narrow terminal. */
export const CONFIG = `# .holdpoint/config.yaml
version: 1
packs: { safety: true, secrets: true }
rules:
  - id: no-prod-database
    match: Bash
    when: { shell: { command: psql, argument: "*prod*" } }
    deny:
      The production database is off limits.
      Use the replica.
`

export const TITLE = 'Holdpoint demo: an agent session, played through the real hook and daemon'

export const FOLDER = 'a temporary folder, removed at the end; nothing else is changed'

export const POLICIES = 'the packs safety and secrets, and one rule of your own:'

export const LINES =
  'Each line has the decision, the time of the call, the event, and what the agent wants to do.'

export const LEGEND = {
  pass: 'the call continues',
  deny: 'the call is stopped, and the agent reads why',
  ask: 'the user decides',
  mask: 'a secret is removed from what the agent reads',
  '↳': 'the event is from a sub-agent',
}

export const NEXT: readonly DemoStep[] = [
  { command: ['npx holdpoint init'], does: 'Guard the agents on this machine.' },
  {
    command: ["npx holdpoint test 'git push -f'"],
    does: 'Try one call, without an agent.',
  },
  { command: ['npx holdpoint log'], does: 'After `init`: show what your agents did.' },
  { command: ['npx holdpoint help'], does: 'List all commands.' },
]

export function hookFact(client: 'native' | 'node', platform: string): string {
  return client === 'native'
    ? 'the native client (holdpoint-hook), started for each event'
    : `Node.js, started for each event: there is no native client for ${platform} here. The answers are the same, but slower.`
}

/** `started`: how long the start took, or why there is no daemon. */
export function daemonFact(started: number | string): string {
  return typeof started === 'number'
    ? `started in ${milliseconds(started)}`
    : `not running, so each call starts Node.js. ${started}`
}
