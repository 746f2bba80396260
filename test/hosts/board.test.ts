import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Board, startBoard } from '../long/board/board.ts'
import { openBrowser, type TestBrowser } from '../long/board/browser.ts'
import { type AgentSetup, type Conversations, setUpAgent } from './agent-setup.ts'
import { AGENTS } from './agents.ts'
import { isInFull } from './depth.ts'
import { markOf } from './models/model.ts'
import { writePolicy } from './policy.ts'
import { ROOT, type Run, type Sandbox } from './sandbox.ts'

/**
 * The board in a real browser while real agents run, and the sessions for the tests of its pages.
 *
 * Runs alone: one agent starts forty others at once, and the browser waits a minute for what they do.
 */

const HELPERS = 40
const GO_ON = 'go-on'

/** The last command of the main agent waits until the test has seen the others on the page. */
const script = (helpers: number): Conversations => ({
  main: [
    { say: 'First.', do: [{ shell: 'echo one > one.txt' }, { shell: 'ls missing-folder' }] },
    { do: [{ shell: 'git push --force origin main' }] },
    { do: [{ write: 'note.txt', text: 'hello' }] },
    ...Array.from({ length: Math.ceil(helpers / 10) }, (_, step) => ({
      do: Array.from({ length: Math.min(10, helpers - 10 * step) }, () => ({ delegate: 'helper' })),
    })),
    { do: [{ shell: `until [ -e ${GO_ON} ]; do sleep 0.1; done` }] },
    { say: 'All done.' },
  ],
  helper: [{ do: [{ shell: 'echo two > two.txt' }] }, { do: [{ shell: 'rm -rf ~/important' }] }],
})

const FIXTURE = join(ROOT, 'test', 'long', 'board', 'fixtures')

/** With HOLDPOINT_WRITE_DOCS=1, what the programs did is kept for the tests of the pages. */
function keep(name: string, run: Run, sandbox: Sandbox): void {
  if (process.env.HOLDPOINT_WRITE_DOCS !== '1') return
  const { home, project, temporary, holdpoint } = sandbox.places
  const text = run.journal
    .map((record) => JSON.stringify({ ...record, seq: undefined, hash: undefined }))
    .join('\n')
    .replaceAll(` ${markOf('main')}`, '')
    .replaceAll(project, '/srv/shop')
    .replaceAll(holdpoint, '/home/dev/.config/holdpoint')
    .replaceAll(temporary, '/tmp')
    .replaceAll(home, '/home/dev')
  const file = join(FIXTURE, `${name}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`)
}

let browser: TestBrowser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const chosen = (
  [
    ['claude-code', HELPERS],
    ['codex', 2],
  ] as const
).filter(([host]) => isInFull(host))

describe.each(chosen)('%s with %i sub-agents', (host, helpers) => {
  let setup: AgentSetup
  beforeAll(async () => {
    setup = await setUpAgent(AGENTS[host])
  })
  afterAll(() => setup.close())

  it('is on the board while it runs, with the tree of its agents and why calls were stopped', async () => {
    await setup.run(script(helpers), async (sandbox) => {
      writePolicy(sandbox, { packs: { safety: true, secrets: true } })
      const board: Board = await startBoard({
        home: sandbox.places.holdpoint,
        project: sandbox.places.project,
      })
      const { page, problems } = await browser.page()
      try {
        await page.goto(await board.link())
        await page.getByText('Nothing was decided yet').waitFor()
        const running = sandbox.run({ prompt: 'Ship the fix' })
        // The program is still running: it waits for the file.
        await page.getByRole('link', { name: /Denied .*Bash git push --force/ }).waitFor()
        await page.getByRole('link', { name: /until \[ -e/ }).waitFor()
        expect(existsSync(join(sandbox.places.project, GO_ON))).toBe(false)
        await page.getByRole('link', { name: 'Sessions', exact: true }).click()
        await page.getByRole('link', { name: /Ship the fix/ }).click()
        const agents = page.getByRole('button', { name: /level 2/ })
        await agents.nth(helpers - 1).waitFor()
        expect(await agents.count()).toBe(helpers)
        sandbox.write(GO_ON, '')
        const run = await running
        expect(run.exitCode).toBe(0)
        await page.getByText('Gate released').first().waitFor()
        await page.getByRole('link', { name: 'Live', exact: true }).click()
        await page.getByRole('searchbox').fill('--force')
        await page.getByRole('link', { name: /Denied .*Bash git push --force/ }).click()
        await page.getByText('holdpoint allow').first().waitFor()
        expect(problems()).toEqual([])
        keep(host, run, sandbox)
      } finally {
        sandbox.write(GO_ON, '')
        await page.context().close()
        await board.close()
      }
    })
  })
})
