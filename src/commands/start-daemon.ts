import { describeProblem } from '../core/errors.ts'
import { ensureDaemon } from '../daemon/launch.ts'
import type { Home } from '../system/home.ts'
import type { Caller } from './caller.ts'
import { say } from './screen.ts'

/** Started now so that the first call is fast, and a fleet's policy is renewed. If it does not start, hooks still work. */
export async function startDaemon(caller: Caller, home: Home): Promise<void> {
  const started = await ensureDaemon(home, START_MAX_MS)
  if (!started.ok) say(caller, `${describeProblem(started.problem)}`)
}

const START_MAX_MS = 10_000
