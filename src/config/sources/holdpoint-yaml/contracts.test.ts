import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HookEntry } from '../../../core/layer.ts'
import type { ContractRun } from '../../../policy/completion/contract.ts'
import { source } from './source.ts'

const parse = (contracts: string, rank: 'project' | 'user' = 'project') => {
  const file = { path: '/srv/project/.holdpoint/config.yaml', root: '/srv/project' } as const
  const layer = source.parse(`version: 1\ncontracts:\n${contracts}`, {
    ...file,
    rank,
    trusted: true,
  })
  if (!layer.ok) throw new Error(layer.problem.message)
  return layer.value
}
const entries = (contracts: string): readonly HookEntry[] => {
  const { hooks, problems } = parse(contracts)
  expect(problems).toEqual([])
  return hooks
}
const judging = (contracts: string) => {
  const entry = entries(contracts).find(({ run }) => run.part === 'judge')
  if (entry === undefined) throw new Error('nothing judges')
  return { ...entry, run: entry.run as unknown as ContractRun }
}
const problem = (contracts: string) => {
  const { hooks, problems } = parse(contracts)
  expect(hooks).toEqual([])
  return problems[0]?.message
}

describe('a contract', () => {
  it('for the main agent checks its stop and records its start', () => {
    expect(entries('  - files: [notes.md]').map(({ id, on, actor }) => ({ id, on, actor }))).toEqual([
      { id: 'contract-1/begin', on: ['SessionStart'], actor: { role: 'main' } },
      { id: 'contract-1', on: ['Stop'], actor: { role: 'main' } },
    ])
    expect(entries('  - { agent: main, signal: done }')).toHaveLength(2)
  })

  it('for sub-agents checks their stop, and informs them at their start', () => {
    const agentType = { kind: 'glob', globs: ['*-writer'] }
    const written = '  - { id: notes, agent: "*-writer", files: ["notes/{agent_type}/{date}.md"] }'
    expect(entries(written).map(({ id, on, actor }) => ({ id, on, actor }))).toEqual([
      { id: 'notes/tell', on: ['SubagentStart'], actor: { agentType } },
      { id: 'notes', on: ['SubagentStop'], actor: { agentType } },
    ])
    expect(entries('  - { agent: "*", signal: done }').map(({ actor }) => actor)).toEqual([{}, {}])
  })

  it('that applies after delegation watches for it', () => {
    const main = entries('  - { when: delegated, files: [a.md] }').find(({ run }) => run.part === 'delegated')
    expect(main).toMatchObject({
      on: ['PostToolUse', 'PostToolUseFailure'],
      match: { subject: { kind: 'names', names: ['Agent'] } },
      actor: { role: 'main' },
    })
    const sub = entries('  - { agent: lead, when: delegated, files: [a.md] }').find(
      ({ run }) => run.part === 'delegated',
    )
    expect(sub?.actor).toEqual({ role: 'subagent', agentType: { kind: 'names', names: ['lead'] } })
  })

  it('is read completely', () => {
    const { run, timeoutMs } = judging(`
  - id: handoff
    agent: worker
    files:
      - out.md
      - { path: notes.md, headings: [A, B], minLines: 2, maxLines: 9, minBytes: 3, maxBytes: 99, fresh: true }
      - { path: state.json, json: { status: string, meta: { by: string } } }
    signal: "signals/{agent_type}.done"
    message: { token: READY }
    commands: [npm test, { run: npm run build, timeoutMs: 5000 }]
    blocks: 2
`)
    expect(run).toEqual({
      type: 'contract',
      part: 'judge',
      key: 'contract/project/handoff',
      root: '/srv/project',
      command: "sh -c 'npm test'\nsh -c 'npm run build'",
      contract: {
        id: 'handoff',
        files: [
          { path: 'out.md' },
          {
            path: 'notes.md',
            headings: ['A', 'B'],
            minLines: 2,
            maxLines: 9,
            minBytes: 3,
            maxBytes: 99,
            fresh: true,
          },
          { path: 'state.json', json: { status: 'string', meta: { by: 'string' } } },
          { path: 'signals/{agent_type}.done', signal: true },
        ],
        messages: [{ token: 'READY' }],
        commands: [
          { run: 'npm test', timeoutMs: 120_000 },
          { run: 'npm run build', timeoutMs: 5_000 },
        ],
        blocks: 2,
      },
    })
    expect(timeoutMs).toBe(135_000)
  })

  it('blocks three times by default, and accepts a single word as message', () => {
    expect(judging('  - message: DONE').run.contract).toMatchObject({
      blocks: 3,
      messages: [{ token: 'DONE' }],
    })
    expect(judging('  - message: { pattern: "^DONE" }').run).toMatchObject({
      regexes: true,
      contract: { messages: [{ pattern: '^DONE' }] },
    })
  })

  it('in a user’s own policy applies to the current project', () => {
    expect(parse('  - commands: [npm test]', 'user').hooks.map(({ run }) => run.root)).toEqual([
      undefined,
      undefined,
    ])
  })

  it('without commands needs no trust', () => {
    expect(judging('  - files: [a.md]').run).not.toHaveProperty('command')
    expect(judging('  - commands: [./check.sh]').run.command).toBe('./check.sh')
    expect(judging('  - commands: ["cat <<X", "echo \'a\'"]').run.command).toBe(
      "sh -c 'cat <<X'\nsh -c 'echo '\\''a'\\'''",
    )
  })
})

describe('a wrong contract is left out, and the others are kept', () => {
  it.each([
    ['  - {}', 'requires nothing'],
    ['  - id: x', 'requires nothing'],
    ['  - files: []', 'at least one'],
    ['  - files: [/etc/passwd]', 'a path in the project'],
    ['  - files: [../x]', 'a path in the project'],
    ['  - files: [a/../../x]', 'a path in the project'],
    ['  - files: ["~/x"]', 'a path in the project'],
    ['  - files: ["notes/{user}.md"]', 'a path in the project'],
    ['  - files: ["notes//x.md"]', 'a path in the project'],
    ['  - files: [{ headings: [A] }]', '`path` is missing'],
    ['  - files: [{ path: a, headngs: [A] }]', 'Did you mean `headings`?'],
    ['  - files: [{ path: a, headings: [""] }]', 'a heading'],
    ['  - files: [{ path: a, json: { a: text } }]', 'one of `string`'],
    ['  - files: [{ path: a, json: {} }]', 'at least one key'],
    ['  - signal: ../x', 'a path in the project'],
    ['  - message: { token: "" }', 'a word'],
    ['  - message: { pattern: "(?=x)y" }', 'Look-around'],
    ['  - message: { pattern: "(" }', 'The pattern'],
    ['  - commands: [{ timeoutMs: 1000 }]', '`run` is missing'],
    ['  - commands: [{ run: x, timeoutMs: 999999999 }]', 'a whole number'],
    ['  - { agent: "[", files: [a] }', 'The pattern'],
    ['  - { when: always, files: [a] }', '`delegated`'],
    ['  - { blocks: 0, files: [a] }', 'from 1 to 7'],
    ['  - { blocks: 8, files: [a] }', 'from 1 to 7'],
    ['  - { filez: [a] }', 'Did you mean `files`?'],
    ['  - 7', 'a contract'],
    ['  notes: x', 'a list of contracts'],
  ])('%s', (written, says) => {
    expect(problem(written)).toContain(says)
  })

  it('also if two have the same name, because their blocks would be counted together', () => {
    const { hooks, problems } = parse(
      '  - { id: a, files: [x] }\n  - { id: a, files: [y] }\n  - { id: b, files: [z] }',
    )
    expect(hooks.map(({ id }) => id)).toEqual(['a/begin', 'a', 'b/begin', 'b'])
    expect(problems[0]?.message).toContain('Another contract has the id `a` too')
  })

  it('and a list that is too long is cut', () => {
    const many = Array.from({ length: 1_001 }, (_, i) => `  - { id: c${i}, files: [a] }`).join('\n')
    const { hooks, problems } = parse(many)
    expect(hooks).toHaveLength(2_000)
    expect(problems[0]?.message).toContain('only the first 1000')
  })
})

describe('the examples on the pages about contracts', () => {
  it.each(['guide/contracts.md', 'guide/scratchpad.md', 'reference/configuration.md'])(
    '%s are valid',
    (page) => {
      const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8')
      const files = text
        .split('```')
        .flatMap((part) => (/^yaml\n[\s\S]*^version: 1$/m.test(part) ? [part.slice(5)] : []))
      expect(files.length).toBeGreaterThan(0)
      for (const yaml of files) {
        const layer = source.parse(yaml, { path: '/f.yaml', root: '/', rank: 'managed', trusted: true })
        expect(layer.ok && layer.value.problems.filter(({ severity }) => severity !== 'warning')).toEqual([])
      }
    },
  )
})
