import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOSTS } from '../../../src/hosts/index.ts'
import { type AgentSetup, setUpAgent } from '../agent-setup.ts'
import { hookFileOf } from '../dialects/hook-file.ts'
import { CANNOT_ASK, type DialectProgram, END_IS_SEEN, type Lacking } from '../dialects/program.ts'
import { install, uninstall } from '../install.ts'
import { look } from '../play.ts'
import { writePolicy } from '../policy.ts'
import type { Run, Sandbox } from '../sandbox.ts'
import { differences, snapshot } from '../snapshot.ts'
import { EVERY_PROGRAM } from './programs.ts'
import {
  AFTERWARDS,
  checksFor,
  type Mishap,
  PARTS,
  type Part,
  POLICY,
  runFrom,
  scriptOf,
  stepsFor,
} from './session.ts'

/** What a session showed, and one start after everything was taken out. */
interface Showing {
  readonly session: Run
  readonly afterwards: Run
  /** Files that are not as they were before `init`. */
  readonly left: readonly string[]
}

/** The suite of one program in the short depth. */
export function playInShort(id: string): void {
  const program = EVERY_PROGRAM[id]
  if (program === undefined) throw new Error(`There is no program "${id}".`)
  describe(`${id}, in short`, async () => {
    const hookFile = await hookFileOf(id)
    let sandbox: Sandbox | undefined
    const steps = stepsFor(
      program,
      hookFile,
      mishapOf(() => sandbox),
    )
    const checks = checksFor(program, hookFile)
    let setup: AgentSetup | undefined
    let shown: Showing | undefined
    beforeAll(async () => {
      setup = await setUpAgent(program.agent)
      shown = await setup.run(scriptOf(steps), (opened) => {
        sandbox = opened
        return show(opened, program)
      })
    })
    afterAll(() => setup?.close())

    for (const part of Object.keys(PARTS) as Part[]) {
      const lacks = program.lacks?.[part as Lacking]
      it(lacks === undefined ? PARTS[part] : `${PARTS[part]}: ${lacks}`, () => {
        if (shown === undefined || sandbox === undefined) throw new Error('the session was not played')
        const { session, afterwards, left } = shown
        const run = part === 'uninstall' ? afterwards : runFrom(session, part, steps, program, sandbox.places)
        // Without a check it would only seem to be shown.
        expect(checks[part].length, `the table of ${id} says how "${part}" is shown`).toBeGreaterThan(0)
        expect(look(run, checks[part]).complaints).toEqual([])
        if (part === 'uninstall') expect(left, 'files that `uninstall` leaves changed').toEqual([])
      })
    }

    it('lacks in its table what it lacks in the one of Holdpoint', async () => {
      const { host } = (await HOSTS[id]?.()) ?? {}
      const { PreToolUse, Stop } = host?.events ?? {}
      expect(program.lacks?.ask === CANNOT_ASK).toBe(PreToolUse?.ask !== true)
      expect(program.lacks?.stop === END_IS_SEEN).toBe(Stop?.deny !== true)
    })
  })
}

async function show(sandbox: Sandbox, program: DialectProgram): Promise<Showing> {
  const { places, agent, homeBefore } = sandbox
  uninstall(sandbox)
  // Before the session, because some programs rewrite their own files in it.
  const left = differences(snapshot(places.home, agent.scratch), homeBefore)
  install(sandbox, agent)
  writePolicy(sandbox, POLICY)
  if (program.afterDaemon === true) sandbox.holdpoint(['daemon', 'start', '--home', places.holdpoint])
  const session = await sandbox.run({ delegates: true })
  uninstall(sandbox)
  const afterwards = await sandbox.run({ conversation: AFTERWARDS, anew: true })
  return { session, afterwards, left }
}

/**
 * The program that agents start is killed whenever it starts, and no daemon is there. Only a prompt may pass: Qwen Code
 * asks about the result of each call as about a prompt. A program may request a turn twice.
 */
function mishapOf(current: () => Sandbox | undefined): Mishap {
  const files = ({ places }: Sandbox) => {
    const program = join(places.holdpoint, 'bin', 'holdpoint-hook')
    return { program, kept: `${program}-kept` }
  }
  return {
    kill() {
      const sandbox = current()
      if (sandbox === undefined) return
      const { program, kept } = files(sandbox)
      if (existsSync(kept)) return
      sandbox.holdpoint(['daemon', 'stop', '--home', sandbox.places.holdpoint])
      renameSync(program, kept)
      const passing = `case " $* " in *" UserPromptSubmit "*) exec '${kept}' "$@" ;; esac`
      sandbox.write(program, `#!/bin/sh\n${passing}\nkill -9 $$\n`, 0o755)
    },
    repair() {
      const sandbox = current()
      if (sandbox === undefined) return
      const { program, kept } = files(sandbox)
      if (existsSync(kept)) renameSync(kept, program)
    },
  }
}
