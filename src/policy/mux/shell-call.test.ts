import { describe, expect, it } from 'vitest'
import { frozenFacts } from '../../library/testing/events.ts'
import { whyNotRun } from './shell-call.ts'

const LIST = { ls: false, commands: [] }
const LISTED = [
  'mkdir -p tmp/mux',
  'uv run tools/session.py topic',
  'uv run .claude/skills/mux/tools/verify.py tmp/mux/x',
  'holdpoint mux verify tmp/mux/x --json',
  'npx holdpoint mux session topic',
]
const judged = (command: string, more = {}) =>
  whyNotRun({ name: 'Bash', input: { command, ...more } }, LIST, frozenFacts())

/** Every shell feature that can surround a command that is allowed on its own. */
const AROUND: readonly ((command: string) => string)[] = [
  (command) => `${command} && rm -rf x`,
  (command) => `${command} || rm -rf x`,
  (command) => `${command}; rm -rf x`,
  (command) => `${command}\nrm -rf x`,
  (command) => `${command} & rm -rf x`,
  (command) => `${command} &`,
  (command) => `${command} | sh`,
  (command) => `${command} |& tee x`,
  (command) => `${command} > x`,
  (command) => `${command} 2>/dev/null`,
  (command) => `${command} < x`,
  (command) => `${command} <<END\nx\nEND\n`,
  (command) => `${command} <<< x`,
  (command) => `${command} $(rm -rf x)`,
  (command) => `${command} "$(rm -rf x)"`,
  (command) => `${command} \`rm -rf x\``,
  (command) => `${command} <(rm -rf x)`,
  (command) => `${command} "\${x:-$(rm -rf x)}"`,
  (command) => `${command} {a,$(rm -rf x)}`,
  (command) => `${command} $((1+$(rm -rf x)))`,
  (command) => `${command} "$X"`,
  (command) => `${command} *`,
  (command) => `X=1 ${command}`,
  (command) => `PATH=. ${command}`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; rm -rf x; }`,
  (command) => `if true; then ${command}; fi`,
  (command) => `while true; do ${command}; done`,
  (command) => `f() { ${command}; }; f`,
  (command) => `bash -c '${command}'`,
  (command) => `eval '${command}'`,
  (command) => `sudo ${command}`,
  (command) => `env ${command}`,
  (command) => `nohup ${command}`,
  (command) => `timeout 5 ${command}`,
  (command) => `command ${command}`,
  (command) => `exec ${command}`,
  (command) => `xargs ${command}`,
  (command) => `echo ${command}`,
  (command) => `./${command}`,
  (command) => `cd /tmp && ${command}`,
  (command) => `coproc ${command}`,
  (command) => `trap '${command}' EXIT`,
  (command) => `${command} "`,
  (command) => `${command} \u0000`,
]

describe.each(LISTED)('%s', (command) => {
  it('is on the list in every spelling', () => {
    const words = command.split(' ')
    const spellings = [
      command,
      `  ${command}  `,
      words.join('   '),
      words.map((word) => `'${word}'`).join(' '),
      words.map((word) => `"${word}"`).join(' '),
      `${command} # a comment; rm -rf x`,
      words.join(' \\\n  '),
    ]
    expect(spellings.filter((each) => judged(each) !== undefined)).toEqual([])
  })

  it('is not on the list with any shell feature around it', () => {
    expect(AROUND.map((around) => around(command)).filter((each) => judged(each) === undefined)).toEqual([])
  })

  it('is not on the list if the tool runs it in the background', () => {
    expect(judged(command, { run_in_background: false })).toBeUndefined()
    for (const value of [true, 'true', 1, {}])
      expect(judged(command, { run_in_background: value })).toBeDefined()
  })
})

it('the whitelist check never throws', () => {
  const odd = [
    undefined,
    null,
    7,
    '',
    ' ',
    '\u0000',
    '`',
    '$(',
    '"',
    '((',
    '{',
    'a'.repeat(200_000),
    '$('.repeat(500),
  ]
  for (const command of odd) {
    const input = command === undefined ? {} : { command }
    expect(whyNotRun({ name: 'Bash', input }, LIST, frozenFacts())).toEqual(expect.any(String))
  }
})
