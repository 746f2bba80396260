import { describe, expect, it } from 'vitest'
import {
  type DemoScreen,
  eventLines,
  factLines,
  fileLines,
  journalLines,
  milliseconds,
  nextLines,
  type Played,
  sentence,
  speedLines,
} from './lines.ts'
import { CONFIG, daemonFact, FOLDER, hookFact, LEGEND, LINES, NEXT, POLICIES, TITLE } from './words.ts'

const same = (text: string) => text
const plain = (columns: number): DemoScreen => ({
  columns,
  colour: { red: same, yellow: same, green: same, cyan: same, dim: same, bold: same },
})

const SESSION: readonly Played[] = [
  { verdict: 'pass', tookMs: 2.14, name: 'SessionStart', subject: '', reason: '' },
  {
    ...{ verdict: 'pass', tookMs: 12.3, name: 'UserPromptSubmit', reason: '' },
    subject: 'Add a safety note to the readme, commit it and publish the branch.',
  },
  {
    ...{ verdict: 'deny', tookMs: 101.7, name: '↳ PreToolUse Bash', subject: 'git push --force' },
    reason:
      'Force push: this overwrites what is on the remote, whoever pushed it (`git push --force`). Instead: push without force.',
  },
  { verdict: 'pass', tookMs: 2, name: 'PostToolUseFailure Bash', subject: '', reason: '' },
  {
    ...{ verdict: 'ask', tookMs: 1834, name: 'PreToolUse Bash', subject: 'git push origin\n  --delete old' },
    reason: 'Deleting a branch on the remote.',
  },
]
const RECORDED = {
  ...{ events: 33, denied: 5, asked: 1, isIntact: true },
  because: [
    { effect: 'deny', id: 'secrets/env-file/read', count: 2 },
    { effect: 'ask', id: 'safety/git/delete-remote', count: 11 },
  ],
} as const

function whole(columns: number): string {
  const screen = plain(columns)
  return [
    sentence(TITLE, screen),
    factLines('folder', FOLDER, screen),
    factLines('hook', hookFact('node', 'linux-riscv64'), screen),
    factLines('daemon', daemonFact(112.4), screen),
    factLines('policies', POLICIES, screen),
    fileLines(CONFIG, screen),
    sentence(LINES, screen),
    ...Object.entries(LEGEND).map(([sign, meaning]) => factLines(sign, meaning, screen)),
    ...SESSION.map((played) => eventLines(played, screen)),
    journalLines(RECORDED, screen),
    speedLines({ hookMs: 2.31, trueMs: 1.27, trueProgram: '/bin/true', calls: 33 }, screen),
    nextLines(NEXT, screen),
  ].join('')
}

describe('the output of the demo', () => {
  it('fits a terminal of 80 columns', () => {
    expect(whole(80)).toMatchInlineSnapshot(`
      "Holdpoint demo: an agent session, played through the real hook and daemon
        folder    a temporary folder, removed at the end; nothing else is changed
        hook      Node.js, started for each event: there is no native client for
                  linux-riscv64 here. The answers are the same, but slower.
        daemon    started in 112 ms
        policies  the packs safety and secrets, and one rule of your own:

        # .holdpoint/config.yaml
        version: 1
        packs: { safety: true, secrets: true }
        rules:
          - id: no-prod-database
            match: Bash
            when: { shell: { command: psql, argument: "*prod*" } }
            deny:
              The production database is off limits.
              Use the replica.

      Each line has the decision, the time of the call, the event, and what the agent
      wants to do.
        pass      the call continues
        deny      the call is stopped, and the agent reads why
        ask       the user decides
        mask      a secret is removed from what the agent reads
        ↳         the event is from a sub-agent
      pass   2.1 ms  SessionStart
      pass  12.3 ms  UserPromptSubmit    Add a safety note to the readme, commit it
                                         and publish the branch.
      deny   102 ms  ↳ PreToolUse Bash   git push --force
            Force push: this overwrites what is on the remote, whoever pushed it (\`git
            push --force\`). Instead: push without force.
      pass   2.0 ms  PostToolUseFailure Bash
      ask   1834 ms  PreToolUse Bash     git push origin --delete old
            Deleting a branch on the remote.

      The journal has 33 events of this session: 5 stopped, 1 asked. The hash chain is
      intact.

        deny   2  secrets/env-file/read
        ask   11  safety/git/delete-remote

        call       2.3 ms  median of 33 calls
        true       1.3 ms  to start a program that does nothing (/bin/true)
        ratio        1.8x  as long as that. Node.js starts both, and both times
                           include it.

      What to type next

        npx holdpoint init
            Guard the agents on this machine.
        npx holdpoint test 'git push -f'
            Try one call, without an agent.
        npx holdpoint log
            After \`init\`: show what your agents did.
        npx holdpoint help
            List all commands.
      "
    `)
  })

  it('fits a terminal of 60 columns', () => {
    expect(whole(60)).toMatchInlineSnapshot(`
      "Holdpoint demo: an agent session, played through the real
      hook and daemon
        folder    a temporary folder, removed at the end; nothing
                  else is changed
        hook      Node.js, started for each event: there is no
                  native client for linux-riscv64 here. The
                  answers are the same, but slower.
        daemon    started in 112 ms
        policies  the packs safety and secrets, and one rule of
                  your own:

        # .holdpoint/config.yaml
        version: 1
        packs: { safety: true, secrets: true }
        rules:
          - id: no-prod-database
            match: Bash
            when: { shell: { command: psql, argument: "*prod*" } }
            deny:
              The production database is off limits.
              Use the replica.

      Each line has the decision, the time of the call, the event,
      and what the agent wants to do.
        pass      the call continues
        deny      the call is stopped, and the agent reads why
        ask       the user decides
        mask      a secret is removed from what the agent reads
        ↳         the event is from a sub-agent
      pass   2.1 ms  SessionStart
      pass  12.3 ms  UserPromptSubmit    Add a safety note to the
                                         readme, commit it and
                                         publish the branch.
      deny   102 ms  ↳ PreToolUse Bash   git push --force
            Force push: this overwrites what is on the remote,
            whoever pushed it (\`git push --force\`). Instead: push
            without force.
      pass   2.0 ms  PostToolUseFailure Bash
      ask   1834 ms  PreToolUse Bash     git push origin --delete
                                         old
            Deleting a branch on the remote.

      The journal has 33 events of this session: 5 stopped, 1
      asked. The hash chain is intact.

        deny   2  secrets/env-file/read
        ask   11  safety/git/delete-remote

        call       2.3 ms  median of 33 calls
        true       1.3 ms  to start a program that does nothing
                           (/bin/true)
        ratio        1.8x  as long as that. Node.js starts both,
                           and both times include it.

      What to type next

        npx holdpoint init
            Guard the agents on this machine.
        npx holdpoint test 'git push -f'
            Try one call, without an agent.
        npx holdpoint log
            After \`init\`: show what your agents did.
        npx holdpoint help
            List all commands.
      "
    `)
  })

  it.each([60, 80, 100])('has no line longer than %i columns, and none that ends with a space', (columns) => {
    const lines = whole(columns).split('\n')
    expect(lines.filter((line) => line.length > columns || /\s$/.test(line))).toEqual([])
  })

  it('does not count colours as columns', () => {
    const loud = (text: string) => `\x1b[31m${text}\x1b[39m`
    const colour = { red: loud, yellow: loud, green: loud, cyan: loud, dim: loud, bold: loud }
    const coloured = SESSION.map((played) => eventLines(played, { columns: 60, colour })).join('')
    const shown = SESSION.map((played) => eventLines(played, plain(60))).join('')
    expect(coloured).not.toBe(shown)
    expect(coloured.replaceAll(/\x1b\[\d+m/g, '').replaceAll(/ +$/gm, '')).toBe(shown)
  })

  it('keeps every word of a reason, and never breaks a long word', () => {
    const word = 'x'.repeat(90)
    const reason = `Before ${word} after.`
    const lines = eventLines({ ...SESSION[0], verdict: 'deny', reason } as Played, plain(60)).split('\n')
    expect(lines.slice(1).map((line) => line.trim())).toEqual(['Before', word, 'after.', ''])
  })
})

it('shows tenths of a millisecond only for short times', () => {
  expect([0.04, 2.25, 99.9, 100.4, 1234.5].map(milliseconds)).toEqual([
    '0.0 ms',
    '2.3 ms',
    '99.9 ms',
    '100 ms',
    '1235 ms',
  ])
})

it('says why there is no daemon', () => {
  expect(daemonFact('The daemon does not answer.')).toBe(
    'not running, so each call starts Node.js. The daemon does not answer.',
  )
})

it('leaves the comparison out if the system has no `true` program', () => {
  expect(speedLines({ hookMs: 2, trueMs: undefined, trueProgram: '', calls: 3 }, plain(80))).toBe(
    '\n  call       2.0 ms  median of 3 calls\n',
  )
})
