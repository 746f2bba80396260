import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** The messages of the strict compiler for files of a program that has the built package installed; empty if none. */
export function compile(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-typed-'))
  try {
    const modules = join(folder, 'node_modules')
    const sdk = join(modules, '@anthropic-ai', 'claude-agent-sdk')
    mkdirSync(join(modules, '@types'), { recursive: true })
    mkdirSync(sdk, { recursive: true })
    symlinkSync(ROOT, join(modules, 'holdpoint'))
    mkdirSync(join(modules, '@openai'))
    for (const name of ['ai', 'zod', '@types/node', '@openai/agents'])
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
    const manifest = { name: '@anthropic-ai/claude-agent-sdk', types: 'index.d.ts' }
    writeFileSync(join(sdk, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(sdk, 'index.d.ts'), AGENT_SDK)
    writeFileSync(join(folder, 'model.d.mts'), MODEL)
    writeFileSync(join(folder, 'openai-model.d.mts'), OPENAI_MODEL)
    const settings = { compilerOptions: OPTIONS, include: ['*.mts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
    const { stdout, status } = spawnSync(tsc, ['-p', folder], { cwd: folder, encoding: 'utf8' })
    return status === 0 ? '' : stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const OPTIONS = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
}

/** Only the Claude Agent SDK is not installed with the development packages. */
const AGENT_SDK = `export declare function query(params: {
  prompt: string
  options?: { hooks?: object; allowedTools?: string[] }
}): AsyncIterable<{ type: 'result'; subtype: string } | { type: 'assistant' }>
`
const MODEL = `import type { LanguageModel } from 'ai'
export declare const model: LanguageModel
export declare function told(): readonly string[]
`
const OPENAI_MODEL = `import type { Model } from '@openai/agents'
export declare const model: Model
export declare function told(): readonly string[]
`
