import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import { packageRoot } from '../../system/package.ts'

/**
 * The session that `holdpoint demo` plays: payloads as Claude Code sends them. The first turn was recorded;
 * the second was written in the same format, to show an `ask`, a masked secret and a rule of the user's own.
 */
const SESSION = join('demo', 'session.jsonl')
/** The folder in the recorded payloads, which the demo replaces with its own project. */
const RECORDED_PROJECT = '/tmp/project'

export function readSession(project: string): readonly JsonObject[] {
  const text = readFileSync(join(packageRoot(), SESSION), 'utf8').replaceAll(RECORDED_PROJECT, project)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isObject)
}

/** An event as it is shown to the user. */
export interface Shown {
  readonly name: string
  readonly subject: string
}

/**
 * What a line shows about an event: its name and tool, a mark for sub-agents, and what the agent wanted or
 * said.
 */
export function shownEvent(payload: JsonObject, project: string): Shown {
  const agent = textAt(payload, 'agent_type')
  const words = [textAt(payload, 'hook_event_name'), textAt(payload, 'tool_name')]
  const name = words.filter((word) => word !== undefined).join(' ')
  return { name: agent === undefined ? name : `↳ ${name}`, subject: inProject(subjectOf(payload), project) }
}

function subjectOf(payload: JsonObject): string {
  const input = isObject(payload.tool_input) ? payload.tool_input : {}
  const texts = [
    ...['command', 'file_path', 'prompt'].map((key) => textAt(input, key)),
    ...['prompt', 'last_assistant_message'].map((key) => textAt(payload, key)),
    textAt(payload, 'hook_event_name') === 'SubagentStart' ? textAt(payload, 'agent_type') : undefined,
  ]
  return texts.find((text) => text !== undefined) ?? ''
}

/** The project's folder has a random name, which would only distract. */
function inProject(text: string, project: string): string {
  return text.replaceAll(`${project}/`, '').replaceAll(project, '.')
}

export type PlayedEffect = 'pass' | 'allow' | 'ask' | 'deny' | 'mask'

/** What the agent reads in the hook's reply. */
export interface ReplyShown {
  readonly verdict: PlayedEffect
  /** The reason in whole sentences; empty if there is none. */
  readonly reason: string
}

/** Undefined if Claude Code would not accept it as an answer. */
export function readReply(
  reply: { readonly stdout: string; readonly stderr: string; readonly exitCode: number | null },
  project: string,
): ReplyShown | undefined {
  if (reply.exitCode === 2) return { verdict: 'deny', reason: inProject(reply.stderr.trim(), project) }
  const body = reply.exitCode === 0 ? parsed(reply.stdout) : undefined
  if (body === undefined) return undefined
  const specific = isObject(body.hookSpecificOutput) ? body.hookSpecificOutput : {}
  const verdict = verdictOf(textAt(specific, 'permissionDecision') ?? textAt(body, 'decision'))
  const reason = textAt(specific, 'permissionDecisionReason') ?? textAt(body, 'reason')
  const notice = textAt(body, 'systemMessage')
  const masked = maskedLine(specific)
  return {
    verdict: verdict === 'pass' && masked !== undefined ? 'mask' : verdict,
    reason: inProject([reason ?? notice, masked].filter((text) => text !== undefined).join(' '), project),
  }
}

/** The line of a shell's output that the agent reads instead of a secret. */
function maskedLine({ updatedToolOutput: output }: JsonObject): string | undefined {
  const text = isObject(output) ? textAt(output, 'stdout') : undefined
  const line = text?.split('\n').find((each) => each.includes('[redacted:'))
  return line === undefined ? undefined : `The agent reads: ${line.trim()}`
}

function parsed(stdout: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(stdout)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function verdictOf(decision: string | undefined): Exclude<PlayedEffect, 'mask'> {
  if (decision === 'block' || decision === 'deny') return 'deny'
  return decision === 'ask' || decision === 'allow' ? decision : 'pass'
}
