import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../sandbox.ts'

/** Values that Holdpoint passes to the SDK, checked by the compiler against the SDK's own types. */
const GOOD = `
import type { HookEvent, Options } from '@anthropic-ai/claude-agent-sdk'
import { type Ask, holdpointHooks, holdpointOptions, type SdkEvent } from '${ROOT}/src/adapters/claude-agent/index.ts'
import type { Runtime } from '${ROOT}/src/library/runtime.ts'

declare const runtime: Runtime
declare const ask: Ask
export const hooks: Options = { hooks: holdpointHooks(runtime) }
export const both: Options = { ...holdpointOptions(runtime, { ask }), model: 'any' }
export const known: readonly SdkEvent[] = [] as HookEvent[]
export const offered: readonly HookEvent[] = [] as SdkEvent[]
`

const BAD = `
import type { Options } from '@anthropic-ai/claude-agent-sdk'
export const hooks: Options = { hooks: { PreToolUse: [{ hooks: [async () => ({ decision: 'perhaps' })] }] } }
`

function complaints(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-types-'))
  const sdk = join(ROOT, 'test/hosts/node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts')
  writeFileSync(join(folder, 'check.mts'), source)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        rewriteRelativeImportExtensions: false,
        paths: {
          '@anthropic-ai/claude-agent-sdk': [sdk],
          holdpoint: [join(ROOT, 'src/index.ts')],
          'holdpoint/sdk/*': [join(ROOT, 'src/adapters/*/index.ts')],
        },
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      include: ['check.mts'],
    }),
  )
  try {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    return spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' }).stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('the types of the Claude Agent SDK', () => {
  it('accept the hooks of Holdpoint, and have the same events', () => {
    expect(complaints(GOOD)).toBe('')
  })

  it('accept the programs of the guide', () => {
    const guide = readFileSync(join(ROOT, 'docs/guide/sdk.md'), 'utf8')
    const programs = [...guide.matchAll(/```ts\n(.*?)\n```/gs)].map(([, program = '']) => program)
    const ours = programs.filter((program) => program.includes('@anthropic-ai/claude-agent-sdk'))
    expect(ours.map(complaints)).toEqual(['', ''])
  })

  it('reject anything else', () => {
    expect(complaints(BAD)).toContain('perhaps')
  })
})
