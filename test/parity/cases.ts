import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Example } from '../../src/core/guard.ts'
import { INSTALLERS } from '../../src/hosts/installers.ts'
import { PACKS } from '../../src/policy/packs/index.ts'

/** All recorded payloads, examples of all guards, and invalid input. */
export interface Case {
  readonly name: string
  readonly host: string
  /** The event in the arguments of an installed hook. */
  readonly event: string
  readonly onFailure: 'deny' | 'pass'
  /** The payload, for a session of this name in this folder. */
  payload(session: string, cwd: string): Buffer
  /** Cases with the same key belong to one session, in order. Any other case has its own session. */
  readonly series?: string
  /** Also run as a separate process, which costs a hundred times more than the other ways. */
  readonly alone: boolean
}

const ROOT = join(import.meta.dirname, '..', '..')

export async function allCases(): Promise<readonly Case[]> {
  return [...recordedCases(), ...dialectCases(), ...demoCases(), ...(await guardCases()), ...brokenCases()]
}

/** Run as a process: the first of each host and kind. */
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

/** The payloads of all other agents for which `init` installs hooks. The kind is the first part of the file name. */
function dialectCases(): readonly Case[] {
  const hosts = Object.keys(INSTALLERS).filter((host) => !['claude-code', 'codex'].includes(host))
  return hosts.flatMap((host) => {
    const folder = join(ROOT, 'src', 'hosts', host, 'fixtures')
    // There are no recordings of an agent that was never run.
    if (!existsSync(folder)) return []
    return readdirSync(folder).map((file) => {
      const recorded: Record<string, unknown> = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const event = file.split('.')[0] ?? ''
      const keys = ['session_id', 'sessionId', 'sessionID'].filter((key) => key in recorded)
      return {
        ...{ name: `${host} ${file}`, host, event, alone: false, onFailure: failureAt(event) },
        payload: (session: string) => {
          const own = Object.fromEntries(keys.map((key) => [key, session]))
          return Buffer.from(JSON.stringify({ ...recorded, ...own }))
        },
      }
    })
  })
}

function failureAt(event: string): 'deny' | 'pass' {
  return ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit'].includes(event) ? 'deny' : 'pass'
}

/** Run as a process: all of it, because the state of a session depends on the order of its calls. */
function demoCases(): readonly Case[] {
  const lines = readFileSync(join(ROOT, 'demo', 'session.jsonl'), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line, i) =>
    eventCase(`demo ${i + 1}`, 'claude-code', line, { alone: true, series: 'demo' }),
  )
}

/** Three examples of each guard on each side. Run as a process: the first denied example of every fourth guard. */
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

/** Run as a process: all of it, at an event whose last resort is deny and at one whose last resort is pass. */
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
    onFailure: failureAt(event),
    payload: (session, cwd) => Buffer.from(JSON.stringify({ ...recorded, session_id: session, cwd })),
  }
}
