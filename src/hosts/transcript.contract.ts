import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Host } from '../core/host.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { TranscriptItem, TranscriptReader } from '../core/transcript.ts'

export interface TranscriptCases {
  readonly reader: TranscriptReader
  readonly host: Host
  /** Files that the real program wrote, by their path below a root. */
  readonly recorded: ReadonlyMap<string, string>
  /** How many sessions they are, where a sub-agent has one of its own. Missing: one. */
  readonly sessions?: number
  /** What the scripted model did in them, in order: the tool, who made the call, and how it ended. */
  readonly calls: readonly (readonly [tool: string, actor: string, outcome: string])[]
}

/** What every transcript reader must do. */
export function transcriptContract({
  reader,
  host,
  recorded,
  calls,
  sessions: count = 1,
}: TranscriptCases): void {
  const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
  const itemsOf = (path: string, lines: readonly string[]) => {
    const read = reader.open(path)
    return lines.flatMap((line) => {
      const value: unknown = JSON.parse(line)
      return isObject(value) ? read(value) : []
    })
  }
  const all = [...recorded].flatMap(([path, text]) => itemsOf(path, linesOf(text)))

  describe(`transcripts of ${reader.host}`, () => {
    it('has one reader for its host, and files below absolute folders only', () => {
      expect(reader.host).toBe(host.id)
      const roots = reader.roots({ home: '/home/dev', project: '/srv/project', env: {} })
      expect(roots.length).toBeGreaterThan(0)
      for (const root of roots) expect(root).toMatch(/^\/home\/dev\/./)
    })

    it('finds every call of the recorded session, by whom it was made and how it ended', () => {
      const ends = new Map(all.flatMap((item) => (item.kind === 'outcome' ? [[item.useId, item]] : [])))
      const found = callsIn(all)
        .sort((a, b) => (a.at < b.at ? -1 : 1))
        .map(({ useId, agentId, agentType, payload }) => [
          payload.tool_name,
          agentType ?? (agentId === undefined ? 'main' : 'sub-agent'),
          [ends.get(useId)?.outcome ?? 'unknown', ends.get(useId)?.by].filter(Boolean).join(' by '),
        ])
      expect(found).toEqual(calls)
    })

    it('gives the files of a session its name', () => {
      const sessions = new Set(callsIn(all).map(({ session }) => session))
      expect(sessions.size).toBe(count)
      for (const [path, text] of recorded) {
        const first: unknown = JSON.parse(linesOf(text)[0] ?? '{}')
        const inside = isObject(first) ? reader.sessionIn?.(first) : undefined
        expect(sessions).toContain(inside ?? reader.sessionAt(path))
      }
      expect(reader.sessionAt('notes.txt')).toBeUndefined()
    })

    it('says the version that wrote them', () => {
      const versions = new Set(all.flatMap((item) => (item.kind === 'version' ? [item.version] : [])))
      const { named = { format: reader.versions.recorded } } = reader.versions
      expect([...versions]).toEqual(named === 'nothing' ? [] : [named.format])
    })

    it('gives payloads that the host itself decodes, with the same actor and folder', () => {
      for (const { payload, session, agentId, cwd } of callsIn(all)) {
        const decoded = host.decode({ payload: JSON.stringify(payload), cwd: '/elsewhere' })
        if (!decoded.ok) throw new Error(decoded.problem.message)
        expect(decoded.value).toMatchObject({ kind: 'PreToolUse', session, cwd })
        expect(decoded.value.agentId).toBe(agentId)
      }
    })

    it('needs no line that its hints leave out', () => {
      const hinted = (line: string) => reader.hints.some((hint) => line.includes(hint))
      const kept = [...recorded].flatMap(([path, text]) => itemsOf(path, linesOf(text).filter(hinted)))
      expect(kept.filter(isCallOrOutcome)).toEqual(all.filter(isCallOrOutcome))
    })

    it('never throws, whatever a line holds', () => {
      const lines = [...recorded.values()].flatMap(linesOf).map((line): unknown => JSON.parse(line))
      const line = fc.oneof(fc.object(), fc.constantFrom(...lines).chain(damaged)) as fc.Arbitrary<JsonObject>
      fc.assert(
        fc.property(fc.array(line, { maxLength: 5 }), (some) => {
          const read = reader.open('x.jsonl')
          for (const each of some) expect(Array.isArray(read(JSON.parse(JSON.stringify(each))))).toBe(true)
        }),
      )
    })
  })
}

function callsIn(items: readonly TranscriptItem[]) {
  return items.flatMap((item) => (item.kind === 'call' ? [item.call] : []))
}

function isCallOrOutcome({ kind }: TranscriptItem): boolean {
  return kind === 'call' || kind === 'outcome'
}

/** The same line with one value, however deep, replaced. */
function damaged(line: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(line, [])
  return fc
    .tuple(fc.constantFrom(...places), fc.constantFrom<unknown>(null, 0, '', [], {}, 'x', [null], { a: 1 }))
    .map(([place, value]) => replaced(line, place, value))
}

function placesIn(value: unknown, at: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))]
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return isObject(by) ? by : {}
  if (typeof value !== 'object' || value === null) return value
  const inner: unknown = rest.length === 0 ? by : replaced(Reflect.get(value, key), rest, by)
  return Array.isArray(value)
    ? value.map((item, index) => (String(index) === key ? inner : item))
    : { ...value, [key]: inner }
}

/** The files below a folder, by their path below it. */
export function recordedIn(folder: string, below = ''): ReadonlyMap<string, string> {
  const found = readdirSync(join(folder, below)).flatMap((name): readonly (readonly [string, string])[] => {
    const path = below === '' ? name : `${below}/${name}`
    const full = join(folder, path)
    if (statSync(full).isDirectory()) return [...recordedIn(folder, path)]
    return [[path, readFileSync(full, 'utf8')]]
  })
  return new Map(found)
}
