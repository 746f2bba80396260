import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Assistant, judgeRows, type RowJudge, type Rows } from './judge-rows.ts'

const judge: RowJudge = async (batch) => ({
  lines: batch.map((row) => `${row}!\n`).join(''),
  wrongRows: batch.filter((row) => row === 'wrong').length,
})

async function* chunks(...texts: readonly string[]): AsyncIterable<string> {
  yield* texts
}

const rowsTo = (count: number) => Array.from({ length: count }, (_, n) => `row ${n}`)

async function run(
  texts: AsyncIterable<string>,
  assistants: readonly Assistant[] = [],
  here: RowJudge = judge,
): Promise<{ readonly lines: readonly string[]; readonly wrongRows: number; readonly started: number }> {
  let [text, started] = ['', 0]
  const start = () => {
    started += 1
    return assistants
  }
  const { wrongRows } = await judgeRows(texts, here, start, (lines) => {
    text += lines
    return undefined
  })
  return { lines: text.split('\n').slice(0, -1), wrongRows, started }
}

function assistant(
  answer: (batch: Rows, call: number) => Promise<Awaited<ReturnType<RowJudge>>>,
): Assistant & {
  calls: number
  ended: number
} {
  const made = {
    calls: 0,
    ended: 0,
    judge: (batch: Rows) => {
      made.calls += 1
      return answer(batch, made.calls)
    },
    end: () => {
      made.ended += 1
    },
  }
  return made
}

describe('rows', () => {
  test('are lines, however they are cut; empty ones are left out, and the last needs no end', async () => {
    const { lines } = await run(chunks('a\nb', 'c\n', '\n  \n', 'd\r\n', 'e'))
    expect(lines).toEqual(['a!', 'bc!', 'd\r!', 'e!'])
  })

  test('that are wrong are counted', async () => {
    expect((await run(chunks('wrong\na\nwrong\n'))).wrongRows).toBe(2)
  })

  test('that are few start no thread', async () => {
    const helping = assistant(judge)
    const { started } = await run(chunks(`${rowsTo(290).join('\n')}\n`), [helping])
    expect([started, helping.calls, helping.ended]).toEqual([0, 0, 0])
  })

  test('are answered as they come: a program that waits for its answer gets it', async () => {
    const said: string[] = []
    let isAnswered = () => {}
    async function* conversation(): AsyncIterable<string> {
      for (const row of ['first', 'second']) {
        const answered = new Promise<void>((resolve) => {
          isAnswered = resolve
        })
        yield `${row}\n`
        await answered
      }
    }
    await judgeRows(
      conversation(),
      judge,
      () => [],
      (lines) => {
        said.push(lines)
        isAnswered()
        return undefined
      },
    )
    expect(said).toEqual(['first!\n', 'second!\n'])
  })
})

describe('with threads', () => {
  const many = rowsTo(20_000)
  const expected = many.map((row) => `${row}!`)

  test('many rows are shared, and come out in their order', async () => {
    const slow = assistant(async (batch, call) => {
      await sleep(call % 3)
      return judge(batch)
    })
    const { lines, started } = await run(chunks(`${many.join('\n')}\n`), [slow])
    expect(lines).toEqual(expected)
    expect([started, slow.ended]).toEqual([1, 1])
    expect(slow.calls).toBeGreaterThan(1)
  })

  test('they go on helping after everything was answered once', async () => {
    const helping = assistant(judge)
    let before = 0
    async function* inTwoParts(): AsyncIterable<string> {
      yield `${many.slice(0, 15_000).join('\n')}\n`
      await sleep(20)
      before = helping.calls
      yield `${many.slice(15_000).join('\n')}\n`
    }
    expect((await run(inTwoParts(), [helping])).lines).toEqual(expected)
    expect(before).toBeGreaterThan(0)
    expect(helping.calls).toBeGreaterThan(before)
  })

  test('a thread that dies loses nothing', async () => {
    const dying = assistant((batch, call) => (call > 2 ? Promise.reject(new Error('gone')) : judge(batch)))
    expect((await run(chunks(`${many.join('\n')}\n`), [dying])).lines).toEqual(expected)
  })

  test('a fault of the judge itself is no answer', async () => {
    const faulty: RowJudge = () => Promise.reject(new Error('a bug'))
    await expect(run(chunks(`${many.join('\n')}\n`), [], faulty)).rejects.toThrow('a bug')
  })

  test('input that is faster than judging waits', async () => {
    let read = 0
    let most = 0
    let written = 0
    async function* endless(): AsyncIterable<string> {
      for (; read < 2_000; read += 1) {
        most = Math.max(most, read - written)
        yield `row ${read}\n`
      }
    }
    await judgeRows(
      endless(),
      judge,
      () => [],
      async (lines) => {
        written += lines.split('\n').length - 1
      },
    )
    expect(written).toBe(2_000)
    expect(most).toBeLessThan(500)
  })
})
