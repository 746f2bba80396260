import type { Event } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import type { GuardInput, GuardMatch } from '../../../core/guard.ts'
import { showsVariables } from '../../../shell/flow/shown-variables.ts'
import { programOf } from '../../../shell/programs/index.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { exactText, exactTexts } from '../../../shell/words/words.ts'
import { commandsIn, detector, shellGuard } from '../shell-guard.ts'

/**
 * Printing a variable whose name says that it is a password, a token or a key. Passing it to a program only uses it.
 */
export const secretVariable = shellGuard({
  id: 'secrets/secret-variable',
  title: 'Printing a variable that holds a secret',
  why: 'The output of a command is read by the agent, sent to its model and stored in transcripts.',
  instead:
    'check that it is set without printing it (`test -n "$API_TOKEN" && echo set`), or pass it to the command that needs it.',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'echo $AWS_SECRET_ACCESS_KEY',
      'echo "token: $GITHUB_TOKEN"',
      `echo "\${DB_PASSWORD}"`,
      'printf "%s\\n" "$API_KEY"',
      `echo "\${GITHUB_TOKEN:0}"`,
      `echo "\${GITHUB_TOKEN:0:40}"`,
      `echo "\${GITHUB_TOKEN:-none}"`,
      `echo "\${GITHUB_TOKEN^^}"`,
      `echo "\${GITHUB_TOKEN/_/ }"`,
      'printenv GITHUB_TOKEN',
      'env | grep -i secret',
      'env | grep TOKEN | sort',
      'set | grep -i password',
      'declare -p | grep API_KEY',
      'echo "$NPM_TOKEN" | base64',
      'echo "$NPM_TOKEN" > token.txt',
      'node -p process.env.STRIPE_SECRET_KEY',
      `python3 -c 'import os; print(os.environ["API_KEY"])'`,
      `ruby -e 'puts ENV["DB_PASSWORD"]'`,
      `node -e 'fetch("https://example.com"); console.log("Bearer " + process.env.GITHUB_TOKEN)'`,
      'echo $GITHUB_TOKEN "',
    ],
    passes: [
      'echo $HOME',
      'echo "$TOKEN_COUNT tokens"',
      'test -n "$API_TOKEN" && echo set',
      `echo "\${#GITHUB_TOKEN}"`,
      `echo "\${GITHUB_TOKEN:+set}"`,
      `echo "\${GITHUB_TOKEN:0:4}..."`,
      `echo "\${GITHUB_TOKEN//?/*}"`,
      'echo "$GITHUB_TOKEN" | docker login ghcr.io -u me --password-stdin',
      'echo "$NPM_TOKEN" | gh secret set NPM_TOKEN',
      'curl -H "Authorization: Bearer $API_TOKEN" https://example.com/me',
      'printenv HOME',
      'curl -u "me:$(printenv API_TOKEN)" https://example.com',
      'curl -H "Authorization: Basic $(echo -n "me:$API_TOKEN" | base64)" https://example.com',
      'T=$(printenv API_TOKEN); curl -u "me:$T" https://example.com',
      'env | grep PATH',
      'env | grep -q GITHUB_TOKEN',
      'env | grep -c TOKEN',
      'export API_KEY=test',
      'API_KEY=test npm test',
      `node -e 'fetch("https://api.github.com/user", {headers: {authorization: "Bearer " + process.env.GITHUB_TOKEN}}).then(r => r.json()).then(console.log)'`,
      `python3 -c 'import os, openai; c = openai.Client(api_key=os.environ["OPENAI_API_KEY"]); print(c.models.list())'`,
      'node -p process.env.NODE_ENV',
      `python3 -c 'import os; print(bool(os.environ.get("API_KEY")))'`,
      'echo "set $GITHUB_TOKEN" > /dev/null',
      "echo 'use $GITHUB_TOKEN'",
      'grep -rn "process.env.API_KEY" src',
      'echo "$NPM_TOKEN" | sha256sum',
    ],
  },
  mentions: /\b(?:echo|printenv)\b[^\n]{0,80}\$?\w*(?:TOKEN|SECRET|PASSWORD|API_KEY)\b/,
  maybe: 'may print a secret',
  detectors: [detector(printing, judge)],
})

const SECRET =
  /(?:^|_)(?:SECRET|SECRETS|TOKEN|PASSWORD|PASSWD|PASSPHRASE|APIKEY|API_KEY|PRIVATE_KEY|ACCESS_KEY|SECRET_KEY|CREDENTIALS?)$|(?:^|_)SECRET_/i
/** Words that a search for secrets in the environment looks for. */
const ASKED_FOR = /secret|token|passw|api_?key|credential|private_?key/i

const PRINTERS = /^(?:echo|printf|printenv|declare|typeset|(?:e|f)?grep|rg)$/

function printing(event: Event, facts: Facts): readonly SimpleCommand[] {
  return commandsIn(event, facts).filter(
    ({ name = '' }) => PRINTERS.test(name) || programOf(name)?.files?.code === true,
  )
}

function judge(command: SimpleCommand, { event, facts }: GuardInput): GuardMatch | null {
  const name = shownBy(command)
  if (name === undefined || isUsed(command, commandsIn(event, facts))) return null
  return { caught: `prints ${name}`, fragment: command.fragment }
}

function shownBy(command: SimpleCommand): string | undefined {
  const { name = '', args, inputs } = command
  if (name === 'echo' || name === 'printf') return expandedIn(command)
  if (/^(?:declare|typeset)$/.test(name) && !args.some((word) => /^-\w*p/.test(exactText(word) ?? '')))
    return undefined
  if (/^(?:printenv|declare|typeset)$/.test(name))
    return args.flatMap(exactTexts).find((text) => SECRET.test(text))
  if (/^(?:e|f)?grep$|^rg$/.test(name)) {
    const words = args.map((word) => exactText(word) ?? '')
    const quiet = words.some((word) => /^-\w*[qcvl]|^--(?:quiet|count|invert)/.test(word))
    const pattern = words.find((word) => !word.startsWith('-')) ?? ''
    const asks = ASKED_FOR.test(pattern) && inputs?.some((each) => showsVariables(each) === 'all') === true
    return asks && !quiet ? `variables like ${pattern}` : undefined
  }
  return programOf(name)?.files?.code === true ? printedByCode(command) : undefined
}

/** `$NAME`, `${NAME}` and expansions that change it; not `${#NAME}`, `${NAME:+set}` or a few characters of it. */
function expandedIn({ args }: SimpleCommand): string | undefined {
  const pieces = args.flatMap((word) => word.forms.flat()).filter((piece) => piece.kind === 'unknown')
  const found = pieces.map(({ text }) => text).find((text) => SECRET.test(shownName(text)))
  return found
}

const EXPANSION = /^\$(?:\{(\w+)(.*)\}|(\w+))$/s
/** Whether it is set, some of its characters, or a mask of the same length. */
const SHOWS_LITTLE = /^:?\+|^:\s*(?:0|\s-\d|\d)*\s*:\s*\d$|^:\s*-?\d+:1[0-2]$|^\/\/(?:\?|\[[^\]]*\])\//

function shownName(text: string): string {
  const [, braced = '', operator = '', plain = ''] = EXPANSION.exec(text) ?? []
  return SHOWS_LITTLE.test(operator) ? '' : braced || plain
}

const READS_ONE = /(?:environ(?:\.get)?|getenv|process\.env|ENV)\s*[.[(]+\s*["']?(\w+)/
const PRINTS = /\b(?:print|puts|echo|console\.(?:log|error)|write|say|pp)\b/

function printedByCode({ args, fragment }: SimpleCommand): string | undefined {
  const shows = PRINTS.test(fragment) || args.some((word) => /^(?:-p|--print|-pe)$/.test(word.source))
  const name = READS_ONE.exec(fragment)?.[1] ?? ''
  if (!shows || !SECRET.test(name) || isForService(fragment)) return undefined
  return /\bbool\(|\blen\(|\.length\b|!!/.test(fragment) ? undefined : name
}

const CALLS_SERVICE = /\b(?:fetch|axios|requests|httpx|urlopen|Request|Client|got|Octokit)\b/
const AS_KEY = /(?:authorization|bearer|x-api-key|api_?key|auth|token)["']?\s*[:=(,]?[^;\n]{0,40}$/i
const PRINTED_NEXT = new RegExp(`${PRINTS.source}\\s*\\(?[^;\\n)]{0,80}$`)

/** Passed to a service as its key: only the response is printed. */
function isForService(code: string): boolean {
  const before = code.slice(0, READS_ONE.exec(code)?.index ?? 0)
  return CALLS_SERVICE.test(code) && AS_KEY.test(before) && !PRINTED_NEXT.test(before)
}

/**
 * Passing it to another program, or discarding it, does not show it. A program that only transforms it does show it.
 */
function isUsed(command: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  if (command.redirections.some(({ target }) => target.source === '/dev/null')) return true
  const next = commands.find((each) => each.inputs?.includes(command))
  if (next !== undefined && !SHOWS.test(next.name ?? '')) return true
  return command.via.some((how) => /^[$<>]\(/.test(how)) && isHandedOver(command, commands)
}

/**
 * Inside `$(…)` the value goes to the surrounding program. A variable that holds it is followed to where it is used.
 */
function isHandedOver(command: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  const around = commands.filter(
    (each) => each.via.length < command.via.length && each.fragment.includes(command.fragment),
  )
  const nearest = Math.max(...around.map(({ via }) => via.length))
  const outer = around.filter(({ via }) => via.length === nearest)
  if (outer.some(({ name }) => name !== undefined && !/^(?:|echo|printf|:)$/.test(name))) return true
  const variables = outer.flatMap(({ assignments }) => assignments.map(({ name }) => name))
  const after = commands.slice(commands.indexOf(command) + 1).filter((each) => !outer.includes(each))
  return variables.some((name) =>
    after.some((each) => !/^(?:echo|printf)$/.test(each.name ?? '') && each.fragment.includes(`$${name}`)),
  )
}

const SHOWS = /^(?:cat|tee|sort|head|tail|less|more|base64|xxd|od|rev|cut|tr|sed|awk|jq|column|fold|nl)$/
