import { describe, expect, it } from 'vitest'
import { TRANSCRIPTS } from '../../../src/hosts/transcripts.ts'
import { setUpAgent } from '../agent-setup.ts'
import { install, uninstall } from '../install.ts'
import { writePolicy } from '../policy.ts'
import { callsIn, SCRIPT, transcriptsIn, writeFixture } from '../recorded-transcripts.ts'
import { PROGRAMS } from './programs/index.ts'

/**
 * The real programs write transcripts, and Holdpoint reads them, as in `../transcripts.test.ts`. `HOLDPOINT_HOSTS=grok`
 * runs only this one, and HOLDPOINT_WRITE_DOCS=1 renews its fixture.
 */
const chosen = (process.env.HOLDPOINT_HOSTS?.split(',') ?? Object.keys(PROGRAMS)).filter((id) =>
  Object.hasOwn(TRANSCRIPTS, id),
)

/** A sub-agent of Grok Build has a separate file, which does not say that it is a sub-agent. */
const helperOf = (id: string) => (id === 'grok' ? 'main' : 'sub-agent')

describe.each(chosen)('%s', (id) => {
  it('leaves every call in its transcripts, and audit finds the window without hooks', async () => {
    const program = PROGRAMS[id]
    const reader = (await TRANSCRIPTS[id]?.())?.transcript
    if (program === undefined || reader === undefined) throw new Error(`There is no program "${id}".`)
    const setup = await setUpAgent(program.agent)
    try {
      await setup.run(SCRIPT, async (sandbox) => {
        writePolicy(sandbox, {})
        const audit = () => {
          const { stdout, exitCode } = sandbox.holdpoint([
            ...['audit', '--json', '--host', id],
            ...['--home', sandbox.places.holdpoint],
          ])
          return { report: JSON.parse(stdout), exitCode }
        }
        await sandbox.run({ skipPermissions: true })
        const files = transcriptsIn(sandbox, reader)
        const commands = callsIn(files, reader).map(({ agentId, payload }) => {
          const { command } = payload.tool_input as { command?: string }
          return `${agentId === undefined ? 'main' : 'sub-agent'}: ${command ?? 'another tool'}`
        })
        expect(commands.sort()).toEqual(
          [
            'main: another tool',
            'main: another tool',
            'main: cat one.txt',
            'main: echo one > one.txt',
            'main: git push --force origin main',
            'main: ls missing-folder',
            `${helperOf(id)}: echo two > two.txt`,
            `${helperOf(id)}: rm -rf ~/important`,
          ].sort(),
        )
        if (process.env.HOLDPOINT_WRITE_DOCS === '1') writeFixture(reader, files)
        const guarded = audit()
        expect(guarded.report).toMatchObject({ percent: 100, ok: true, ran: 6, ranAlthoughDenied: 0 })
        expect(guarded.exitCode).toBe(0)
        uninstall(sandbox)
        await sandbox.run({ skipPermissions: true })
        install(sandbox, program.agent)
        const open = audit()
        expect(open.report.gaps['no hooks in this session']).toBeGreaterThanOrEqual(6)
        expect(open.report.decided).toBe(6)
        expect(open.exitCode).toBe(1)
      })
    } finally {
      await setup.close()
    }
  })
})
