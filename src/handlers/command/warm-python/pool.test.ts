import { describe, expect, it } from 'vitest'
import { bench, folder, python, reasonOf } from './pool.fixture.ts'

/** What misbehaves, dies or changes is in pool.long.test.ts. */
describe.skipIf(process.platform === 'win32')('K-39: a warm Python worker', () => {
  it('runs each call in a separate process, with the same answer as a cold start', async () => {
    const { call, warm } = bench()
    const body =
      "import os\nreturn {'decision': 'deny', 'reason': '|'.join([event.tool_name, os.getcwd(), os.environ['MASSGEN_TOOL_NAME'], os.environ['PWD'], os.environ.get('OTHER', 'none'), os.environ.get('SECRET', 'none'), str(os.getpgid(0) == os.getpid())])}"
    const name = python(body)
    const env = { OTHER: 'hidden', SECRET: 'named' }
    const cold = await call(name, { env })
    expect(reasonOf(cold)).toBe(`Bash|${folder}|Bash|${folder}|none|named|True`)
    expect(await warm(name, { env })).toEqual(cold)
    const own = python("import os\nreturn {'decision': 'deny', 'reason': str(os.getpid())}")
    expect(reasonOf(await call(own, { env }))).not.toBe(reasonOf(await call(own, { env })))
  })
})
