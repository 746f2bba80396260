import { isId, keyFor, textOf, titleFor, withLine } from './names.mjs'

const HOSTS = 'src/hosts'

/**
 * The files of a new host, an agent that starts a command and reads JSON, as texts by their paths; or the problem.
 *
 * @example
 * newHost(['acme'], repository)
 * // { files: { 'src/hosts/acme/dialect.ts': …, … }, next: […] }
 * @type {import('./kinds.mjs').NewSkeleton}
 */
export function newHost([id = ''], repository) {
  if (!isId(id)) return { problem: 'Name a host in small letters: npm run new host <name>' }
  const folder = `${HOSTS}/${id}`
  if (repository.list(folder).length > 0)
    return { problem: `${id} is a host already: ${folder}. Change it there.` }
  const constant = id.replaceAll('-', '_').toUpperCase()
  const key = keyFor(id)
  const none = `${key}: () => import('./${id}/transcript.ts'),`
  return {
    files: {
      [`${folder}/dialect.ts`]: dialectText(id, constant),
      [`${folder}/tools.ts`]: toolsText(id, constant),
      [`${folder}/host.ts`]: hostText(constant),
      [`${folder}/host.test.ts`]: testText(id),
      [`${folder}/transcript.ts`]: transcriptText(id),
      [`${HOSTS}/index.ts`]: withLine(
        textOf(repository, `${HOSTS}/index.ts`),
        'HOSTS',
        `${key}: () => import('./${id}/host.ts'),`,
      ),
      [`${HOSTS}/transcripts.ts`]: withLine(
        textOf(repository, `${HOSTS}/transcripts.ts`),
        'NO_TRANSCRIPTS',
        none,
      ),
    },
    next: [
      `1. Record real payloads into ${folder}/fixtures, and read them in ${folder}/host.test.ts with recordedIn().`,
      `2. Say in ${folder}/dialect.ts and tools.ts what was seen, and in the test what the program does with replies.`,
      `3. Run: npm test -- ${folder}`,
      '4. Remove `notProved` when the real program obeyed; CONTRIBUTING.md says how `init` and tests learn of it.',
    ],
  }
}

/**
 * @param {string} id
 * @param {string} constant
 */
function dialectText(id, constant) {
  return `import type { Dialect } from '../dialect.ts'
import { ADDITIONAL_CONTEXT, BLOCK, DENY_BY_PERMISSION } from '../dialect-shapes.ts'
import { ${constant}_TOOLS } from './tools.ts'

/** Say here which version was seen, and what it does in its own way. */
export const ${constant}: Dialect = {
  id: '${id}',
  title: '${titleFor(id)}',
  notProved: true,
  eventKey: 'hook_event_name',
  tools: ${constant}_TOOLS,
  notices: 'systemMessage',
  events: {
    PreToolUse: { kind: 'PreToolUse', says: { deny: DENY_BY_PERMISSION, context: ADDITIONAL_CONTEXT } },
    UserPromptSubmit: { kind: 'UserPromptSubmit', says: { deny: BLOCK, context: ADDITIONAL_CONTEXT } },
    Stop: { kind: 'Stop', says: { deny: BLOCK } },
  },
  limits: [
    { kind: 'open', says: 'nobody has seen yet what it does when a hook is killed or takes too long.' },
  ],
}
`
}

/**
 * @param {string} id
 * @param {string} constant
 */
function toolsText(id, constant) {
  return `import type { ToolTable } from '../dialect-tools.ts'

/** The tools of ${id} in the words of all hosts. What is missing here is judged by its input. */
export const ${constant}_TOOLS: ToolTable = {
  shell: { name: 'Bash' },
  write_file: { name: 'Write', fields: { path: 'file_path' } },
}
`
}

/** @param {string} constant */
function hostText(constant) {
  return `import { dialectHost } from '../dialect-host.ts'
import { ${constant} } from './dialect.ts'

export const host = dialectHost(${constant})
`
}

/** @param {string} id */
function transcriptText(id) {
  return `import type { NoTranscript } from '../../core/transcript.ts'

export const noTranscript: NoTranscript = {
  host: '${id}',
  why: 'Nobody has recorded a transcript of it.',
}
`
}

/** @param {string} id */
function testText(id) {
  return `import { expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { isObject } from '../../core/json.ts'
import { bodyOf, hostContract, type Obeyed } from '../host.contract.ts'
import { host } from './host.ts'

/** From its documentation: replace them by recorded ones. */
function payload(name: string, fields: object = {}): string {
  return JSON.stringify({ hook_event_name: name, session_id: 's1', cwd: '/srv/project', ...fields })
}

const DOCUMENTED: ReadonlyMap<string, string> = new Map([
  ['PreToolUse', payload('PreToolUse', { tool_name: 'shell', tool_input: { command: 'ls' } })],
  ['UserPromptSubmit', payload('UserPromptSubmit', { prompt: 'hello' })],
  ['Stop', payload('Stop', { stop_hook_active: false })],
])

const payloadFor = (kind: EventKind): string => DOCUMENTED.get(kind) ?? payload(kind)

/** What the program does with a reply: write it from its documentation or from what was seen. */
function obeys(reply: Reply, event: Event): Obeyed {
  if (reply.exitCode === 2) return { does: 'stops', reason: reply.stderr }
  const body = bodyOf(reply)
  const specific = isObject(body?.hookSpecificOutput) ? body.hookSpecificOutput : {}
  const more = {
    ...(typeof body?.systemMessage === 'string' ? { notice: body.systemMessage } : {}),
    ...(typeof specific.additionalContext === 'string' ? { context: specific.additionalContext } : {}),
  }
  if (event.kind === 'PreToolUse' && specific.permissionDecision === 'deny')
    return { does: 'stops', reason: String(specific.permissionDecisionReason), ...more }
  if (event.kind !== 'PreToolUse' && body?.decision === 'block')
    return { does: 'stops', reason: String(body.reason), ...more }
  return { does: 'goes on', ...more }
}

hostContract({ host, fixtures: DOCUMENTED, payloadFor, obeys })

it('${id} calls tools in the words of all hosts', () => {
  const decoded = host.decode({ payload: payloadFor('PreToolUse'), cwd: '/' })
  expect(decoded.ok && toolOf(decoded.value)).toMatchObject({ name: 'Bash', input: { command: 'ls' } })
})
`
}
