import * as zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { TRANSCRIPTS } from '../../../src/hosts/transcripts.ts'
import { setUpAgent } from '../agent-setup.ts'
import { install, uninstall } from '../install.ts'
import { writePolicy } from '../policy.ts'
import { callsIn, SCRIPT, SCRIPT_ALONE, transcriptsIn, writeFixture } from '../recorded-transcripts.ts'
import { PROGRAMS } from './programs/index.ts'

/** A sub-agent of Grok Build has a separate file, which does not say that it is a sub-agent. */
const helperOf = (id: string) => (id === 'grok' ? 'main' : 'sub-agent')

/** The calls of a sub-agent, and the one that starts it. OpenClaw calls the tool for that with another tool. */
const delegated = (id: string) => [
  ...(id === 'openclaw' ? ['main: another tool'] : []),
  'main: another tool',
  `${helperOf(id)}: echo two > two.txt`,
  `${helperOf(id)}: rm -rf ~/important`,
]

/** OpenClaw compresses long results, such as that of the tool which calls another one. An old Node cannot read them. */
const packedOutcomes = (id: string) => (id === 'openclaw' && !('zstdDecompressSync' in zlib) ? 1 : 0)

/** Droid itself ends a sub-agent that deletes outside the project, and then the call that started it has failed. */
const cutShort = (id: string) => (id === 'droid' ? 1 : 0)

/** The real program writes transcripts, and Holdpoint reads them. HOLDPOINT_WRITE_DOCS=1 renews the fixture. */
export function readTranscripts(id: string): void {
  if (!Object.hasOwn(TRANSCRIPTS, id)) return
  it(`${id} leaves every call in its transcripts, and audit finds the window without hooks`, async () => {
    const program = PROGRAMS[id]
    const reader = (await TRANSCRIPTS[id]?.())?.transcript
    if (program === undefined || reader === undefined) throw new Error(`There is no program "${id}".`)
    const setup = await setUpAgent(program.agent)
    const isAlone = 'notProved' in (program.expected.subagent ?? {})
    const run = { skipPermissions: true, delegates: true }
    try {
      await setup.run(isAlone ? SCRIPT_ALONE : SCRIPT, async (sandbox) => {
        writePolicy(sandbox, {})
        const audit = () => {
          const { stdout, exitCode } = sandbox.holdpoint([
            ...['audit', '--json', '--host', id],
            ...['--home', sandbox.places.holdpoint],
          ])
          return { report: JSON.parse(stdout), exitCode }
        }
        await sandbox.run(run)
        const files = transcriptsIn(sandbox, reader)
        const commands = callsIn(files, reader).map(({ agentId, payload }) => {
          const { command, commands } = payload.tool_input as { command?: string; commands?: string[] }
          const who = agentId === undefined ? 'main' : 'sub-agent'
          return `${who}: ${command ?? commands?.[0] ?? 'another tool'}`
        })
        expect(commands.sort()).toEqual(
          [
            'main: another tool',
            'main: cat one.txt',
            'main: echo one > one.txt',
            'main: git push --force origin main',
            'main: ls missing-folder',
            ...(isAlone ? [] : delegated(id)),
          ].sort(),
        )
        if (process.env.HOLDPOINT_WRITE_DOCS === '1') writeFixture(reader, files)
        const guarded = audit()
        const ranCalls = commands.length - (isAlone ? 1 : 2) - packedOutcomes(id)
        expect(guarded.report).toMatchObject({ percent: 100, ok: true, ran: ranCalls, ranAlthoughDenied: 0 })
        expect(guarded.exitCode).toBe(0)
        uninstall(sandbox)
        await sandbox.run({ ...run, anew: true })
        install(sandbox, program.agent)
        const open = audit()
        expect(open.report.gaps['no hooks in this session']).toBeGreaterThanOrEqual(ranCalls - cutShort(id))
        expect(open.report.decided).toBe(ranCalls)
        expect(open.exitCode).toBe(1)
      })
    } finally {
      await setup.close()
    }
  })
}
