import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it, test } from 'vitest'
import type { Result } from '../core/errors.ts'
import { EVENT_KINDS } from '../core/event.ts'
import { isObject, type Json } from '../core/json.ts'
import { installSettings, restoreSettings } from '../system/settings-file.ts'
import { type Installer, type InstallOptions, SCOPES } from './installer.ts'

export interface InstallerCases {
  readonly installer: Installer
  /** A version of the agent that reads everything we write. */
  readonly version: string
  /** One that does not, and must be refused. */
  readonly tooOld: string
  /** The agent's own name of an event; missing: it is ours. */
  keyOf?(event: string): string
  /** The keys of a new file; missing: `hooks` alone. */
  readonly topKeys?: readonly string[]
  /** Entries stand in the list of their event, without groups. */
  readonly flat?: true
}

/** What every installer must do with a file that is not ours, whoever wrote it and however. */
export function installerContract(cases: InstallerCases): void {
  const { installer, version, tooOld, keyOf = own, topKeys = ['hooks'], flat = false } = cases
  const options: InstallOptions = {
    command: '/opt/holdpoint/bin/holdpoint-hook',
    home: '/home/dev/.hp',
    version,
  }
  const older: InstallOptions = {
    command: "/usr/local/it's old/holdpoint-hook",
    home: '/old',
    version: undefined,
  }
  const install = (text: string | undefined, how = options) => unwrapped(installer.install(text, how))
  const uninstall = (text: string) => unwrapped(installer.uninstall(text))
  const eventsOf = (text: string) => unwrapped(installer.entries(text)).map(({ event }) => event)

  describe(`installer ${installer.host}: what it registers`, () => {
    it('lists its events, and none that a hook without output would break', () => {
      expect(new Set(installer.events).size).toBe(installer.events.length)
      expect(EVENT_KINDS).toEqual(expect.arrayContaining([...installer.events]))
      expect(installer.events).toContain('PreToolUse')
      for (const event of ['WorktreeCreate', 'MessageDisplay']) expect(installer.events).not.toContain(event)
    })

    it('has an absolute file for each scope it has, and one for the user', () => {
      const where = { project: '/srv/app', home: '/home/dev', env: {} }
      const files = SCOPES.flatMap((scope) => installer.file(scope, where) ?? [])
      expect(installer.file('user', where)).toMatch(/^\/home\/dev\/\./)
      expect(new Set(files).size).toBe(files.length)
      for (const file of files) expect(file).toMatch(/^\/(?:home\/dev|srv\/app)\/\.[\w/.]+\.json$/)
    })

    it('makes a file of strict JSON that has one entry for each event, and nothing it warns about', () => {
      const text = install(undefined)
      expect(Object.keys(JSON.parse(text))).toEqual(topKeys)
      expect(Object.keys(JSON.parse(text).hooks)).toEqual(installer.events.map(keyOf))
      expect(text.endsWith('}\n')).toBe(true)
      expect(eventsOf(text)).toEqual(installer.events)
      expect(installer.warnings(text)).toEqual([])
      expect(uninstall(text)).toBeUndefined()
    })

    it('starts our program by its absolute path, with its home, its event and its last resort', () => {
      for (const entry of unwrapped(installer.entries(install(undefined)))) {
        const [line = ''] = entry.command.split(' || ')
        const words = entry.args ?? line.split("' '").map((word) => word.replaceAll("'", ''))
        expect(entry.shell).toBe(entry.args === undefined)
        const expected = [
          [options.command, installer.host],
          ['--home', options.home],
          ['--event', entry.event],
          ['--on-failure', expect.stringMatching(/^(?:deny|pass)$/)],
          ['--deadline-ms', expect.stringMatching(/^\d+$/)],
        ]
        const given = [...(entry.args === undefined ? [] : [entry.command]), ...words]
        expect(given).toEqual(expected.flat())
        const deadlineMs = Number(words.at(-1))
        expect(deadlineMs).toBeLessThan(entry.timeoutMs ?? 0)
      }
    })
  })

  describe.each([...STYLES])(`installer ${installer.host}: a file with %s`, (_name, before) => {
    it('contains each entry once, however often it is installed', () => {
      const once = install(before)
      expect(eventsOf(once)).toEqual(expect.arrayContaining([...installer.events]))
      expect(install(once)).toBe(once)
      expect(install(install(before, older))).toBe(once)
      expect(ownCommands(once)).toHaveLength(installer.events.length)
    })

    it('keeps what it says, and every foreign hook in its place', () => {
      const after = install(before)
      expect(bare(after)).toEqual(bare(before))
      expect(foreignHooks(after)).toEqual(foreignHooks(before))
      if (before.includes('\r\n')) expect(after).not.toMatch(/[^\r]\n/)
      if (before.includes('\n\t"')) expect(after).not.toMatch(/\n +"/)
    })

    it('has its original bytes after uninstalling', () => {
      const folder = mkdtempSync(join(tmpdir(), 'holdpoint-installer-'))
      try {
        const file = join(folder, 'settings.json')
        writeFileSync(file, before)
        for (const how of [older, options, options])
          expect(installSettings(file, installer, how).ok).toBe(true)
        expect(readFileSync(file, 'utf8')).not.toBe(before)
        expect(restoreSettings(file, installer).ok).toBe(true)
        expect(readFileSync(file)).toEqual(Buffer.from(before))
        expect(readdirSync(folder)).toEqual(['settings.json'])
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  })

  describe(`installer ${installer.host}: laws`, () => {
    it('changes no byte except its own: after removal the file is as before', () => {
      fc.assert(
        fc.property(settingsText(false, flat), (before) => {
          expect(uninstall(install(before))).toBe(before)
        }),
      )
    })

    it('keeps every value and every foreign hook, also beside old entries of ours', () => {
      fc.assert(
        fc.property(settingsText(true, flat), (before) => {
          const once = install(before)
          expect(install(once)).toBe(once)
          expect(ownCommands(once)).toHaveLength(installer.events.length)
          expect(foreignHooks(once)).toEqual(foreignHooks(before))
          const left = uninstall(once) ?? '{}'
          expect(ownCommands(left)).toEqual([])
          expect(foreignHooks(left)).toEqual(foreignHooks(before))
          expect(bare(left)).toEqual(bare(before))
        }),
      )
    })

    it('never throws, whatever the text', () => {
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.json(), settingsText(true, flat).chain(mangled)), (text) => {
          const after = installer.install(text, options)
          if (after.ok) expect(eventsOf(after.value)).toEqual(expect.arrayContaining([...installer.events]))
          else expect(after.problem.fix).toMatch(/nothing was changed/)
          for (const each of [installer.uninstall(text), installer.entries(text)])
            expect(each.ok).toBeDefined()
          expect(Array.isArray(installer.warnings(text))).toBe(true)
        }),
      )
    })
  })

  describe(`installer ${installer.host}: what it refuses`, () => {
    test.each([
      ['no JSON', 'hooks: []', { line: 1, column: 1 }],
      ['half a file', '{\n  "hooks": {\n', { line: 3, column: 1 }],
      ['two values', '{}\n{}', { line: 2, column: 1 }],
      ['a merge conflict', '{\n<<<<<<< HEAD\n}', { line: 2, column: 1 }],
      ['single quotes', "{'a': 1}", { line: 1, column: 2 }],
      ['a NUL byte', '{"a": 1}\0', { line: 1, column: 9 }],
      ['a list', '[]', {}],
      ['a bare value', 'null', {}],
      ['hooks that are text', '{"hooks": "none"}', { key: 'hooks' }],
      ['hooks that are a list', '{"hooks": []}', { key: 'hooks' }],
      ['hooks that are null', '{"hooks": null}', { key: 'hooks' }],
      [
        'an event that is an object',
        `{"hooks": {"${keyOf('PreToolUse')}": {}}}`,
        { key: `hooks.${keyOf('PreToolUse')}` },
      ],
      ['hooks wrong where they count', '{"hooks": {}, "hooks": 7}', { key: 'hooks' }],
      ['a file made to be deep', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, {}],
    ])('%s, with what to do', (_name, text, where) => {
      const refused = installer.install(text, options)
      expect(refused).toMatchObject({
        ok: false,
        problem: { ...where, fix: expect.stringMatching(/changed/) },
      })
    })

    test.each<[string, Partial<InstallOptions>, RegExp]>([
      ['a program without a path', { command: 'holdpoint-hook' }, /absolute/],
      ['a program it would not know again', { command: '/usr/bin/node' }, /holdpoint-hook/],
      ['a home that moves with the folder', { home: '.hp' }, /absolute/],
      ['a path with a NUL byte', { home: '/a\0b' }, /absolute/],
      ['an agent that is too old', { version: tooOld }, /Update .*nothing was changed/],
    ])('%s', (_name, wrong, fix) => {
      expect(installer.install('{}', { ...options, ...wrong })).toMatchObject({
        ok: false,
        problem: { fix: expect.stringMatching(fix) },
      })
    })

    it('treats an agent with an unknown version as a new one', () => {
      expect(install('{}', { ...options, version: undefined })).toBe(install('{}'))
      expect(install('{}', { ...options, version: 'nightly' })).toBe(install('{}'))
    })
  })

  if (flat) return

  describe(`installer ${installer.host}: entries of ours that stand elsewhere`, () => {
    const old = '{"type":"command","command":"\'/old/holdpoint-hook\' x"}'
    test.each([
      ['behind a matcher', `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[${old}]}]}}`],
      ['twice', `{"hooks":{"PreToolUse":[{"hooks":[${old},${old}]},{"hooks":[${old}]}]}}`],
      ['at an event that is not registered', `{"hooks":{"WorktreeCreate":[{"hooks":[${old}]}]}}`],
      ['under a key that is hidden', `{"hooks":{"Stop":[{"hooks":[${old}]}]},"hooks":{}}`],
      ['behind a comment, two in a row', `{"hooks":{"Stop":[{"hooks":[ // x\n${old},\n${old},]}]}}`],
      ['in exec form', '{"hooks":{"Stop":[{"hooks":[{"command":"/a b/holdpoint-hook","args":[]}]}]}}'],
      ['in double quotes', '{"hooks":{"Stop":[{"hooks":[{"command":"\\"/a b/holdpoint-hook\\" x"}]}]}}'],
      ['without quotes', '{"hooks":{"Stop":[{"hooks":[{"command":" /a\\\\ b/holdpoint-hook x"}]}]}}'],
    ])('%s are replaced', (_name, text) => {
      expect(ownCommands(install(text))).toHaveLength(installer.events.length)
      expect(eventsOf(install(text))).toEqual(expect.arrayContaining([...installer.events]))
      expect(ownCommands(uninstall(text) ?? '{}')).toEqual([])
    })

    test.each([
      '/usr/bin/holdpoint-hooks',
      'echo holdpoint-hook',
      'sudo /usr/bin/holdpoint-hook x',
      '/usr/bin/holdpoint-hook-wrapper',
      "'/opt/holdpoint-hook/run' x",
    ])('but %s is not ours', (command) => {
      const text = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } })
      expect(uninstall(text)).toBe(text)
      expect(foreignHooks(install(text))).toEqual(foreignHooks(text))
      expect(uninstall(install(text))).toBe(text)
    })

    it('keep their position, so that later entries are not moved', () => {
      const list = `[{"hooks":[${old}]},{"hooks":[{"type":"command","command":"mine"}]}]`
      const key = keyOf('PreToolUse')
      const groups = JSON.parse(install(`{"hooks":{"${key}":${list}}}`)).hooks[key]
      expect(groups[1].hooks[0].command).toBe('mine')
      expect(groups).toHaveLength(2)
    })

    it('do not count where they are not always started', () => {
      for (const weak of ['"matcher":"Bash",', '"matcher":"^$",', '"matcher":null,']) {
        const text = `{"hooks":{"Stop":[{${weak}"hooks":[${old}]}]}}`
        expect(eventsOf(text)).toEqual([])
      }
      for (const weak of ['"if":"Bash(ls)"', '"async":true', '"type":"prompt"']) {
        const text = `{"hooks":{"Stop":[{"hooks":[${old.slice(0, -1)},${weak}}]}]}}`
        expect(eventsOf(text)).toEqual([])
      }
      expect(eventsOf(`{"hooks":{"Stop":[{"hooks":[${old}]}],"Stop":[]}}`)).toEqual([])
      expect(eventsOf(`{"hooks":{"Stop":[{"hooks":[${old}]}]}}`)).toEqual(['Stop'])
    })

    it('leave a hidden key hidden when they are removed', () => {
      const text = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"hidden"}]}]},"hooks":{}}'
      expect(JSON.parse(uninstall(install(text)) ?? '')).toEqual({ hooks: {} })
    })
  })
}

function own(event: string): string {
  return event
}

const FOREIGN = '{ "type": "command", "command": "lint \\u00e9 \\/" }'
const TWO =
  '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [ A ] }\n    ]\n  }\n}\n'

/** Files as people and programs write them. */
const STYLES: ReadonlyMap<string, string> = new Map([
  ['nothing in it', ''],
  ['an empty object', '{}'],
  ['an empty object and a line end', '{}\n'],
  ['space in an empty object', '{ \n }'],
  ['only space', '  \n\t\n'],
  ['only comments', '// mine\n/* and\nmine */'],
  ['only a comment, and no line end', '// mine'],
  ['a byte order mark alone', '\uFEFF'],
  ['a byte order mark', '\uFEFF{\n  "model": "x"\n}\n'],
  ['two spaces', '{\n  "model": "x",\n  "list": [\n    1\n  ]\n}\n'],
  ['four spaces', '{\n    "model": "x"\n}\n'],
  ['tabs', '{\n\t"model": "x",\n\t"a": { "b": 1 }\n}\n'],
  ['no indentation', '{\n"model": "x",\n"a": 1\n}\n'],
  ['carriage returns', '{\r\n  "model": "x",\r\n  "hooks": {}\r\n}\r\n'],
  ['no line end at the end', '{\n  "model": "x"\n}'],
  ['one line', '{"model":"x","a":[1,2]}'],
  ['one line with spaces', '{ "model": "x", "hooks": { "Stop": [ ] } }'],
  [
    'comments',
    '{\n  // first\n  "model": "x", // second\n  /* third */ "a": 1 // fourth\n  // last\n}\n// after\n',
  ],
  ['a comment in one line', '{ "a": 1 /* one */ }'],
  ['a line comment at the end of one line', '{ "a": 1 // one\n}'],
  ['trailing commas', '{\n  "a": [1, 2,],\n  "model": "x",\n}\n'],
  ['a comma on a line of its own', '{\n  "a": 1\n  ,"b": 2\n  ,\n}'],
  ['unicode escapes', '{"na\\u00efve": "\\u2028\\ud83d\\ude00\\ud800", "slash": "\\/"}'],
  ['characters beyond the first plane', '{"😀": "é\u2028"}\n'],
  ['odd numbers', '{"a": 1.0, "b": 1E400, "c": -0, "d": 12345678901234567890}'],
  ['keys in an odd order', '{\n  "zz": 1,\n  "hooks": {\n    "Stop": []\n  },\n  "aa": 2\n}\n'],
  ['equal keys', '{\n  "a": 1,\n  "a": 2,\n  "hooks": {},\n  "hooks": { "Stop": [], "Stop": [] }\n}\n'],
  ['a prototype in it', '{"__proto__": {"hooks": 1}, "constructor": {"prototype": []}}'],
  ['deep nesting', `{"a": ${'['.repeat(400)}${']'.repeat(400)}}`],
  ['hooks of others at the same event', TWO.replace('A', FOREIGN)],
  ['a group for all tools', `{"hooks": {"PreToolUse": [{"hooks": [${FOREIGN}]}], "Stop": [{"hooks": []}]}}`],
  ['groups of another shape', '{"hooks": {"Stop": [7, null, {}, {"hooks": "x"}, {"hooks": [null, 1]}]}}'],
  ['events nobody knows', `{"hooks": {"Zork": "x", "WorktreeCreate": [{"hooks": [${FOREIGN}]}]}}`],
  ['comments among hooks', TWO.replace('A', `${FOREIGN} // mine`).replace('] }', '\n] } // group')],
  ['comments in empty lists', '{\n  "hooks": {\n    // none yet\n    "Stop": [ /* none */ ]\n  }\n}\n'],
])

const EVENTS = ['PreToolUse', 'Stop', 'SessionEnd', 'Zork', 'WorktreeCreate']
const NOISE = ['', '', ' ', '\n', '\r\n  ', '\t', '/* a, "b" */', '// c }\n', '\n    ']

/** A settings file in any spelling: random values, hooks of others, with `own` also entries of ours. */
function settingsText(own: boolean, flat: boolean): fc.Arbitrary<string> {
  const foreign = fc.record({ type: fc.constant('command'), command: fc.string(), timeout: fc.nat() })
  const ours = fc.constantFrom(
    { type: 'command', command: "'/x/holdpoint-hook' y" },
    { type: 'command', command: '/x y/holdpoint-hook', args: ['z'] },
  )
  const entry = own ? fc.oneof(foreign, ours) : foreign
  const size = { minLength: own ? 0 : 1, maxLength: 3 }
  const group = fc.record(
    { matcher: fc.constantFrom('Bash', ''), hooks: fc.array(entry, size) },
    { requiredKeys: ['hooks'] },
  )
  const keys = { minKeys: own ? 0 : 1, maxKeys: 3 }
  const item: fc.Arbitrary<object> = flat ? entry : group
  const hooks = fc.dictionary(fc.constantFrom(...EVENTS), fc.array(item, size), keys)
  const settings = fc
    .tuple(fc.array(fc.tuple(fc.string(), fc.jsonValue({ maxDepth: 2 })), size), fc.option(hooks), fc.nat(3))
    .map(([pairs, value, at]) => {
      const all: (readonly [string, unknown])[] = pairs.filter(([key]) => key !== 'hooks')
      if (value !== null) all.splice(at, 0, ['hooks', value])
      return Object.fromEntries(all.length === 0 && !own ? [['a', 1]] : all)
    })
  const noise = fc.array(fc.constantFrom(...NOISE), { minLength: 1, maxLength: 12 })
  return fc.tuple(settings, noise, fc.boolean(), fc.nat()).map(([value, noises, strict, seed]) => {
    let at = seed
    const space = () => (strict ? '' : (noises[at++ % noises.length] ?? ''))
    return spelled(value, space, () => !strict && at++ % 3 === 0)
  })
}

function spelled(value: unknown, space: () => string, isTrailing: () => boolean): string {
  const list = (open: string, parts: readonly string[], close: string) => {
    const comma = parts.length > 0 && isTrailing() ? `,${space()}` : ''
    return `${open}${space()}${parts.map((part) => part + space()).join(`,${space()}`)}${comma}${close}`
  }
  if (Array.isArray(value))
    return list(
      '[',
      value.map((item) => spelled(item, space, isTrailing)),
      ']',
    )
  if (!isObject(value)) return JSON.stringify(value)
  const parts = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}${space()}:${space()}${spelled(item, space, isTrailing)}`,
  )
  return list('{', parts, '}')
}

function mangled(text: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(text.length), fc.nat(6), fc.constantFrom('', '"', '{', ']', ',', '//', '\0', '\\'))
    .map(([at, length, put]) => text.slice(0, at) + put + text.slice(at + length))
}

function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`)
  return result.value
}

interface Found {
  readonly event: string
  readonly matcher: Json | undefined
  readonly entry: Json
}

function hooksIn(text: string): readonly Found[] {
  const value: unknown = parse(text.replace(/^\uFEFF/, ''))
  const hooks = isObject(value) && isObject(value.hooks) ? value.hooks : {}
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group) => {
      if (!isObject(group)) return []
      if (!Array.isArray(group.hooks))
        return 'command' in group ? [{ event, matcher: undefined, entry: group }] : []
      return group.hooks.map((entry: Json) => ({ event, matcher: group.matcher, entry }))
    }),
  )
}

function isOwn({ entry }: Found): boolean {
  return (
    isObject(entry) &&
    /^(?:'|"| )?\/[^"]*\/holdpoint-hook(?:$|[' "])/.test(String(entry.command).replace("'\\''", ''))
  )
}

function ownCommands(text: string): readonly Found[] {
  return hooksIn(text).filter(isOwn)
}

function foreignHooks(text: string): readonly Found[] {
  return hooksIn(text)
    .filter((found) => !isOwn(found))
    .toSorted((a, b) => a.event.localeCompare(b.event))
}

/** Everything in the file but the hooks, and the form that they are in. */
function bare(text: string): unknown {
  const value: unknown = parse(text.replace(/^\uFEFF/, ''))
  if (!isObject(value)) return {}
  const { hooks: _hooks, version: _version, ...rest } = value
  return rest
}
