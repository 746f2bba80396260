import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentSetup, setUpAgent } from './agent-setup.ts'
import { AGENTS } from './agents.ts'
import { type Check, notRan, ran, recorded, told } from './checks.ts'
import { play } from './play.ts'
import { ROOT } from './sandbox.ts'
import { trustProject } from './scenarios/frontmatter.ts'

/**
 * Two of the five design documents, with the files as their authors wrote them, on the real Claude Code. The other
 * three are chapters of the page: MUX, the collective and the scratchpad.
 */

let setup: AgentSetup | undefined
beforeAll(async () => {
  setup = await setUpAgent(AGENTS['claude-code'])
})
afterAll(() => setup?.close())
const opened = () => {
  if (setup === undefined) throw new Error('the setup is not open')
  return setup
}

const use = (tool: string, input: Readonly<Record<string, unknown>>) => ({ do: [{ tool, input }] })
const write = (file: string) => use('Write', { file_path: file, content: 'x' })

/** The files of a section of the migration page. */
function filesOf(title: string): Readonly<Record<string, string>> {
  const page = readFileSync(join(ROOT, 'docs', 'guide', 'migrate-hook-scripts.md'), 'utf8')
  const section = page.split(/^## /m).find((each) => each.startsWith(title)) ?? ''
  const files = [...section.matchAll(/^`([^`\n]+)`:\n\n```\w+\n([\s\S]*?\n)```$/gm)]
  return Object.fromEntries(files.map(([, path = '', text = '']) => [path, text]))
}

describe('MUX with `preToolUseHook` in the settings', () => {
  const files = filesOf('MUX with `preToolUseHook`')
  const skill = '---\nname: mux\ndescription: Orchestrates.\n---\nDelegate everything.\n'
  const script = {
    main: [
      write('before.txt'),
      { do: [{ skill: 'mux' }] },
      write('during.txt'),
      { do: [{ delegate: 'helper' }] },
      { say: 'Done.' },
    ],
    helper: [write('by-helper.txt')],
  }
  const checks: readonly Check[] = [
    ran('before.txt', 'without the skill nothing is held'),
    notRan('during.txt', 'with it the script speaks'),
    told('Write is forbidden for MUX orchestrator.', { step: 3 }),
    ran('by-helper.txt', 'its agents are exempt'),
  ]
  it.each([
    ['works with the imported script', files['.holdpoint/config.yaml'] ?? ''],
    ['works with the pack instead', files['after/config.yaml'] ?? ''],
  ])('%s', async (_name, config) => {
    const project = { ...files, '.holdpoint/config.yaml': config, '.claude/skills/mux/SKILL.md': skill }
    const { complaints } = await play(
      opened(),
      { policy: {}, project, arrange: trustProject, script },
      checks,
    )
    expect(complaints).toEqual([])
  })
})

describe("MassGen's hook framework", () => {
  const files = filesOf("MassGen's hook framework")
  const script = {
    main: [write('kept.txt'), write('secret.txt'), write('again.txt'), write('secret.txt'), { say: 'Done.' }],
  }
  it('runs hooks of its configuration, in Python and as a command, for each call', async () => {
    const checks: readonly Check[] = [
      ran('kept.txt', 'what no hook denies is written'),
      notRan('secret.txt', 'what the Python function denies is not'),
      told('No agent writes secret.txt.', { step: 2 }),
      ran('again.txt', ''),
      told('No agent writes secret.txt.', { step: 4 }),
      recorded({ event: 'PreToolUse', effect: 'deny', tool: 'Write', by: 'main' }),
      ran('audit.log', 'the command has seen it too'),
    ]
    const project = { ...files }
    const { complaints } = await play(
      opened(),
      { policy: {}, project, arrange: trustProject, script },
      checks,
    )
    expect(complaints).toEqual([])
  })
})
