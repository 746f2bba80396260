import pc from 'picocolors'
import { HoldpointError } from '../errors.ts'
import { type CallOptions, tryCall } from './call.ts'
import type { PolicyTestOptions } from './policy-tests.ts'

const EXIT = { deny: 2, ask: 3, allow: 0, pass: 0 } as const

/** Without a call to try: the project's own test files. */
export async function test(options: CallOptions & PolicyTestOptions): Promise<void> {
  const isCall = options.tool !== undefined || options.event !== 'PreToolUse'
  const isRun = options.file !== undefined || options.watch === true
  if (isCall && isRun) {
    const message = 'Test files say themselves what is called: pass --tool or --event alone, or not at all.'
    throw new HoldpointError({ code: 'OPTION_INVALID', key: '--file', message })
  }
  if (!isCall && (options.args !== '{}' || options.skill !== undefined || options.agentType !== undefined)) {
    throw new HoldpointError({ code: 'OPTION_INVALID', key: '--tool', message: 'Name the tool to try.' })
  }
  return isCall ? tryOne(options) : (await import('./policy-tests.ts')).policyTests(options)
}

/** One line on standard output that other programs can rely on; what a person wants to know beside it on stderr. */
async function tryOne(options: CallOptions): Promise<void> {
  const tried = await tryCall(options)
  const { decision } = tried
  process.exitCode = EXIT[decision.effect]
  if (options.json === true) {
    const { findings: _findings, ...rest } = decision
    process.stdout.write(`${JSON.stringify({ ...rest, revision: tried.plan.revision })}\n`)
    return
  }
  const reason = decision.reasons[0]?.text ?? ''
  const word = decision.effect === 'deny' ? 'BLOCKED' : decision.effect === 'ask' ? 'ASK' : 'ALLOWED'
  process.stdout.write(word === 'ALLOWED' ? 'ALLOWED\n' : `${word}: ${firstSentence(reason)}\n`)
  const notes = [
    ...decision.reasons.map((each) => `${pc.dim('by')} ${each.guard ?? each.hook}: ${each.text}`),
    ...decision.notices.map((notice) => `${pc.dim('notice')} ${notice}`),
    ...[...tried.loaded.broken, ...tried.plan.problems].map(
      (problem) =>
        `${pc.yellow('configuration')} ${problem.file ?? ''} ${problem.key ?? ''} ${problem.message}`,
    ),
  ]
  for (const note of notes) process.stderr.write(`  ${note}\n`)
}

/** Up to the first full stop that ends a sentence, without it. */
function firstSentence(text: string): string {
  const sentence = /^([\s\S]*?)\.(?:\s|$)/.exec(text)?.[1] ?? text
  return sentence.replaceAll(/\s+/g, ' ')
}
