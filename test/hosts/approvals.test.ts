import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { holdpointProgram } from '../installed.ts'
import { type Board, PIN, prepareApprovals, startBoard, writeApprovalPolicy } from '../long/board/board.ts'
import { openBrowser, type Page, type TestBrowser, type TestPage } from '../long/board/browser.ts'
import { eventually, readText } from '../processes.ts'
import { type AgentSetup, setUpAgent } from './agent-setup.ts'
import { AGENTS, type Turn } from './agents.ts'
import type { Run, Sandbox } from './sandbox.ts'

/**
 * Claude Code runs headless, its questions wait on the board, and a person answers them in a browser.
 *
 * Runs alone: a question waits twenty seconds for the browser, as it would for a person.
 */

const WAIT_MS = 20_000
const SHORT_MS = 2_000

let browser: TestBrowser
let setup: AgentSetup
beforeAll(async () => {
  browser = await openBrowser()
  setup = await setUpAgent(AGENTS['claude-code'])
})
afterAll(async () => {
  await browser.close()
  await setup.close()
})

interface Opened {
  readonly sandbox: Sandbox
  readonly board: Board
  readonly shown: TestPage
  readonly page: Page
}

/** A board that may answer, opened in a browser, and an agent whose commands `deploy` are asked about. */
async function withBoard(turns: readonly Turn[], act: (opened: Opened) => Promise<void>): Promise<void> {
  await setup.run({ main: [...turns, { say: 'Done.' }] }, async (sandbox) => {
    const place = placeOf(sandbox)
    await prepareApprovals(place, WAIT_MS)
    sandbox.write('deploy', '#!/bin/sh\necho "$1" >> deployed.txt\n', 0o755)
    const board = await startBoard(place, { pin: PIN })
    const shown = await browser.page()
    try {
      await shown.page.goto(await board.link())
      await shown.page.getByText('To answer questions of agents on this page').waitFor()
      await act({ sandbox, board, shown, page: shown.page })
      expect(shown.problems()).toEqual([])
    } finally {
      await shown.page.context().close()
      await board.close()
    }
  })
}

const placeOf = ({ places }: Sandbox) => ({ home: places.holdpoint, project: places.project })

const deploy = (what: string): Turn => ({ do: [{ shell: `./deploy ${what}` }] })

const question = (page: Page, command: string) =>
  page.getByRole('article', { name: `Bash ./deploy ${command} waits for an answer` })

async function unlock(page: Page, pin: string): Promise<void> {
  await page.getByLabel(/type your PIN/i).fill(pin)
  await page.getByRole('button', { name: 'Unlock' }).click()
}

/** What became of the questions, as the journal says. */
const answersIn = (run: Run) =>
  run.journal
    .filter(({ event, input }) => event === 'PreToolUse' && input?.includes('deploy'))
    .map(({ effect, extra }) => [effect, (extra?.approval as { answer?: string } | undefined)?.answer])

/** What the model was told before this step. */
const toldAt = (run: Run, step: number) => run.requests.find((request) => request.step === step)?.told ?? ''

it('a person approves once or for a session, denies with a reason, or is too late', async () => {
  let shorten = () => {}
  const turns: readonly Turn[] = [
    deploy('a'),
    deploy('b'),
    deploy('b'),
    deploy('c'),
    {
      say: () => {
        shorten()
        return 'The last one.'
      },
      ...deploy('d'),
    },
  ]
  await withBoard(turns, async ({ sandbox, page, shown }) => {
    shorten = () => writeApprovalPolicy(placeOf(sandbox), SHORT_MS)
    const running = sandbox.run({ prompt: 'Deploy' })
    await question(page, 'a').getByText('Deploy to production?').waitFor()
    expect(await shown.axe()).toEqual([])
    await unlock(page, 'wrong')
    await page.getByText('The PIN is wrong. 4 attempts are left.').waitFor()
    await unlock(page, PIN)
    const approve = question(page, 'a').getByRole('button', { name: 'Approve once' })
    await approve.waitFor()
    await shown.picture('approval')
    await approve.click()
    await question(page, 'b').getByRole('button', { name: 'Approve for this session' }).click()
    await question(page, 'c').getByLabel('Reason for the agent').fill('Use staging first.')
    await question(page, 'c').getByRole('button', { name: 'Deny' }).click()
    const run = await running
    expect(answersIn(run)).toEqual([
      ['allow', 'once'],
      ['allow', 'session'],
      ['allow', 'session'],
      ['deny', 'denied'],
      ['deny', 'late'],
    ])
    expect(run.file('deployed.txt')).toBe('a\nb\nb\n')
    expect(toldAt(run, 4)).toContain('The user was asked and denied this call: Use staging first.')
    expect(toldAt(run, 5)).toContain('A person was asked and did not answer within 2 seconds')
  })
})

it('a board that is killed while a call waits denies it, and nobody is asked after that', async () => {
  await withBoard([deploy('a'), deploy('b')], async ({ sandbox, board, page, shown }) => {
    const running = sandbox.run()
    await question(page, 'a').waitFor()
    board.kill()
    const run = await running
    expect(answersIn(run)).toEqual([
      ['deny', 'closed'],
      ['ask', undefined],
    ])
    expect(run.file('deployed.txt')).toBeUndefined()
    expect(toldAt(run, 1)).toContain('was closed, so this was denied')
    await page.getByText('Not connected').waitFor()
    shown.expectProblems(/ERR_/)
  })
})

/**
 * The agent has everything that a program of its user can find: the port, the token of the page, the socket, and
 * Holdpoint's folder. It must not be able to answer itself. It writes down what each try got.
 */
const ATTACK = `
import { generateKeyPairSync, createHash, sign } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
const { origin, token, socket, program } = JSON.parse(readFileSync('found.json', 'utf8'))
const got = {}
const channel = connect(socket)
const replies = []
let rest = ''
const send = (message) => channel.write(JSON.stringify(message) + '\\n')
const pending = await new Promise((resolve) => {
  channel.on('data', (data) => {
    rest += data
    for (let end = rest.indexOf('\\n'); end !== -1; end = rest.indexOf('\\n')) {
      const message = JSON.parse(rest.slice(0, end))
      rest = rest.slice(end + 1)
      if (message.kind === 'state' && message.pending[0]) resolve(message.pending[0])
      if (message.kind !== 'state') replies.push(message)
    }
  })
  send({ kind: 'watch' })
})
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
const said = { answer: 'once', reason: '', atMs: Date.now(), how: 'browser' }
const digest = createHash('sha256').update(pending.call).digest('hex')
const text = JSON.stringify(['holdpoint', 1, 'approval', key, 'once', pending.id, digest, '', said.atMs, 'browser'])
const signature = sign('sha256', Buffer.from(text), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64')
const answer = { ...said, signature }
const post = async (path, body, headers = { authorization: 'Bearer ' + token }) => {
  const reply = await fetch(origin + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  return [reply.status, await reply.json()]
}
got.withoutToken = await post('/api/answer', { id: pending.id, answer }, {})
got.withToken = await post('/api/answer', { id: pending.id, answer })
got.unlock = await post('/api/unlock', { pin: '' })
got.ownBoard = spawnSync(program, ['ui', '--no-open'], { timeout: 4_000, encoding: 'utf8', input: '' }).stdout.replace(/http\\S+/, 'LINK')
send({ kind: 'register', registration: { key, startedMs: Date.now(), untilMs: Date.now() + 60_000, pid: process.pid, by: { user: 'dev', terminal: '/dev/pts/1', atMs: Date.now(), signature } } })
send({ kind: 'answer', id: pending.id, answer })
send({ kind: 'settled', ok: true, id: pending.id, keep: { registration: { key }, answer }, digest })
while (replies.length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
got.replies = replies
writeFileSync('got.part', JSON.stringify(got))
renameSync('got.part', 'got.json')
process.exit()
`

it('an agent cannot approve by the port, the token, the socket or a board of its own', async () => {
  await withBoard(
    [{ do: [{ shell: 'node attack.mjs > attack.log 2>&1 &' }] }, deploy('a')],
    async (opened) => {
      const { sandbox, board, page } = opened
      const token = await page.evaluate<string>("localStorage.getItem('holdpoint-board')")
      const socket = join(sandbox.places.holdpoint, 'run', 'board.sock')
      const found = { origin: board.origin, token, socket, program: holdpointProgram() }
      sandbox.write('found.json', JSON.stringify(found))
      sandbox.write('attack.mjs', ATTACK)
      await unlock(page, PIN)
      const running = sandbox.run()
      await question(page, 'a').waitFor()
      const file = join(sandbox.places.project, 'got.json')
      const got = JSON.parse(await eventually(() => readText(file) || undefined, 'the agent has tried'))
      expect(got.withoutToken[0]).toBe(401)
      expect(got.withToken).toEqual([200, { settled: 'signature' }])
      expect(got.unlock).toEqual([200, { refused: 'The PIN is wrong. 4 attempts are left.' }])
      expect(got.replies).toMatchObject([
        { kind: 'refused', why: 'unsigned' },
        { kind: 'settled', ok: false, why: 'not the board' },
      ])
      // A board that no person started only shows: it is not even asked for a PIN.
      expect(got.ownBoard).toMatch(/^The board is running. Open LINK/)
      await question(page, 'a').getByRole('button', { name: 'Deny' }).click()
      const run = await running
      expect(answersIn(run)).toEqual([['deny', 'denied']])
      expect(run.file('deployed.txt')).toBeUndefined()
    },
  )
})
