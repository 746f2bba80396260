import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../../e2e/command.ts'
import { endDaemonsOf } from '../../processes.ts'
import { type Board, PIN, prepareApprovals, startBoard } from './board.ts'
import { openBrowser, type TestBrowser } from './browser.ts'

/** What happens to a board that may answer: its daemon is killed, a second board is started, the PIN is guessed. */

let sandbox: Sandbox
let browser: TestBrowser
let board: Board
let page: Page

beforeAll(async () => {
  sandbox = createSandbox()
  mkdirSync(join(sandbox.project, '.git'))
  await prepareApprovals(sandbox, 20_000)
  browser = await openBrowser()
  board = await startBoard(sandbox, { pin: PIN })
  page = (await browser.page()).page
  await page.goto(await board.link())
  await page.getByText('To answer questions of agents on this page').waitFor()
})
afterAll(async () => {
  await browser.close()
  await board.close()
  await sandbox.remove()
})

/** An agent that asks nobody. */
const deploy = async (what: string) => {
  const more = { permission_mode: 'bypassPermissions', tool_use_id: what, session_id: 'q' }
  const { stdout } = await sandbox.hook(call('Bash', { command: `deploy ${what}` }, more))
  return JSON.parse(stdout).hookSpecificOutput as Readonly<Record<string, string>>
}

const question = (what: string, at = page) =>
  at.getByRole('article', { name: `Bash deploy ${what} waits for an answer` })

async function unlock(pin: string): Promise<void> {
  await page.getByLabel(/type your PIN/i).fill(pin)
  await page.getByRole('button', { name: 'Unlock' }).click()
}

it('answers again after its daemon was killed', async () => {
  // What is typed before the page has noticed would be gone.
  const form = page.getByText('To answer questions of agents on this page')
  const noticed = form.waitFor({ state: 'hidden' })
  await endDaemonsOf(sandbox.home)
  await noticed
  await form.waitFor()
  await unlock(PIN)
  await page.getByText('This page answers questions of agents.').waitFor()
  const decided = deploy('a')
  await question('a').getByRole('button', { name: 'Approve once' }).click()
  expect(await decided).toMatchObject({ permissionDecision: 'allow' })
})

it('a second board is refused and shown, and the first one still answers', async () => {
  const second = await startBoard(sandbox, { pin: PIN })
  const other = (await browser.page()).page
  await other.goto(await second.link())
  await page.getByText('Another board wanted to answer questions and was refused:').waitFor()
  const decided = deploy('b')
  await question('b', other)
    .getByText(/Another board answers/)
    .waitFor()
  expect(await question('b', other).getByRole('button').count()).toBe(0)
  await question('b').getByRole('button', { name: 'Deny' }).click()
  expect(await decided).toMatchObject({ permissionDecision: 'deny' })
  await other.context().close()
  await second.close()
  const { stdout } = await sandbox.run(['log', '--json'])
  expect(stdout).toContain('"event":"BoardRefused"')
})

it('a board that was told only to look cannot answer', async () => {
  const looking = await startBoard(sandbox, { pin: 'look' })
  const other = (await browser.page()).page
  await other.goto(await looking.link())
  const decided = deploy('c')
  await question('c', other).getByText('This board only shows.').waitFor()
  await question('c').getByRole('button', { name: 'Approve once' }).click()
  expect(await decided).toMatchObject({ permissionDecision: 'allow' })
  await other.context().close()
  await looking.close()
})

it('a call that the daemon was relaying when it was killed is denied', async () => {
  const decided = deploy('d')
  await question('d').waitFor()
  await endDaemonsOf(sandbox.home)
  expect(await decided).toMatchObject({ permissionDecision: 'deny' })
})

it('five wrong PINs lock the page until the board is started again', async () => {
  await page.getByRole('button', { name: 'Lock' }).click()
  for (const left of [4, 3, 2, 1]) {
    await unlock('guess')
    await page.getByText(`The PIN is wrong. ${left} attempts are left.`).waitFor()
  }
  await unlock('guess')
  await page.getByText('Too many wrong PINs.').waitFor()
  expect(await page.getByLabel(/type your PIN/i).isDisabled()).toBe(true)
})
