import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isLinux, onLinux } from '../../../library/testing/linux-only.ts'
import { isRunning } from '../../../library/testing/processes.ts'
import { bench, folder, pools, python, reasonOf, until, WHO, write } from './pool.fixture.ts'

describe.skipIf(process.platform === 'win32')('a warm Python worker', () => {
  it('is not shared with a caller that has other variables', async () => {
    const { warm } = bench()
    const name = python("import os\nreturn {'decision': 'deny', 'reason': os.environ.get('SECRET')}")
    expect(await warm(name, { env: { SECRET: 'first' } })).toMatchObject({ reason: 'first' })
    expect(await warm(name, { env: { SECRET: 'second' } })).toMatchObject({ reason: 'second' })
  })

  const shared = bench()
  const cold = bench({ startMs: 60_000 })
  const kept = pools.splice(0)
  afterAll(() => {
    for (const pool of kept) pool.dispose()
  })

  it.each<[string, string, object]>([
    [
      'prints',
      "print('hello')\nreturn {'decision': 'deny', 'reason': 'no'}",
      { effect: 'deny', reason: 'no' },
    ],
    ['prints without end', "import os\nwhile True: os.write(2, b'x' * 65536)", { failure: 'timeout' }],
    ['exits', 'import sys\nsys.exit(0)', { failure: 'crash' }],
    ['ends its process', 'import os\nos._exit(3)', { failure: 'crash' }],
    [
      'kills itself',
      'import os\nos.kill(os.getpid(), 9)',
      { failure: 'crash', message: 'was ended by SIGKILL' },
    ],
    ['kills its group', 'import os\nos.killpg(0, 9)', { failure: 'crash' }],
    ['raises', '1 / 0', { failure: 'crash' }],
    ['is not there', '', { failure: 'import' }],
    ['answers something unknown', "return {'decision': 'maybe'}", { failure: 'invalidOutput' }],
    ['hangs', 'import time\ntime.sleep(300)', { failure: 'timeout' }],
    [
      'forks, and both answer',
      "import os\nif os.fork(): os.wait()\nreturn {'decision': 'deny', 'reason': 'no'}",
      { failure: 'invalidOutput' },
    ],
    [
      'leaves a child that keeps the pipes open',
      "import subprocess\nsubprocess.Popen(['sleep', '5'])\nreturn {'decision': 'deny', 'reason': 'no'}",
      { effect: 'deny' },
    ],
    [
      'answers from a thread that is still running',
      "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.05), print('late'))).start()\nreturn {'decision': 'ask', 'reason': 'sure?'}",
      { effect: 'ask' },
    ],
    ['is async', 'async def wait(): return False\nreturn wait()', { effect: 'deny' }],
  ])('gives the same result as a cold start for a hook that %s', async (_name, body, expected) => {
    const name = body === '' ? 'no_such_module.hook' : python(body)
    const stops = /True|300/.test(body) ? { stopsAfterMs: 700 } : {}
    const own = python("return {'decision': 'deny', 'reason': 'still here'}")
    expect(await shared.warm(name, stops)).toMatchObject(expected)
    expect(await shared.call(own)).toMatchObject({ reason: 'still here' })
    expect(await cold.call(name, stops)).toMatchObject(expected)
  })

  it('kills everything that a hook started, at its deadline', async () => {
    const { warm } = bench()
    const pid = join(folder, 'child.pid')
    const body = `import subprocess, time\nchild = subprocess.Popen(['sleep', '300'])\nopen(${JSON.stringify(pid)}, 'w').write(str(child.pid))\ntime.sleep(300)`
    expect(await warm(python(body), { stopsAfterMs: 1_500 })).toMatchObject({ failure: 'timeout' })
    await until(() => !isRunning(Number(readFileSync(pid, 'utf8'))))
  })

  it('reads an edited hook again, and forgets what a hook changed', async () => {
    const { call, warm } = bench()
    const says = (what: string) =>
      `STATE = []\ndef hook(event):\n    STATE.append(1)\n    return {'decision': 'deny', 'reason': '${what} ' + str(len(STATE))}\n`
    write('edited.py', says('before'))
    expect(await warm('edited.hook')).toMatchObject({ reason: 'before 1' })
    expect(await call('edited.hook')).toMatchObject({ reason: 'before 1' })
    write('edited.py', says('behind'))
    expect(await call('edited.hook')).toMatchObject({ reason: 'behind 1' })
  })

  it('starts each hook in the folder of the configuration, whatever the previous hook did', async () => {
    const { call, warm } = bench()
    const moves = python(
      "import os, sys\nos.chdir('/')\nos.environ['HOME'] = '/nowhere'\nsys.path.clear()\nos.umask(0)\nreturn {'decision': 'deny', 'reason': 'moved'}",
    )
    expect(await warm(moves)).toMatchObject({ reason: 'moved' })
    const where = python(
      "import os\nreturn {'decision': 'deny', 'reason': os.getcwd() + os.environ.get('HOME', '')}",
    )
    expect(await call(where)).toMatchObject({ reason: folder })
  })

  it('sees nothing of another call that runs at the same time', async () => {
    const { call, warm } = bench()
    const slow = python("import time\ntime.sleep(0.3)\nreturn {'decision': 'deny', 'reason': 'slow'}")
    const files = python(
      "import os\nreturn {'decision': 'deny', 'reason': str(len([each for each in os.listdir('/dev/fd') if os.path.exists('/dev/fd/' + each)]))}",
    )
    const alone = reasonOf(await warm(files))
    const [first, second, third] = await Promise.all([call(slow), call(files), call(slow)])
    expect([first, third]).toMatchObject([{ reason: 'slow' }, { reason: 'slow' }])
    expect(second).toMatchObject({ reason: alone })
  })

  it('starts a hook cold if its folder has a module with the name of a loaded one', async () => {
    const other = join(folder, 'shadow')
    mkdirSync(other)
    writeFileSync(join(other, 'logging.py'), "says = 'of the project'\n")
    writeFileSync(
      join(other, 'guard.py'),
      "import logging\ndef hook(event): return {'decision': 'deny', 'reason': logging.says}\n",
    )
    const { call } = bench({}, other)
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await call('guard.hook')).toMatchObject({ reason: 'of the project' })
    }
  })

  it('falls back to a cold start when the worker is stopped or killed', async () => {
    const { call, warm } = bench()
    const name = python("return {'decision': 'deny', 'reason': 'still no'}")
    const worker = Number(reasonOf(await warm(WHO)))
    process.kill(worker, 'SIGSTOP')
    expect(await call(name)).toMatchObject({ reason: 'still no' })
    await until(() => !isRunning(worker))
    const next = Number(reasonOf(await warm(WHO)))
    process.kill(next, 'SIGKILL')
    expect(await call(name)).toMatchObject({ reason: 'still no' })
  })

  it.runIf(isLinux)(
    onLinux('starts no call in a prepared process that has died', 'it names the children of a process'),
    async () => {
      const { call, warm } = bench()
      const worker = reasonOf(await warm(WHO))
      const children = () => readFileSync(`/proc/${worker}/task/${worker}/children`, 'latin1').trim()
      for (let turn = 0; turn < 5; turn += 1) {
        await until(() => /^\d+$/.test(children()))
        process.kill(Number(children()), 'SIGKILL')
        expect([worker, String(process.pid)]).toContain(reasonOf(await call(WHO)))
      }
    },
  )

  it('runs a hook again, cold, if its worker died, so that no denial is lost', async () => {
    const { warm } = bench()
    const runs = join(folder, 'runs')
    const body = `import os, time\nopen(${JSON.stringify(runs)}, 'a').write('x')\nif os.getppid() != ${process.pid}:\n    os.kill(os.getppid(), 9)\n    time.sleep(300)\nreturn {'decision': 'deny', 'reason': 'no'}`
    expect(await warm(python(body))).toMatchObject({ reason: 'no' })
    expect(readFileSync(runs, 'utf8')).toBe('xx')
  })

  it('is not used if Python cannot be started, or prints invalid output at its start', async () => {
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    const real = execFileSync('sh', ['-c', 'command -v python3'], { encoding: 'utf8' }).trim()
    const marks = join(folder, 'started')
    writeFileSync(
      join(programs, 'python3'),
      `#!/bin/sh\ncase "$2" in *serve*) echo x >> '${marks}'; printf 'garbage garbage' >&3; exec sleep 300;; esac\nexec '${real}' "$@"\n`,
      { mode: 0o755 },
    )
    const { call } = bench()
    const env = { PATH: `${programs}:${process.env.PATH}` }
    const name = python("return {'decision': 'deny', 'reason': 'no'}")
    const starts = () => (existsSync(marks) ? readFileSync(marks, 'utf8').length / 2 : 0)
    for (let turn = 0; turn < 6; turn += 1) {
      const before = starts()
      expect(await call(name, { env })).toMatchObject({ reason: 'no' })
      if (before < 3) await until(() => starts() > before)
    }
    expect(starts()).toBe(3)
  })

  it('ends when it is idle, after its maximum age, and with the program', async () => {
    const idle = bench({ idleMs: 200 })
    const first = Number(reasonOf(await idle.warm(WHO)))
    await until(() => !isRunning(first))
    const short = bench({ lifeMs: 1_500 })
    const second = Number(reasonOf(await short.warm(WHO)))
    await until(() => !isRunning(second))
    const third = Number(reasonOf(await bench().warm(WHO)))
    for (const pool of pools) pool.dispose()
    await until(() => !isRunning(third))
  })
})
