import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactText } from '../../../../shell/words/words.ts'
import { commandText } from '../../../analysis/shell-of.ts'
import { commandsIn, detector, shellGuard } from '../../shell-guard.ts'

export const forkBomb = shellGuard({
  id: 'safety/system/fork-bomb',
  title: 'Starting an unlimited number of processes',
  why: 'Within seconds the machine has so many processes that it no longer responds.',
  instead: 'start a known number of processes and wait for them: `for i in 1 2 3; do sleep 1 & done; wait`.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      ':(){ :|:& };:',
      ':() { : | : & }; :',
      'bomb() { bomb | bomb & }; bomb',
      'function bomb { bomb | bomb & }\nbomb',
      'spawn() { spawn & spawn & }; spawn',
      'a() { b & b; }; b() { a & a; }; a',
      "bash -c ':(){ :|:& };:'",
      'while true; do sleep 1000 & done',
      'while :; do ./work.sh & done',
      'until false; do ./work.sh & done',
      'while true; do wait; ./work.sh & disown; done',
      'bomb() { bomb | bomb; }; bomb',
      "perl -e 'fork while fork'",
      "python3 -c 'import os\nwhile True: os.fork()'",
      "ruby -e 'loop { fork }'",
    ],
    passes: [
      'for i in 1 2 3; do sleep 1 & done; wait',
      'while true; do ./work.sh & wait; done',
      'while true; do ./work.sh & wait -n; done',
      'while true; do ./work.sh & break; done',
      'while true; do curl -s localhost:3000; sleep 5; done',
      'while read -r line; do echo "$line" & done < list.txt; wait',
      'f() { echo hi; }; f',
      'walk() { for d in "$1"/*/; do walk "$d"; done; }; walk src',
      'walk() { ls "$1" | while read -r d; do walk "$d"; done; }; walk src',
      'npm run dev &',
      "perl -e 'fork and exit'",
      "python3 -c 'import os; os.fork()'",
      'a | b &',
      'serve() { npm start & }; serve',
      'until curl -s localhost:3000; do sleep 1; done &',
    ],
  },
  mentions: /\(\)\s*\{|while\s+(true|:)/,
  maybe: 'may start an unlimited number of processes',
  detectors: [detector(startedOrCode, judge)],
})

/** A command on its own starts only itself, but code in another language may start more. */
function startedOrCode(event: Event, facts: Facts): readonly SimpleCommand[] {
  return commandsIn(event, facts).filter(({ name, via }) => via.length > 0 || INTERPRETERS.test(name ?? ''))
}

function judge(command: SimpleCommand, { event, facts }: GuardInput): GuardMatch | null {
  const commands = commandsIn(event, facts)
  const text = commandText(event) ?? ''
  const endless =
    multipliesItself(command, commands) || startsForever(command, commands, text) || forksInCode(command)
  return endless ? { caught: 'starts an unlimited number of processes', fragment: command.fragment } : null
}

/** A function that starts itself in the background, or twice in one pipeline. */
function multipliesItself(command: SimpleCommand, all: readonly SimpleCommand[]): boolean {
  const { name, via } = command
  if (via.length === 0) return false
  const entered = via.lastIndexOf(`function ${name}`)
  if (name === undefined || name === '' || entered < 0) return false
  const inside = via.slice(entered + 1)
  if (inside.includes('&')) return true
  if (inside.at(-1) !== 'pipe') return false
  return all.some(
    (other) => other !== command && other.name === name && other.via.includes(`function ${name}`),
  )
}

const PAUSES: ReadonlySet<string> = new Set(['wait', 'break', 'exit', 'return', 'sleep', 'read', 'exec'])
const LOOPS: ReadonlySet<string> = new Set(['while', 'until'])
/** Tests that do not start a command. */
const ALWAYS = /\bwhile\s*\(\(\s*[1-9]\d*\s*\)\)|\bfor\s*\(\(\s*;\s*;\s*\)\)/

/** An endless loop that starts background processes and never waits for them. */
function startsForever(command: SimpleCommand, all: readonly SimpleCommand[], text: string): boolean {
  const background = command.via.lastIndexOf('&')
  if (background < 0) return false
  const loop = command.via
    .slice(0, Math.max(0, background))
    .findLastIndex((step) => LOOPS.has(step) || step === 'for')
  if (loop < 0) return false
  const inLoop = all.filter((other) =>
    command.via.slice(0, loop + 1).every((step, at) => other.via[at] === step),
  )
  const own = inLoop.filter((other) => other.via.lastIndexOf('&') < loop)
  const [test] = own
  const never = command.via[loop] === 'until' ? ['false'] : ['true', ':']
  const endless = LOOPS.has(command.via[loop] ?? '') && never.includes(test?.name ?? '?')
  if (!endless && !ALWAYS.test(text)) return false
  if (own.some((other) => other.name === 'disown')) return true
  return !own.some((other) => PAUSES.has(other.name ?? ''))
}

const INTERPRETERS = /^(perl|ruby|python[\d.]*|php|node)$/
const FORKS =
  /\bfork\s+while\s+(?:fork\b|1\b|true\b|\(1\))|\bwhile\b[^\n]{0,40}\n?\s*[^\n]{0,40}\bfork\b|\bloop\b[^\n]{0,40}\bfork\b/

/** The same, in one line of another language. */
function forksInCode({ name, args }: SimpleCommand): boolean {
  return INTERPRETERS.test(name ?? '') && args.some((word) => FORKS.test(exactText(word) ?? ''))
}
