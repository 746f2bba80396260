import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Example } from '../../src/packs/guard.ts'
import { PACKS } from '../../src/packs/index.ts'

/** Everything Holdpoint was ever recorded to be asked, everything its guards promise, and what nobody should send. */
export interface Case {
  readonly name: string
  readonly host: string
  /** What an installed entry says about the event. */
  readonly event: string
  readonly onFailure: 'deny' | 'pass'
  /** The bytes, for a session of this name in this folder. */
  payload(session: string, cwd: string): Buffer
  /** Cases with one key are one session, in order; any other has a session of its own. */
  readonly series?: string
  /** Also as a process of its own, which costs a hundred times more than the others. */
  readonly alone: boolean
}

const ROOT = join(import.meta.dirname, '..', '..')

export async function allCases(): Promise<readonly Case[]> {
  return [...recordedCases(), ...demoCases(), ...(await guardCases()), ...brokenCases()]
}

/** Alone: the first of each host and kind. */
function recordedCases(): readonly Case[] {
  const seen = new Set<string>()
  return ['claude-code', 'codex'].flatMap((host) => {
    const folder = join(ROOT, 'src', 'hosts', host, 'fixtures')
    return readdirSync(folder).map((file) => {
      const kind = `${host} ${file.split('.')[0]}`
      const alone = !seen.has(kind)
      seen.add(kind)
      return eventCase(`${host} ${file}`, host, readFileSync(join(folder, file), 'utf8'), { alone })
    })
  })
}

/** Alone: all of it, because what a session remembers is only seen in order. */
function demoCases(): readonly Case[] {
  const lines = readFileSync(join(ROOT, 'demo', 'session.jsonl'), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line, i) =>
    eventCase(`demo ${i + 1}`, 'claude-code', line, { alone: true, series: 'demo' }),
  )
}

/** Three examples of each guard on each side. Alone: the first where the guard stops, of every fourth guard. */
async function guardCases(): Promise<readonly Case[]> {
  const packs = await Promise.all(Object.values(PACKS).map((load) => load()))
  return packs.flatMap(({ guards }) =>
    guards.flatMap(({ id, examples }, guard) =>
      Object.entries(examples).flatMap(([side, list]) =>
        list.slice(0, 3).map((example, i) =>
          eventCase(`${id} ${side} ${i}`, 'claude-code', JSON.stringify(payloadOf(example)), {
            alone: i === 0 && side === 'stops' && guard % 4 === 0,
          }),
        ),
      ),
    ),
  )
}

function payloadOf(example: Example): Record<string, unknown> {
  const call = (tool: string, input: unknown) => ({
    ...{ session_id: '', cwd: '', hook_event_name: 'PreToolUse', tool_use_id: 'toolu_1' },
    ...{ tool_name: tool, tool_input: input },
  })
  if (typeof example === 'string') return call('Bash', { command: example })
  if ('tool' in example) return call(example.tool, example.input)
  const { file, ...fields } = example.fields
  return {
    ...{ session_id: '', cwd: '', hook_event_name: example.kind, ...fields },
    ...(file === undefined ? {} : { file_path: file }),
  }
}

/** Alone: all of it, at an event that is stopped by last resort and at one that is not. */
function brokenCases(): readonly Case[] {
  const whole = JSON.stringify(payloadOf('git push --force'))
  const broken: Readonly<Record<string, string | Buffer>> = {
    empty: '',
    blank: ' \n',
    'cut off': whole.slice(0, -7),
    'a NUL': '\0',
    'no UTF-8': Buffer.from([0x7b, 0xff, 0x7d]),
    'a list': `[${whole}]`,
    null: 'null',
    'no fields': '{}',
    'fields of other kinds': '{"hook_event_name":3,"session_id":[],"tool_name":{},"tool_input":"x"}',
    'no input': whole.replace('tool_input', 'tool_inputs'),
    'an unknown event': whole.replace('PreToolUse', 'NoSuchEvent'),
    'the same key twice': whole.replace('{', '{"hook_event_name":"Stop",'),
    'a mark before it': `\uFEFF${whole}`,
  }
  const asked = ['PreToolUse', 'Stop', 'NoSuchEvent'] as const
  return Object.entries(broken).flatMap(([name, text]) =>
    asked.map((event) => ({
      ...{ name: `${name} at ${event}`, host: 'claude-code', event },
      onFailure: event === 'Stop' ? ('pass' as const) : ('deny' as const),
      payload: () => Buffer.from(text),
      alone: event === 'PreToolUse' || name === 'empty',
    })),
  )
}

function eventCase(name: string, host: string, text: string, more: Pick<Case, 'alone' | 'series'>): Case {
  const recorded: Record<string, unknown> = JSON.parse(text)
  const event = String(recorded.hook_event_name)
  return {
    ...{ name, host, event, ...more },
    onFailure: ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit'].includes(event) ? 'deny' : 'pass',
    payload: (session, cwd) => Buffer.from(JSON.stringify({ ...recorded, session_id: session, cwd })),
  }
}
