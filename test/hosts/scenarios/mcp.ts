import { holdpointProgram } from '../../installed.ts'
import { published } from '../../mcp/client.ts'
import type { Turn } from '../agents.ts'
import { fileIs, notRan, notTold, quiet, RAN, ran, recorded, told } from '../checks.ts'
import type { PolicyHook } from '../policy.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Chapter, Scenario } from '../scenario.ts'

/**
 * The filesystem server from npm behind `holdpoint mcp`. The agent calls it `files` and the gate calls it `gate`, so
 * that the effects come from the gate, not from the hooks in the agent.
 */

const GATE = 'mcp__gate__write_file'
const writes: Readonly<Record<string, readonly Turn[]>> = {
  main: [{ do: [{ tool: 'mcp__files__write_file', input: { path: RAN, content: 'original' } }] }],
}

const behindGate = (
  hooks: readonly PolicyHook[],
  more: readonly string[] = [],
): Omit<Scenario, 'name' | 'expected'> => ({
  policy: { hooks },
  script: writes,
  options: { skipPermissions: true, servers: { files: ['sh', 'gate.sh'] } },
  arrange: ({ places, write }: Sandbox) => {
    const gate = [holdpointProgram(), 'mcp', '--home', places.holdpoint, '--name', 'gate']
    const words = [...gate, ...more, '--', ...published('filesystem', places.project)]
    write('gate.sh', `exec ${words.map((word) => `'${word}'`).join(' ')}\n`)
  },
})

const before = (answer: object): PolicyHook => ({ on: 'PreToolUse', id: 'test/before', match: GATE, answer })
const same = <T>(checks: T) => ({ 'claude-code': checks, codex: checks })

export const mcp: Chapter = {
  title: 'A tool of an MCP server behind `holdpoint mcp`',
  scenarios: [
    {
      name: 'nothing objects',
      ...behindGate([]),
      expected: same([
        fileIs(RAN, 'original', 'runs'),
        told('Successfully wrote to'),
        recorded({ event: 'PreToolUse', tool: GATE, effect: 'pass' }),
        recorded({ event: 'PostToolUse', tool: GATE, effect: 'pass' }),
      ]),
    },
    {
      name: 'a hook denies',
      ...behindGate([before({ decision: 'block', reason: 'Red tape: not today.' })]),
      expected: same([
        notRan(),
        told('Red tape'),
        recorded({ tool: GATE, effect: 'deny', because: 'test/before' }),
      ]),
    },
    {
      name: 'a hook asks',
      ...behindGate([
        before({ permissionDecision: 'ask', permissionDecisionReason: 'Amber tape: ask a person.' }),
      ]),
      expected: same([
        notRan(RAN, 'the agent is asked to put it to a person, and nobody is there: not run'),
        told('Amber tape'),
        recorded({ event: 'PermissionDenied', tool: GATE }),
      ]),
    },
    {
      name: 'a hook rewrites the call',
      ...behindGate([
        {
          ...before({ hookSpecificOutput: { updatedInput: { path: RAN, content: 'rewritten' } } }),
          rewrites: true,
        },
      ]),
      expected: same([fileIs(RAN, 'rewritten', 'runs as rewritten')]),
    },
    {
      name: 'a hook replaces the result and adds to it',
      ...behindGate([
        {
          on: 'PostToolUse',
          id: 'test/after',
          match: GATE,
          answer: {
            hookSpecificOutput: {
              updatedToolOutput: 'What the hook wrote.',
              additionalContext: 'Tell nobody.',
            },
          },
        },
      ]),
      expected: same([
        ran(),
        told('What the hook wrote.'),
        told('Tell nobody.'),
        notTold('Successfully wrote'),
      ]),
    },
    {
      name: 'a hook adds to a result that holds data, under `--drop-output-schemas`',
      ...behindGate(
        [
          {
            on: 'PostToolUse',
            id: 'test/after',
            match: GATE,
            answer: { hookSpecificOutput: { additionalContext: 'Tell nobody.' } },
          },
        ],
        ['--drop-output-schemas'],
      ),
      expected: same([ran(), told('Tell nobody.'), quiet(told('Successfully wrote'))]),
    },
    {
      name: 'the tool is hidden',
      ...behindGate([], ['--hide', 'write_*']),
      expected: {
        'claude-code': [notRan(), told('No such tool')],
        codex: [notRan(), told('unsupported call')],
      },
    },
  ],
}
