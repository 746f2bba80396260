import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRANSCRIPTS } from '../../src/hosts/transcripts.ts'
import { readHoles } from '../../src/storage/journal/holes.ts'
import { eventually, readText } from '../processes.ts'
import { type AgentSetup, setUpAgent } from './agent-setup.ts'
import { AGENTS, type HostId } from './agents.ts'
import { isInFull } from './depth.ts'
import { writePolicy } from './policy.ts'
import { callsIn, SCRIPT, transcriptsIn, writeFixture } from './recorded-transcripts.ts'

const chosen = (Object.keys(AGENTS) as HostId[]).filter(isInFull)

/**
 * The real programs write transcripts, and Holdpoint reads them. HOLDPOINT_WRITE_DOCS=1 renews the fixtures of the
 * readers: the recorded files without the folders of this machine and without long prompts.
 */
describe.each(chosen)('%s', (host) => {
  let setup: AgentSetup | undefined
  beforeAll(async () => {
    setup = await setUpAgent(AGENTS[host])
  })
  afterAll(() => setup?.close())

  it('leaves every call in its transcripts, with the agent that made it', async () => {
    const member = await TRANSCRIPTS[host]?.()
    const reader = member?.transcript
    if (reader === undefined || setup === undefined) throw new Error('nothing to read with')
    const files = await setup.run(SCRIPT, async (sandbox) => {
      writePolicy(sandbox, {})
      await sandbox.run({ skipPermissions: true })
      return transcriptsIn(sandbox, reader)
    })
    const commands = callsIn(files, reader).map(({ agentId, payload }) => {
      const { command } = payload.tool_input as { command?: string }
      return `${agentId === undefined ? 'main' : 'sub-agent'}: ${command ?? String(payload.tool_name)}`
    })
    expect(commands.filter((each) => !each.includes('wait_agent'))).toEqual([
      'main: echo one > one.txt',
      'main: ls missing-folder',
      'main: git push --force origin main',
      expect.stringMatching(/^main: (?:Write|\*\*\* Begin Patch)/),
      expect.stringMatching(/^main: (?:Agent|spawn_agent)/),
      'sub-agent: echo two > two.txt',
      'sub-agent: rm -rf ~/important',
      'main: cat one.txt',
    ])
    if (process.env.HOLDPOINT_WRITE_DOCS === '1') writeFixture(reader, files)
  })
})

describe.each(chosen)('%s: audit', (host) => {
  it('finds that every call was decided, and then the window without hooks', async () => {
    const setup = await setUpAgent(AGENTS[host])
    try {
      await setup.run(SCRIPT, async (sandbox) => {
        writePolicy(sandbox, {})
        const audit = () =>
          sandbox.holdpoint(['audit', '--json', '--host', host, '--home', sandbox.places.holdpoint])
        await sandbox.run({ skipPermissions: true })
        const guarded = audit()
        expect(JSON.parse(guarded.stdout)).toMatchObject({ percent: 100, ok: true, ranAlthoughDenied: 0 })
        expect(guarded.exitCode).toBe(0)
        for (const [path, text] of Object.entries(sandbox.agent.withoutHooks(sandbox.places)))
          sandbox.write(path, text)
        await sandbox.run({ skipPermissions: true })
        const open = audit()
        const report = JSON.parse(open.stdout)
        expect(report.gaps['no hooks in this session']).toBeGreaterThanOrEqual(8)
        expect(open.exitCode).toBe(1)
      })
    } finally {
      await setup.close()
    }
  })
})

describe.each(chosen.filter((host) => host === 'claude-code'))('%s: the end of a session', () => {
  it('notices calls that no hook was asked about, and the next session tells the user', async () => {
    const acts = ['one', 'two', 'three', 'four'].map((name) => `echo ${name} > ${name}.txt`)
    const main = acts.flatMap((shell) => [{ do: [{ shell }] }, { say: 'Done.' }])
    const setup = await setUpAgent(AGENTS['claude-code'])
    try {
      await setup.run({ main }, async (sandbox) => {
        const { agent, places } = sandbox
        writePolicy(sandbox, {})
        await sandbox.run({ skipPermissions: true })
        const without = Object.entries(agent.withoutHooks(places))
        const installed = without.map(([path]) => [path, readText(path)] as const)
        for (const [path, text] of without) sandbox.write(path, text)
        await sandbox.run({ skipPermissions: true, resume: true })
        for (const [path, text] of installed) sandbox.write(path, text)
        await sandbox.run({ skipPermissions: true, resume: true })
        await eventually(() => readHoles(join(places.holdpoint, 'journal')).length > 0, 'the hole is noted')
        const { stdout } = await sandbox.run({ skipPermissions: true, resume: true })
        expect(stdout).toContain('Holdpoint was not asked about 1 of 3 calls')
      })
    } finally {
      await setup.close()
    }
  })
})
