import type { Answer } from '../../core/decision.ts'
import type { Facts } from '../../core/facts.ts'
import { SKILL_FOLDERS } from './paths.ts'

/** The first sentence of every forbidden call. The wording is fixed. */
export function forbiddenLine(tool: string): string {
  return `${tool} is forbidden for MUX orchestrator.`
}

/** Context for the model, in addition to the short reason: how to delegate the work. */
function protocolViolation(tool: string, prompt: string): string {
  return `PROTOCOL VIOLATION: ${forbiddenLine(tool)}

You must delegate this work via Task():

Task(
    prompt="${prompt}",
    subagent_type="general-purpose",
    model="sonnet",
    run_in_background=True
)`
}

export function forbid(tool: string, advice: string): Answer {
  return {
    effect: 'deny',
    reason: `${forbiddenLine(tool)} ${advice}`,
    context: [{ text: protocolViolation(tool, OLD_PROMPT), to: 'self' }],
  }
}

/** The wording of the older document. It names a file next to the skill. */
const OLD_PROMPT = 'Read agents/auditor.md. Analyze {file_path}...'

/** The same refusal, with a prompt that works here: it names a file that exists. */
export async function withPrompt(tool: string, answer: Answer, facts: Facts): Promise<Answer> {
  const files = SKILL_FOLDERS.map((folder) => `${folder}/mux/agents/auditor.md`.replace(/^~/, facts.home))
  const found = await Promise.all(
    files.map((file) => facts.stat(file.startsWith('/') ? file : `${facts.project}/${file}`)),
  )
  const role = files.find((_, index) => found[index]?.kind === 'file')
  const reads = role === undefined ? '' : ` Read ${role}.`
  const prompt = `Load the skill mux-subagent.${reads} Analyze {file_path}...`
  return { ...answer, context: [{ text: protocolViolation(tool, prompt), to: 'self' }] }
}

/** A value of the call, shortened for use in a sentence. */
export function quotedValue(value: string): string {
  const line = value.replace(/\s+/g, ' ')
  return `\`${line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line}\``
}

const SHOWN_MAX = 160
