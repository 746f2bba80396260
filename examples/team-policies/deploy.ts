import { defineGuard } from 'holdpoint'
import { OPTIONS } from './options.ts'

const start = (to: string) => ({ tool: 'mcp__deploy__start', input: { to } })
const startWith = (input: Record<string, string>) => ({ tool: 'mcp__deploy__start', input })

/** A guard of one tool. */
export const deploy = defineGuard({
  id: 'acme/deploy',
  title: 'Deployment by an agent',
  why: 'Only a person deploys, because only a person can be called when it breaks.',
  instead: 'say what you would deploy, and let the user do it.',
  on: ['PreToolUse'],
  match: 'mcp__deploy__start',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  // The first call starts a process, which takes seconds on a busy machine.
  timeoutMs: 20_000,
  options: OPTIONS,
  examples: {
    stops: [
      start('production'),
      start('Production'),
      start(' production '),
      startWith({ to: 'production', version: '1' }),
      startWith({ to: 'production', version: 'latest' }),
      startWith({ to: 'production', dryRun: 'no' }),
      startWith({}),
      startWith({ target: 'test' }),
    ],
    passes: [
      start('test'),
      start('staging'),
      start('production-copy'),
      start('pre-production'),
      startWith({ to: 'test', version: '1' }),
      startWith({ to: 'test', note: 'as in production' }),
      start('dev'),
      start('review-42'),
    ],
  },
  check({ event, options }) {
    const to = 'tool' in event ? event.tool.input.to : undefined
    if (typeof to !== 'string') return { caught: 'deploys to a place that it does not name' }
    return options.targets.includes(to.trim().toLowerCase()) ? { caught: `deploys to ${to.trim()}` } : null
  },
})
