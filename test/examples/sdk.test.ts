import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { playInTurn, shownOn } from './play.ts'

/** The programs of the guide for agent SDKs, and the example for the AI SDK, with the built package, run by Node. */
const root = join(import.meta.dirname, '..', '..')
/** The pages show TypeScript, which this version of Node may not read. */
const withoutTypes = (program: string) => transformSync(program, { loader: 'ts', target: 'es2023' }).code

describe('the guide for agent SDKs', () => {
  const guide = readFileSync(join(root, 'docs/guide/sdk.md'), 'utf8')
  const programs = [...guide.matchAll(/```ts\n((?:(?!```).)*)```\n\n```text\n(.*?)```/gs)]
  const fileOf = (index: number) => join(folder, `${index}`, 'program.mjs')
  let folder = ''
  let said: Readonly<Record<string, string>>

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-ai-sdk-'))
    const installed = join(root, 'node_modules')
    mkdirSync(join(folder, 'node_modules', '@openai'), { recursive: true })
    symlinkSync(root, join(folder, 'node_modules', 'holdpoint'))
    for (const name of ['ai', 'zod', '@openai/agents'])
      symlinkSync(join(installed, name), join(folder, 'node_modules', name))
    // Each has a model of its own, which remembers what it was sent.
    for (const [index, [, program = '']] of programs.entries()) {
      mkdirSync(dirname(fileOf(index)))
      writeFileSync(join(folder, `${index}`, 'model.mjs'), MODEL)
      writeFileSync(join(folder, `${index}`, 'openai-model.mjs'), OPENAI_MODEL)
      writeFileSync(join(folder, `${index}`, 'scripted-model.mjs'), readFileSync(join(root, SCRIPTED)))
      writeFileSync(fileOf(index), withoutTypes(program))
    }
    said = playInTurn(
      programs.map((_, index) => fileOf(index)),
      folder,
    )
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(programs.map(([, , printed = ''], index) => [index + 1, printed] as const))(
    'shows what program %i prints',
    (number, printed) => {
      expect(said[fileOf(number - 1)]).toBe(printed)
    },
  )

  it('has programs to run', () => {
    expect(programs.length).toBe(4)
  })
})

const EXAMPLE = 'examples/ai-sdk-agent'
const SCRIPTED = `${EXAMPLE}/scripted-model.mjs`

/** The model that the guide's programs import: it writes to everybody, and to Alice if that fails. */
const MODEL = `
import { scriptedModel } from './scripted-model.mjs'
const send = (to) => ({ calls: [{ tool: 'send', input: { to } }] })
export const { model, seen } = scriptedModel([send('everybody'), send('alice'), {}])
export const told = () => seen().map((line) => line.replace(/^send: "(.*)"$/, 'tool: $1'))
`

/** The same for the programs of the OpenAI Agents SDK. */
const OPENAI_MODEL = `
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing'
const send = (to) => [functionCall('send', { to }, { callId: to })]
export const model = new ScriptedModel([send('everybody'), send('alice'), [assistantMessage('Done.')]])
export const told = () => model.calls.at(-1).request.input.flatMap(({ role, content, output }) =>
  role === 'user' ? ['user: ' + content] : output ? ['tool: ' + output.text] : [])
`

it('the example agent of the AI SDK obeys its hooks', () => {
  expect(readdirSync(join(root, EXAMPLE)).sort()).toEqual(['README.md', 'main.mjs', 'scripted-model.mjs'])
  // stories.test.ts plays it: it prints this.
  expect(shownOn('ai-sdk-agent')?.trim().split('\n')).toEqual([
    'person: May I write notes.txt? yes',
    'user: Put bread on the list.',
    String.raw`Read: "token: [masked]\nbuy milk"`,
    expect.stringMatching(/^Bash: "Force push: /),
    'Bash: "ran ls"',
    'Write: "wrote notes.txt"',
    'user: The person will read this file.',
    'agent: The list has milk and bread.',
  ])
})
