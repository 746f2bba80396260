import { wordSet } from '../../core/word-list.ts'
import type { Check, LintMatch } from './check.ts'
import type { ClaudeFile } from './claude-file.ts'

/** Whether a prompt asks for a fact about files that a program can look up. */
export function asksAboutFiles(prompt: string): boolean {
  return FILE.test(prompt) && EXISTS.test(prompt)
}

const FILE =
  /\b(?:files?|folders?|director(?:y|ies)|paths?)\b|[\w-]\.(?:md|txt|json|ya?ml|ts|js|py|log|csv)\b/i
const EXISTS =
  /\bexists?\b|\bis (?:there|present|missing)\b|\b(?:was|were|has been|have been|been) (?:created|written|saved)\b/i

/** Gates that ask a model for a fact. */
export const MODEL_CHECKS: readonly Check[] = [
  {
    id: 'model-checks-file',
    severity: 'warning',
    title: 'A hook that asks a model whether a file exists',
    why: 'The model answers from the conversation and does not look at the disk. It is slow, costs money, blocks agents that wrote the file, and lets agents go that only said so.',
    instead:
      "Let Holdpoint look at the file: write a contract into `.holdpoint/config.yaml`, such as `contracts: [{ id: notes, agent: '*', files: [notes/{agent_type}/{date}.md] }]`. Or test for the file in a command hook (`test -f report.md || exit 2`).",
    bad: example({
      type: 'prompt',
      prompt: 'Did the agent write .claude/scratchpad/{agent_type}/YYYY-MM-DD.md with all sections?',
      timeout: 30,
    }),
    good: example({ type: 'command', command: 'test -f report.md || exit 2', timeout: 10 }),
    find: ({ handlers }: ClaudeFile): readonly LintMatch[] =>
      handlers.flatMap(({ event, value: { type, prompt }, path }): readonly LintMatch[] => {
        if ((type !== 'prompt' && type !== 'agent') || typeof prompt !== 'string') return []
        const text = prompt.slice(0, PROMPT_MAX)
        const file = ENDS.has(event) ? PATH.exec(text)?.[0] : undefined
        const isGate = file !== undefined || (ENDS.has(event) && WRITTEN.test(text))
        if (!isGate && !asksAboutFiles(text)) return []
        return [
          {
            path: [...path, 'prompt'],
            what: `This prompt asks a model about ${file === undefined ? 'a file' : `\`${file}\``}.`,
            ...(file === undefined ? {} : { instead: contractFor(file) }),
          },
        ]
      }),
  },
]

const PROMPT_MAX = 20_000
/** At the end of an agent, a prompt that names a file asks whether the agent wrote it. */
const ENDS = wordSet('Stop SubagentStop')
const PATH = /(?<![\w/])(?:[\w.{}-]{1,80}\/){1,10}[\w.{}-]{1,80}\.(?:md|txt|json|ya?ml|log)\b/
const WRITTEN =
  /\bscratchpad\b|\bfiles?\b[^.?!]{0,60}\b(?:exists?|written|created|contains?)\b|\b(?:wrote|written|created?|write)\b[^.?!]{0,60}\bfiles?\b/i

function contractFor(file: string): string {
  const path = file.replace(/YYYY-MM-DD/g, '{date}').replace(/\{(?:agent|type|agentType)\}/g, '{agent_type}')
  return `Let Holdpoint look at the file: write this into \`.holdpoint/config.yaml\`: \`contracts: [{ id: notes, agent: '*', files: [{ path: '${path}', headings: [What I did] }] }]\`, with the headings you want, or switch on the pack \`scratchpad\`.`
}

function example(handler: object): { readonly settings: string } {
  return { settings: JSON.stringify({ hooks: { Stop: [{ hooks: [handler] }] } }) }
}
