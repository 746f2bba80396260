import { expect, test } from 'vitest'
import { checkLayers } from './layers.ts'
import { readTree } from './tree.ts'

test('the code keeps the dependency rule', () => {
  const files = readTree(['src', 'bin'], (path) => path.endsWith('.ts'))
  expect(files.size).toBeGreaterThan(15)
  expect(checkLayers(files)).toEqual([])
})

/** A small tree that keeps every rule, and comes close to breaking most of them. */
const GOOD: Readonly<Record<string, string>> = {
  'bin/holdpoint.ts': `import { run } from '../src/commands/run.ts'\nprocess.exitCode = run(process.argv)`,
  'src/json.ts': `export type Json = unknown // process.env, Date.now()`,
  'src/event.ts': `import type { Json } from './json.ts'\nexport const at = new Date('2026-01-15')`,
  'src/plan.ts': `import { at } from './event.ts'\nimport type { Clock } from './world/clock.ts'`,
  'src/judge.ts': `import type { Handler } from './handlers/handler.ts'\nsetTimeout(() => {}, 1)`,
  'src/responder.ts': `import { hosts } from './hosts/index.ts'\nimport { evaluate } from './evaluate.ts'`,
  'src/compile.ts': `import { sources } from './sources/index.ts'\nimport { readFile } from 'node:fs'`,
  'src/commands/run.ts': `import { packs } from '../packs/index.ts'\nprocess.stdout.write(process.env.HOME)`,
  'src/world/clock.ts': `export const clock = () => [Date.now(), process.platform, process.env.HOME]`,
  'src/shell/words.ts': `export const words = (text: string) => text.match(/process.exit/)`,
  'src/hosts/host.ts': `import type { Json } from '../json.ts'\nexport const MAX = 1`,
  'src/hosts/index.ts': `export const hosts = { codex: () => import('./codex/host.ts') }`,
  'src/hosts/codex/host.ts': `import { decode } from './decode.ts'`,
  'src/hosts/codex/decode.ts': `import { MAX } from '../host.ts'\nexport const decode = () => MAX`,
  'src/hosts/codex/decode.test.ts': `import { pack } from '../../packs/safety/pack.ts'\nDate.now()`,
  'src/hosts/codex/install.ts': `import { readFile } from 'node:fs'`,
  'src/packs/guard.ts': `export interface Guard { check(): string }`,
  'src/packs/index.ts': `export const packs = { safety: () => import('./safety/pack.ts') }`,
  'src/packs/safety/pack.ts': `import { reset } from './git/reset.ts'`,
  'src/packs/safety/git/reset.ts': `import { words } from '../../../shell/words.ts'`,
  'src/handlers/handler.ts': `import type { Guard } from '../packs/guard.ts'`,
  'src/handlers/command/run.ts': `import { spawn } from 'node:child_process'\nprocess.kill(-1)`,
  'src/sources/index.ts': `export const sources = { yaml: () => import('./yaml/source.ts') }`,
  'src/sources/yaml/source.ts': `import { parse } from 'yaml'`,
  'src/testing/events.ts': `import { pack } from '../packs/safety/pack.ts'\nnew Date()`,
}

test('a tree that keeps the rule has no complaint', () => {
  expect(checkLayers(new Map(Object.entries(GOOD)))).toEqual([])
})

/** One broken rule a line: the file put into the good tree | its text | the one complaint. `;` ends a line of text. */
const BAD = `
src/hook.ts | ;import type { Plan } from './plan.ts' | :2 [vocabulary] imports ./plan.ts
src/errors.ts | import { z } from 'zod' | :1 [vocabulary] imports zod
src/shell/x.ts | import { join } from 'node:path' | :1 [pure] imports node:path
src/packs/safety/x.ts | import { join } from 'path' | :1 [pure] imports path
src/redact.ts | import type { URL } from 'node:url' | :1 [pure] imports node:url
src/sources/yaml/x.ts | import 'node:fs' | :1 [pure] imports node:fs
src/match.ts | await import(name) | :1 [pure] imports a computed name
src/combine.ts | f(process.pid) | :1 [pure] uses process.
src/hosts/codex/encode.ts | f();Date.now() | :2 [pure] uses Date.now
src/config.ts | new Date() | :1 [pure] uses Date()
src/config.ts | f(new Date) | :1 [pure] uses new Date
src/pattern.ts | Math.random() | :1 [pure] uses Math.random
src/evaluate.ts | performance.now() | :1 [pure] uses performance.now
src/plan.ts | setTimeout(f, 1) | :1 [pure] uses setTimeout(
src/packs/safety/y.ts | crypto.randomUUID() | :1 [pure] uses crypto.randomUUID
src/packs/secrets/pack.ts | import { reset } from '../safety/git/reset.ts' | :1 [member] imports ../safety/git/reset.ts
src/handlers/guard/run.ts | import type { P } from '../../packs/safety/pack.ts' | :1 [member] imports ../../packs
src/hosts/payload.ts | export { decode } from './codex/decode.ts' | :1 [member] imports ./codex/decode.ts
src/responder.ts | import('./hosts/codex/host.ts') | :1 [member] imports ./hosts/codex/host.ts
src/stores/index.ts | import('../hosts/codex/host.ts') | :1 [member] imports ../hosts/codex/host.ts
src/fit.ts | import { hosts } from './hosts/index.ts' | :1 [table] imports ./hosts/index.ts
src/hosts/codex/host.ts | import type { Guard } from '../../packs/guard.ts' | :1 [hosts-packs] imports ../../packs
src/responder.ts | f(process.argv) | :1 [process] uses process.argv
src/state/log.ts | process.stdin.on() | :1 [process] uses process.stdin
src/world/x.ts | f();process;  .stdout.write() | :2 [process] uses process
src/daemon/x.ts | process.exit() | :1 [process] uses process.exit
src/responder.ts | process.exitCode = 0 | :1 [process] uses process.exitCode
src/handlers/command/x.ts | f(process.env) | :1 [process] uses process.env
src/handlers/command/x.ts | f(process?.platform) | :1 [process] uses process?.platform
src/responder.ts | const { argv } = process | :1 [process] uses = process
src/responder.ts | f(process['argv']) | :1 [process] uses process[
src/responder.ts | import { argv } from 'node:process' | :1 [process] imports node:process
bin/x.ts | process.chdir('/') | :1 [process] uses process.chdir
src/commands/x.ts | import '../hosts/host.contract.ts' | :1 [tests] imports ../hosts/host.contract.ts
`
const CASES = BAD.trim()
  .split('\n')
  .map((row) => row.split(' | '))

test.each(CASES)('finds in %s: %s', (file = '', text = '', says = '') => {
  const files = new Map(Object.entries({ ...GOOD, [file]: text.replaceAll(';', '\n') }))
  expect(checkLayers(files)).toEqual([expect.stringContaining(file + says)])
})

test('finds a clock behind a neighbour', () => {
  const files = { ...GOOD, 'src/plan.ts': `import { clock } from './world/clock.ts'` }
  expect(checkLayers(new Map(Object.entries(files)))).toEqual([
    expect.stringMatching(
      /^src\/world\/clock\.ts:1 \[pure\] uses Date\.now\. .* The pure src\/plan\.ts reaches/,
    ),
    expect.stringContaining('uses process.'),
    expect.stringContaining('uses process.'),
  ])
})
