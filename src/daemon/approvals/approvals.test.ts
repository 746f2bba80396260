import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerText } from '../../core/formats/approval-text.ts'
import { SPOOL } from '../../storage/journal/spool.ts'
import { type Home, homeLayout } from '../../system/home.ts'
import type { Signer } from '../../system/signatures.ts'
import { changePin, createKey, openSigner } from '../../system/signing-key.ts'
import { askAtBoard } from './ask-person.ts'
import { type BoardLink, type BoardView, openBoardLink } from './board-link.ts'
import { type BrokerServer, openBrokerServer } from './broker-server.ts'
import { connectChannel } from './channel.ts'
import {
  type BoardKey,
  type BoardRegistration,
  createBoardKey,
  signRegistration,
  signWithKey,
} from './registration.ts'
import type { SignedAnswer } from './signed-answer.ts'

const PIN = 'correct horse'
const PERSON = { user: 'dev (1000)', terminal: '/dev/pts/1' }
const CALL = { session: 's1', text: JSON.stringify({ tool: 'Bash', input: 'make deploy', session: 's1' }) }
const LONG_MS = 60_000

let folder: string
let home: Home
let server: BrokerServer
let key: BoardKey
let signer: Signer
let registration: BoardRegistration
const opened: BoardLink[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-approvals-'))
  // Managed keys of this machine must not decide what the tests see.
  home = { ...homeLayout(folder, { HOME: folder }), managedConfig: join(folder, 'managed', 'config.yaml') }
  mkdirSync(home.run, { recursive: true, mode: 0o700 })
  mkdirSync(home.journal, { recursive: true })
  createKey(home, PIN)
  const opening = openSigner(home, PERSON, PIN)
  if (!opening.ok) throw new Error(opening.problem.message)
  signer = opening.value
  key = createBoardKey()
  registration = registrationFor(key)
  let ids = 0
  server = await openBrokerServer(home, () => `id-${(ids += 1)}`)
})

afterAll(() => {
  for (const link of opened) link.close()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

function registrationFor(boardKey: BoardKey, nowMs = Date.now()): BoardRegistration {
  return signRegistration(boardKey.publicKey, signer, nowMs, 4242)
}

/** A board, as soon as the daemon has said whether it may answer. */
async function board(
  mine: BoardRegistration | undefined = registration,
): Promise<BoardLink & { next: Next }> {
  let wake: () => void = () => {}
  const link = openBoardLink(home.run, mine, () => wake())
  opened.push(link)
  const next: Next = async (wanted) => {
    while (!wanted(link.view())) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return link.view()
  }
  await next(({ isConnected }) => isConnected)
  return { ...link, next }
}

type Next = (wanted: (view: BoardView) => boolean) => Promise<BoardView>

function signed(
  view: BoardView,
  answer: SignedAnswer['answer'],
  more: Partial<SignedAnswer> & { readonly by?: BoardKey; readonly id?: string; readonly text?: string } = {},
): SignedAnswer {
  const [question] = view.pending
  const { by = key, id = question?.id ?? '', text = question?.call ?? '', ...rest } = more
  const said = { answer, reason: '', atMs: Date.now(), how: 'browser' as const, ...rest }
  const about = { id, session: CALL.session, digest: sha256(text) }
  return {
    ...said,
    signature: signWithKey(by.privateKey, answerText(by.publicKey, about, said)),
    ...pick(rest),
  }
}

function pick({ signature }: Partial<SignedAnswer>): Partial<SignedAnswer> {
  return signature === undefined ? {} : { signature }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const hasQuestion = ({ pending }: BoardView) => pending.length > 0
const mayAnswer = ({ isYou }: BoardView) => isYou

describe('with a board', () => {
  let mine: Awaited<ReturnType<typeof board>>
  beforeAll(async () => {
    mine = await board()
    await mine.next(mayAnswer)
  })
  afterAll(() => mine.close())
  beforeEach(() => mine.next(({ pending }) => pending.length === 0))

  it('an approval counts, with the name of the person', async () => {
    const asked = askAtBoard(home, CALL, LONG_MS)
    const view = await mine.next(hasQuestion)
    expect(view.pending).toMatchObject([{ call: CALL.text }])
    expect(await mine.answer(view.pending[0]?.id ?? '', signed(view, 'once'))).toBe('counted')
    expect(await asked).toMatchObject({ kind: 'approved', scope: 'once', by: { ...PERSON, how: 'browser' } })
    await mine.next(({ pending }) => pending.length === 0)
  })

  it('a denial counts, with its reason', async () => {
    const asked = askAtBoard(home, CALL, LONG_MS)
    const view = await mine.next(hasQuestion)
    await mine.answer(
      view.pending[0]?.id ?? '',
      signed(view, 'deny', { reason: 'Use staging.', how: 'terminal' }),
    )
    expect(await asked).toMatchObject({ kind: 'denied', reason: 'Use staging.', by: { how: 'terminal' } })
  })

  it('no answer in time is late, and the question disappears', async () => {
    expect(await askAtBoard(home, CALL, 600)).toMatchObject({ kind: 'late' })
  })

  it('an approval for the session is not asked again, for exactly the same call', async () => {
    const call = { session: CALL.session, text: JSON.stringify({ input: 'npm publish' }) }
    const asked = askAtBoard(home, call, LONG_MS)
    const view = await mine.next(hasQuestion)
    await mine.answer(view.pending[0]?.id ?? '', signed(view, 'session'))
    expect(await asked).toMatchObject({ kind: 'approved', scope: 'session' })
    expect(await askAtBoard(home, call, LONG_MS)).toMatchObject({ kind: 'approved', scope: 'session' })
    for (const other of [
      { ...call, session: 's2' },
      { ...call, text: `${call.text} ` },
    ]) {
      expect(await askAtBoard(home, other, 600)).toMatchObject({ kind: 'late' })
    }
  })

  describe('an answer does not count', () => {
    const FORGED: readonly [string, (view: BoardView) => SignedAnswer][] = [
      ['without a signature', (view) => ({ ...signed(view, 'once'), signature: '' })],
      ['with the signature of another key', (view) => signed(view, 'once', { by: createBoardKey() })],
      ['if it was signed for another question', (view) => signed(view, 'once', { id: 'another' })],
      ['if it was signed for another call', (view) => signed(view, 'once', { text: 'another' })],
      ['if a denial was turned into an approval', (view) => ({ ...signed(view, 'deny'), answer: 'once' })],
      [
        'if an approval for once was turned into one for the session',
        (view) => ({ ...signed(view, 'once'), answer: 'session' }),
      ],
      ['if its reason was changed', (view) => ({ ...signed(view, 'deny'), reason: 'other' })],
      ['if it is garbage', () => ({ answer: 'allow' }) as unknown as SignedAnswer],
    ]
    it.each(FORGED)('%s', async (_name, forge) => {
      const asked = askAtBoard(home, CALL, LONG_MS)
      const view = await mine.next(hasQuestion)
      expect(await mine.answer(view.pending[0]?.id ?? '', forge(view))).toBe('signature')
      // The question still waits for the person.
      expect(await mine.answer(view.pending[0]?.id ?? '', signed(view, 'deny'))).toBe('counted')
      expect(await asked).toMatchObject({ kind: 'denied' })
    })

    it('if it is an old one that is sent again', async () => {
      const first = askAtBoard(home, CALL, LONG_MS)
      const before = await mine.next(hasQuestion)
      const answer = signed(before, 'once')
      await mine.answer(before.pending[0]?.id ?? '', answer)
      expect(await first).toMatchObject({ kind: 'approved' })
      const second = askAtBoard(home, CALL, LONG_MS)
      const view = await mine.next(
        (each) => hasQuestion(each) && each.pending[0]?.id !== before.pending[0]?.id,
      )
      expect(await mine.answer(view.pending[0]?.id ?? '', answer)).toBe('signature')
      await mine.answer(view.pending[0]?.id ?? '', signed(view, 'deny'))
      expect(await second).toMatchObject({ kind: 'denied' })
    })

    it('if another program sends it, even with the right signature', async () => {
      const asked = askAtBoard(home, CALL, LONG_MS)
      const view = await mine.next(hasQuestion)
      const other = await board(undefined)
      expect(await other.answer(view.pending[0]?.id ?? '', signed(view, 'once'))).toBe('not the board')
      await mine.answer(view.pending[0]?.id ?? '', signed(view, 'deny'))
      expect(await asked).toMatchObject({ kind: 'denied' })
      other.close()
    })
  })

  it('a second board is refused and shown, and both are recorded', async () => {
    const second = await board(registrationFor(createBoardKey()))
    const view = await mine.next(({ refused }) => refused.length > 0)
    expect(view.refused[0]).toContain('dev (1000) at /dev/pts/1, process 4242')
    expect(second.view().isYou).toBe(false)
    expect(second.view().answering).toContain('process 4242')
    second.close()
    const spool = readFileSync(join(home.journal, SPOOL), 'utf8')
    expect(spool).toContain('"event":"BoardOpened"')
    expect(spool).toContain('"event":"BoardRefused"')
  })

  it('a program that floods the socket with garbage is cut off', async () => {
    let isClosed: () => void = () => {}
    const closed = new Promise<void>((resolve) => {
      isClosed = resolve
    })
    const channel = await connectChannel(home.run, { onMessage: () => {}, onClose: isClosed })
    channel?.send({ kind: 'x'.repeat(1_000_000) })
    await closed
    expect(mine.view().isYou).toBe(true)
  })
})

describe('no board may answer', () => {
  // A board of an earlier test may be closed, and the broker not know it yet.
  beforeEach(() => vi.waitFor(() => expect(server.counts.boards).toBe(0)))
  const strange = generateKeyPairSync('ed25519').privateKey
  const CASES: readonly [string, () => BoardRegistration][] = [
    [
      'without the signature of a person',
      () => ({ ...registrationFor(createBoardKey()), by: { ...PERSON, atMs: 0, signature: '' } }),
    ],
    [
      'with the signature of another key',
      () => {
        const made = registrationFor(createBoardKey())
        const signature = sign(null, Buffer.from(made.key), strange).toString('base64')
        return { ...made, by: { ...made.by, signature } }
      },
    ],
    [
      'whose key was exchanged',
      () => ({ ...registrationFor(createBoardKey()), key: createBoardKey().publicKey }),
    ],
    ['that was started yesterday', () => registrationFor(createBoardKey(), Date.now() - 24 * 3_600_000)],
    [
      'that claims a longer time',
      () => ({ ...registrationFor(createBoardKey()), untilMs: Date.now() + 10 ** 9 }),
    ],
  ]
  it.each(CASES)('%s', async (_name, make) => {
    const link = await board(make())
    expect(await askAtBoard(home, CALL, LONG_MS)).toEqual({ kind: 'nobody' })
    expect(link.view().isYou).toBe(false)
    link.close()
  })

  it('that was closed: a question that waits is denied at once', async () => {
    const link = await board(registrationFor(createBoardKey()))
    await link.next(mayAnswer)
    const asked = askAtBoard(home, CALL, LONG_MS)
    await link.next(hasQuestion)
    link.close()
    expect(await asked).toMatchObject({ kind: 'closed' })
    expect(await askAtBoard(home, CALL, LONG_MS)).toEqual({ kind: 'nobody' })
  })

  it('if the key of the person has no PIN: any program could sign', async () => {
    const mine = registrationFor(createBoardKey())
    changePin(home, PIN, undefined)
    const link = await board(mine)
    expect(await askAtBoard(home, CALL, LONG_MS)).toEqual({ kind: 'nobody' })
    link.close()
    changePin(home, undefined, PIN)
  })

  it('if there is no daemon, or its folder belongs to others', async () => {
    expect(await askAtBoard({ ...home, run: join(folder, 'none') }, CALL, LONG_MS)).toEqual({
      kind: 'nobody',
    })
    const shared = join(folder, 'shared')
    mkdirSync(shared)
    writeFileSync(join(shared, 'board.sock'), '')
    expect(await askAtBoard({ ...home, run: shared }, CALL, LONG_MS)).toEqual({ kind: 'nobody' })
  })
})

it('a relay that lies gets no approval through', async () => {
  // Another program took the place of the socket and approves everything.
  const run = join(folder, 'fake')
  mkdirSync(run, { mode: 0o700 })
  const fake = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      if (!chunk.includes('"ask"')) return
      const forged = createBoardKey()
      const registered = { ...registration, key: forged.publicKey }
      const answer = { answer: 'once', reason: '', atMs: Date.now(), how: 'browser', signature: 'AAAA' }
      for (const each of [registration, registered]) {
        socket.write(`${JSON.stringify({ kind: 'answer', registration: each, answer })}\n`)
      }
    })
  })
  await new Promise<void>((resolve) => fake.listen(join(run, 'board.sock'), resolve))
  expect(await askAtBoard({ ...home, run }, CALL, 1_000)).toMatchObject({ kind: 'late' })
  fake.close()
})
