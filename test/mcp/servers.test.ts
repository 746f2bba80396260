import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../src/adapters/mcp/server-process.ts'
import { isObject, type JsonObject } from '../../src/core/json.ts'
import { areGone, pidsIn } from '../../src/library/testing/processes.ts'
import { call, ready } from './gate.ts'
import { wire } from './stdio.ts'

const ids = (messages: readonly JsonObject[]) => messages.map(({ id }) => id)
const errors = (messages: readonly JsonObject[]) =>
  messages.map(({ id, error }) => [id, isObject(error) ? error.message : undefined])

describe('a server that ends', () => {
  it.each<[string, string, number, string]>([
    ['with a code', 'on = () => process.exit(3)', 3, 'The server ended (exit code 3).'],
    ['by itself', 'on = () => process.exit(0)', 0, 'The server ended (exit code 0).'],
    ['by a signal', 'on = () => process.kill(process.pid, "SIGKILL")', 137, 'The server ended (by SIGKILL).'],
    [
      'in the middle of a line',
      `on = () => write('{"id":1,"result":{', () => {}) && setTimeout(() => process.exit(1), 20)`,
      1,
      'The server ended in the middle of a message (exit code 1).',
    ],
    [
      'by an exception',
      'on = () => { console.error = () => {}; process.exitCode = 1; process.stdin.destroy() }',
      1,
      'The server ended (exit code 1).',
    ],
  ])(
    '%s gives waiting requests an error, and passes on the exit code',
    async (_name, program, exitCode, why) => {
      const { say, ended, until, said } = await wire(program)
      say(call(1))
      expect(await ended).toBe(exitCode)
      expect(errors(await until(({ length }) => length > 0))).toEqual([[1, why]])
      expect(said).toEqual([why])
    },
  )

  it('because it cannot be started is reported', async () => {
    const listener = { message: () => {}, ready: () => {}, ended: () => {} }
    const started = await startServer({ command: '/no/such/server', args: [], cwd: '/', env: {} }, listener)
    expect(started).toMatchObject({ ok: false, problem: { code: 'SERVER_UNSTARTED' } })
  })

  it('is ended with all its processes when the client ends, even if it refuses', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-mcp-'))
    const file = join(folder, 'pids')
    const { input, ended } = await wire(`
      process.on('SIGTERM', () => {})
      const child = require('child_process').spawn('sleep', ['1000'], { stdio: 'ignore' })
      require('fs').writeFileSync('${file}.new', process.pid + ' ' + child.pid)
      require('fs').renameSync('${file}.new', '${file}')
      setInterval(() => {}, 1000)`)
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5))
    input.end()
    expect(await ended).toBe(0)
    expect(await areGone(pidsIn(file))).toBe(true)
    rmSync(folder, { recursive: true })
  })
})

describe('a server that runs but cannot be used', () => {
  it.each<[string, string, string]>([
    [
      'because it stopped reading its input',
      'on = () => { on = () => {}; process.stdin.destroy(); require("fs").closeSync(0); setInterval(() => {}, 1000); send({ jsonrpc: "2.0", method: "notifications/x" }) }',
      'The server ended (it stopped reading its input).',
    ],
    [
      'because it closed its output',
      'on = () => { on = () => {}; require("fs").closeSync(1); setInterval(() => {}, 1000) }',
      'The server ended (it closed its output).',
    ],
  ])('%s is ended, and waiting requests get an error', async (_name, program, why) => {
    const { say, until, ended } = await wire(program)
    say(call(1))
    const more = setInterval(() => say({ jsonrpc: '2.0', method: 'notifications/x' }), 50)
    expect(await ended).toBe(76)
    clearInterval(more)
    expect(errors(await until((messages) => messages.some(({ id }) => id === 1)))).toContainEqual([1, why])
  })

  it('with a child in another process group that keeps its output open delays no request', async () => {
    const { say, until, ended } = await wire(`on = () => {
      require('child_process').spawn('sleep', ['5'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }).unref()
      setTimeout(() => process.exit(3), 50)
    }`)
    say(call(1))
    expect(await ended).toBe(3)
    expect(errors(await until(({ length }) => length === 1))).toEqual([
      [1, 'The server ended (exit code 3).'],
    ])
  })

  it('because it reads nothing does not keep the gate from ending with the client', async () => {
    const { say, input, ended } = await wire('process.stdin.pause(); setInterval(() => {}, 1000)')
    for (let id = 0; id < 40; id += 1) say(call(id, 'write', { text: 'x'.repeat(20_000) }))
    input.end()
    expect(await ended).toBe(0)
  })
})

const FLOOD = `on = () => {
  const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: { data: 'x'.repeat(1000) } }) + '\\n'
  const pour = () => { while (write(line)); process.stdout.once('drain', pour) }
  pour()
}`

describe('a client that does not read', () => {
  it('and tells the gate to end is obeyed', async () => {
    const { say, output, ended, stop } = await wire(FLOOD, {}, true)
    say(call(1))
    while (output.writableLength === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    stop()
    expect(await ended).toBe(143)
  })

  it('because it is gone ends the server and the gate', async () => {
    const { say, output, ended } = await wire(FLOOD, {}, true)
    say(call(1))
    while (output.writableLength === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    output.destroy(new Error('EPIPE'))
    expect(await ended).toBe(143)
  })
})

describe('a server that keeps running', () => {
  it('and never answers one call does not delay other calls', async () => {
    const { say, until, stop } = await wire('on = ({ id }) => id === 1 || reply(id, "done")')
    for (const id of [1, 2, 3]) say(call(id))
    expect(ids(await until(({ length }) => length === 2))).toEqual([2, 3])
    stop()
  })

  it('and answers in another order gives each call its result', async () => {
    const { say, until, stop } = await wire(
      'const kept = []; on = ({ id }) => kept.push(id) === 3 && kept.reverse().forEach((each) => reply(each, "r" + each))',
    )
    for (const id of [1, '1', 2]) say(call(id))
    const messages = await until(({ length }) => length === 3)
    expect(messages.map(({ id, result }) => [id, JSON.stringify(result).includes(`"r${id}"`)])).toEqual([
      [2, true],
      ['1', true],
      [1, true],
    ])
    stop()
  })

  it('passes on a result of 10 MB unchanged', async () => {
    const { say, until, stop } = await wire('on = ({ id }) => reply(id, "é".repeat(5e6))')
    say(call(1))
    const [message] = await until(({ length }) => length === 1)
    expect(message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'é'.repeat(5e6) }] },
    })
    stop()
  })

  it('and writes something that is not a message still gets calls', async () => {
    const { say, until, said, stop } = await wire(`on = ({ id }) => {
      write('Listening...\\n\\n')
      write('\\0\\n')
      write(Buffer.from([0xff, 0xfe, 10]))
      write('{"jsonrpc":"2.0","id":' + id + '}\\n')
      send({ jsonrpc: '2.0', id: 77, result: {} })
      reply(id + 1, 'done')
    }`)
    say(call(1))
    say({ jsonrpc: '2.0', method: 'notifications/x' })
    say(call(2))
    const messages = await until(({ length }) => length >= 2)
    expect(errors(messages)[0]).toEqual([1, expect.stringContaining('neither a request nor an answer')])
    expect(said.join('\n')).toContain('it is not JSON')
    expect(said.join('\n')).toContain('no request has the id 77')
    stop()
  })

  it('with an endless line is ended', async () => {
    const { say, until, ended } = await wire(
      'on = () => { const pour = () => { while (write("x".repeat(1e6))); process.stdout.once("drain", pour) }; pour() }',
    )
    say(call(1))
    expect(await ended).toBe(76)
    expect(errors(await until(({ length }) => length === 1))).toEqual([
      [1, expect.stringContaining('a message of more than 33554432 bytes')],
    ])
  })

  it('and sends a lot to a client that does not read waits for it, and nothing is lost', async () => {
    const count = 20_000
    const { say, output, until, stop } = await wire(
      `on = ({ id }) => {
        const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(400) } }) + '\\n'
        let sent = 0
        const pour = () => {
          while (sent < ${count}) { sent += 1; if (!write(line)) return process.stdout.once('drain', pour) }
          reply(id, 'done')
        }
        pour()
      }`,
      {},
      true,
    )
    say(call(1))
    while (output.writableLength === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(output.writableLength + output.readableLength).toBeLessThan(2_000_000)
    const messages = await until(({ length }) => length === count + 1)
    expect(messages.at(-1)?.id).toBe(1)
    stop()
  })
})

describe('a client of the gate', () => {
  it('that ends right after its call gets the answer', async () => {
    const { say, input, until, ended } = await wire('process.stdin.on("end", () => process.exit(0))')
    say(call(1))
    input.end()
    expect(ids(await until(({ length }) => length === 1))).toEqual([1])
    expect(await ended).toBe(0)
  })

  it('that ends while the user is asked does not run the call', async () => {
    const { say, input, until, ended } = await wire(
      'on = ({ method }) => method === "tools/call" && process.exit(9)',
      {
        PreToolUse: { effect: 'ask', reason: 'Sure?' },
      },
    )
    say(ready({ elicitation: {} }))
    say(call(1))
    await until((messages) => messages.some(({ method }) => method === 'elicitation/create'))
    input.end()
    expect(await ended).toBe(0)
  })

  it('that ends in the middle of a message does not send it', async () => {
    const { say, input, ended, said } = await wire('on = () => process.exit(9)')
    say('{"jsonrpc":"2.0","method":"notifications/x"}')
    input.end()
    expect(await ended).toBe(0)
    expect(said).toEqual(['The client ended in the middle of a message, which was dropped.'])
  })

  it('that sends more than can be checked gets an error, and its next message passes', async () => {
    const { say, until, stop } = await wire('')
    const piece = Buffer.alloc(1024 * 1024, 'x')
    for (let count = 0; count < 33; count += 1) say(piece)
    say('\n')
    say(call(1))
    const messages = await until(({ length }) => length === 2)
    expect(errors(messages)).toEqual([
      [null, expect.stringContaining('more than 33554432 bytes')],
      [1, undefined],
    ])
    stop()
  })

  it('that sends many calls at once waits until they are checked', async () => {
    const { say, until, stop } = await wire('', { PreToolUse: { effect: 'deny', reason: 'no' } })
    for (let id = 0; id < 2_000; id += 1) say(call(id))
    expect(new Set(ids(await until(({ length }) => length === 2_000))).size).toBe(2_000)
    stop()
  })

  it('may send several messages in one write, and one message in several', async () => {
    const { say, until, stop } = await wire('')
    const text = [1, 2, 3].map((id) => `${JSON.stringify(call(id))}\r\n`).join('')
    for (const piece of [text.slice(0, 7), text.slice(7, 200), text.slice(200)]) say(piece)
    expect(ids(await until(({ length }) => length === 3))).toEqual([1, 2, 3])
    stop()
  })
})
