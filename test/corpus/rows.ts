import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { JsonObject } from '../../src/core/json.ts'

/** The expected decision. `stop`: deny or ask, both are right. `pass`: no guard objects. */
export const EXPECTATIONS = ['pass', 'stop', 'ask', 'deny'] as const
export type Expectation = (typeof EXPECTATIONS)[number]

/** One line of a family's file, in the form `holdpoint check --jsonl` reads. */
export interface Row {
  readonly id: string
  readonly command?: string
  readonly event?: JsonObject
  /** The working directory, if it is not the folder of the project. */
  readonly cwd?: string
  /** The system it is, as Node.js calls it, if it matters: `darwin` knows no capitals in names. */
  readonly platform?: string
  readonly expect: Expectation
  readonly why: string
}

export interface Family {
  readonly name: string
  readonly rows: readonly Row[]
}

/** Every row is decided with these folders, whatever machine the tests run on. */
export const GROUND = {
  cwd: '/srv/project',
  home: '/home/dev',
  project: '/srv/project',
  platform: 'linux',
} as const

const here = new URL('.', import.meta.url)

export function readFamilies(): readonly Family[] {
  const files = readdirSync(here).filter((file) => file.endsWith('.jsonl'))
  return files.sort().map((file) => ({
    name: file.slice(0, -'.jsonl'.length),
    rows: readFileSync(new URL(file, here), 'utf8').trimEnd().split('\n').map(parseRow),
  }))
}

function parseRow(line: string): Row {
  return JSON.parse(line) as Row
}

/** The input of a row without its expectation: another input with the same id is another row. */
export function inputHash({ command, event, cwd, platform }: Row): string {
  const input = [command ?? null, event ?? null, cwd ?? null]
  return createHash('sha256')
    .update(JSON.stringify(platform === undefined ? input : [...input, platform]))
    .digest('hex')
    .slice(0, 8)
}

export function isStop(expect: Expectation): boolean {
  return expect !== 'pass'
}
