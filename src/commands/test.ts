import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { isAllowNotice } from '../core/exceptions.ts'
import { type CallOptions, commandCall, tryCall } from '../tools/explain/call.ts'
import type { Caller } from './caller.ts'
import { effectLines } from './effects-lines.ts'
import { warnOfPause } from './pause-warning.ts'
import type { PolicyTestOptions } from './policy-tests.ts'
import { hasErrors, problemLine } from './problem-line.ts'
import { fitted, screenWidth } from './screen.ts'
import { firstSentence } from './sentence.ts'
import { visible, visibleJson, visibleLines } from './visible.ts'

const EXIT = { deny: 2, ask: 3, allow: 0, pass: 0 } as const

interface TestOptions extends CallOptions, PolicyTestOptions {
  readonly handoff?: boolean
}

/** Without a call to try, run the project's own test files. */
export async function test(caller: Caller, command: string | undefined, options: TestOptions): Promise<void> {
  if (command !== undefined) return tryCommand(caller, command, options)
  if (options.handoff === true) return (await import('./test-handoff.ts')).testHandoff(caller, options)
  const isCall = options.tool !== undefined || options.event !== 'PreToolUse'
  const isRun = [options.watch, options.coverage, options.mutate].includes(true) || options.file !== undefined
  if (isCall && isRun) {
    const message = 'Test files name their own calls, so --file cannot be used with --tool or --event.'
    throw new HoldpointError({ code: 'OPTION_INVALID', key: '--file', message })
  }
  if (!isCall && (options.args !== '{}' || options.skill !== undefined || options.agentType !== undefined)) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--tool',
      message: 'The tool is missing: pass --tool, or a shell command in quotes.',
    })
  }
  warnOfPause(caller, options.home)
  return isCall ? tryOne(caller, options) : (await import('./policy-tests.ts')).policyTests(caller, options)
}

async function tryCommand(caller: Caller, command: string, options: TestOptions): Promise<void> {
  const other = (['file', 'watch', 'coverage', 'mutate', 'handoff'] as const).find((key) => options[key])
  if (other !== undefined) {
    const message = `A command is tried on its own, so --${other} cannot be used with it.`
    throw new HoldpointError({ code: 'OPTION_INVALID', key: `--${other}`, message })
  }
  const isTestFile = /^\S+\.(ya?ml|json)$/.test(command) && existsSync(resolve(caller.cwd, command))
  if (isTestFile) {
    const message = `${visible(command)} is a file, and what follows \`test\` is a shell command to try.`
    const fix = `To run the tests in it: \`holdpoint test --file ${visible(command)}\`.`
    throw new HoldpointError({ code: 'OPTION_INVALID', message, fix })
  }
  const call = commandCall(command, options)
  warnOfPause(caller, options.home)
  return tryOne(caller, call)
}

/** One line on standard output that other programs can rely on; details for people go to standard error. */
async function tryOne(caller: Caller, options: CallOptions): Promise<void> {
  const tried = await tryCall(caller, options)
  const { decision } = tried
  const problems = [...tried.loaded.broken, ...tried.plan.problems]
  // A call that passes a configuration with mistakes may pass because of them.
  caller.exitCode = EXIT[decision.effect] || (hasErrors(problems) ? 1 : 0)
  if (options.json === true) {
    const { findings: _findings, ...rest } = decision
    const notices = rest.notices.filter((notice) => !isAllowNotice(notice))
    const { addedPacks, ignoredImports, leftToHost } = tried
    const shown = {
      ...rest,
      notices,
      addedPacks,
      ignoredImports,
      leftToHost,
      revision: tried.plan.revision,
      problems,
    }
    caller.stdout.write(`${visibleJson(JSON.stringify(shown))}\n`)
    return
  }
  const reason = decision.reasons[0]?.text ?? ''
  const word = decision.effect === 'deny' ? 'BLOCKED' : decision.effect === 'ask' ? 'ASK' : 'ALLOWED'
  caller.stdout.write(
    word === 'ALLOWED'
      ? 'ALLOWED\n'
      : `${fitted(`${word}: ${visible(firstSentence(reason))}`, screenWidth(caller.stdout))}\n`,
  )
  const more = decision.reasons.length - REASONS_MAX
  const notes = [
    ...decision.reasons
      .slice(0, REASONS_MAX)
      .map(
        (each) =>
          `${caller.colours.dim('by')} ${each.guard ?? each.hook}: ${visibleLines(each.text, '    ')}`,
      ),
    ...(more > 0 ? [`${caller.colours.dim('by')} ${more} more hooks and guards (--json lists them)`] : []),
    // The code would not work: only a call of an agent is in the journal.
    ...decision.notices
      .filter((notice) => !isAllowNotice(notice))
      .map((notice) => `${caller.colours.dim('notice')} ${visible(notice)}`),
    ...effectLines(caller, tried),
    ...problems.map((problem) => `${caller.colours.yellow('configuration')} ${problemLine(problem)}`),
  ]
  const width = screenWidth(caller.stderr)
  for (const note of notes) caller.stderr.write(`${fitted(`  ${note}`, width)}\n`)
}

/** Of a command that cannot be read, every guard says that it cannot rule something out. */
const REASONS_MAX = 5
