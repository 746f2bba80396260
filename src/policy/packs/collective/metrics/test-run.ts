import type { Facts } from '../../../../core/facts.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../../../core/json.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactText } from '../../../../shell/words/words.ts'
import { shellOf } from '../../../analysis/shell-of.ts'
import { countsIn } from './test-counts.ts'
import type { ToolEvent } from './tool-data.ts'

/** A shell call that ran tests: the test program and the result. Undefined if it ran no tests. */
export function testRun(event: ToolEvent, facts: Facts): JsonObject | undefined {
  const command = event.tool.name === 'Bash' ? textAt(event.tool.input, 'command') : undefined
  if (command === undefined || !HINT.test(command)) return undefined
  const analysis = shellOf(event, facts)
  const runner = analysis.judged ? analysis.commands.flatMap((each) => runnerOf(each) ?? [])[0] : undefined
  if (runner === undefined) return undefined
  const counts = countsIn(event.kind === 'PostToolUse' ? textOf(event.output) : event.error)
  const outcome = outcomeOf(event, command, counts?.failed)
  return { runner, outcome, ...(counts === undefined ? {} : counts) }
}

/** Every command that runs tests contains one of these words. Other commands are not parsed. */
const HINT =
  /test|spec|unit|jest|mocha|\b(?:ava|tap|tox|nox|it|t|tst|cit|e2e)\b|karma|pest|behat|codecept|bats|nose|playwright|cypress|check|verify/i

/**
 * The counts in the output come first, because `npm test | tail` succeeds even if tests failed. Without counts the
 * exit status of the call is used, if nothing in the command could hide it.
 */
function outcomeOf(
  event: ToolEvent,
  command: string,
  failures: number | undefined,
): 'passed' | 'failed' | 'unclear' {
  if (failures !== undefined) return failures > 0 ? 'failed' : 'passed'
  if (event.kind === 'PostToolUseFailure') return event.interrupted ? 'unclear' : 'failed'
  // If the host has a separate event for failures, the output is an object.
  return isObject(event.output) && !/[|;&\n]/.test(command.replaceAll('&&', '')) ? 'passed' : 'unclear'
}

function textOf(output: Json): string {
  if (typeof output === 'string') return output
  if (!isObject(output)) return ''
  return [output.stdout, output.stderr].filter((each) => typeof each === 'string').join('\n')
}

/** Programs that only run tests, unless an option only asks for information. */
const TESTERS =
  /^(?:vitest|jest|mocha|ava|tap|karma|pytest|py\.test|tox|nox|phpunit|pest|paratest|behat|codecept|rspec|ctest|bats|nose2|nextest)$/
/** Programs that run tests with one of their subcommands. */
const VERBS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:t|tst|test|it|cit)$/,
  pnpm: /^(?:t|test)$/,
  yarn: /^test/,
  bun: /^test$/,
  deno: /^test$/,
  go: /^test$/,
  cargo: /^(?:test|t|nextest)$/,
  dotnet: /^test$/,
  mvn: /^(?:test|verify|integration-test)$/,
  mvnw: /^(?:test|verify|integration-test)$/,
  gradle: /^(?:.*:)?(?:test|check)$/,
  gradlew: /^(?:.*:)?(?:test|check)$/,
  make: /^(?:test|tests|check|test[-_:].*)$/,
  just: /^(?:test|tests|check)$/,
  task: /^(?:test|tests|check)$/,
  rake: /^(?:test|spec)$/,
  rails: /^(?:test|spec|test:.*)$/,
  mix: /^test$/,
  swift: /^test$/,
  flutter: /^test$/,
  sbt: /^test$/,
  composer: /^(?:test|tests|phpunit)$/,
  playwright: /^test$/,
  cypress: /^run$/,
  artisan: /^test$/,
  drush: /^(?:test-run|test:run)$/,
}
const SCRIPT_RUNNERS = /^(?:npm|pnpm|yarn|bun|composer)$/
const ASKED = /^(?:--?h(?:elp)?|--version|-V|--list(?:-?tests)?|--collect-only)$/

function runnerOf({ name, args }: SimpleCommand): string | undefined {
  if (name === undefined) return undefined
  const words = args.flatMap((word) => exactText(word) ?? [])
  if (words.some((word) => ASKED.test(word))) return undefined
  if (TESTERS.test(name)) return name
  const module = moduleOf(name, words)
  if (module !== undefined) return module
  const plain = words.filter((word) => !word.startsWith('-'))
  const [verb = '', script = ''] = plain
  if (SCRIPT_RUNNERS.test(name) && /^(?:run|run-script|exec)$/.test(verb)) {
    return /^(?:test|tests|spec|e2e|unit)(?:$|[:_-])/.test(script) || TESTERS.test(script)
      ? `${name} ${script}`
      : undefined
  }
  // Build tools accept several goals in one call.
  const goal = plain.find((word) => VERBS[name]?.test(word))
  return goal !== undefined && Object.hasOwn(VERBS, name) ? `${name} ${goal}` : undefined
}

/** `python -m pytest`, `node --test`, `php artisan test`, `npx vitest`. */
function moduleOf(name: string, words: readonly string[]): string | undefined {
  if (/^python[\d.]*$/.test(name)) {
    const module = words[words.indexOf('-m') + 1] ?? ''
    return words.includes('-m') && /^(?:pytest|unittest|nose2|tox|nox)$/.test(module) ? module : undefined
  }
  if (name === 'node') return words.includes('--test') ? 'node --test' : undefined
  if (name === 'php') {
    const [program = '', verb = ''] = words.filter((word) => !word.startsWith('-'))
    const base = program.slice(program.lastIndexOf('/') + 1)
    return TESTERS.test(base) ? base : base === 'artisan' && verb === 'test' ? 'artisan test' : undefined
  }
  if (/^(?:npx|bunx|pnpx|uvx)$/.test(name)) {
    const program = words.find((word) => !word.startsWith('-')) ?? ''
    return TESTERS.test(program) ? program : undefined
  }
  return undefined
}
