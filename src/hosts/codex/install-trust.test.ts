import { createHash } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import { installer } from './install.ts'
import { codexTrust, codexTrustWarnings, type TrustState } from './install-trust.ts'

const HOME = '/home/dev/.config/holdpoint'
const FILE = '/home/dev/.codex/hooks.json'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function hooksText(home = HOME): string {
  const options = { command: `${HOME}/bin/holdpoint-hook`, home, version: undefined }
  const text = installer.install(undefined, options)
  if (!text.ok) throw new Error(text.problem.message)
  // The hashes below were taken of entries without the words for a program that is gone.
  return text.value.replaceAll(/ \|\| \{ echo [^}]*\}/g, '')
}

/** What Codex 0.166.0 said these entries hash to (`hooks/list`); 0.133.0 said the same of the nine it knows. */
const REAL: Readonly<Record<string, string>> = {
  pre_tool_use: '4a2680680467417d45722b47c94361c6497340449f3e8f15ec8026c120d67531',
  permission_request: 'a09c56877b7070cfa59974e6173488a8dcab17b225f4cbd3a60c0ff983ca0c49',
  post_tool_use: 'cd2761c222d48d8ef0e88992fdebf528a69dd4a7c86318637a437e73e368ad42',
  pre_compact: '39a27149b65737f7f3214d4799ea99ab979d63d76a6f2448c05f03dab89f0fc2',
  session_start: '36d4f3f948283c698115c623fe4a32c9d164e28b0226ecbc925b462a625c32ee',
  session_end: '38226894068bec0761cfa981812a114466530e3e2c5426a944dfdc31e155f89b',
  user_prompt_submit: '7a0f87b9befc4d9021071888a983837a9f1f38426c84e7abe7cee6650c2860ff',
  subagent_start: '93f5c513bc8ba2a98f71f1ad0dee83257082524c48f94c2e34906373febd8a9f',
  subagent_stop: '4d04813b6bb42d9d386c1d3f318007ab66b9c8369b67f76fae3c85a80895b91a',
  stop: 'a803a62f9fa38adacd0f48a469968db3da849e61e7172107ba614ec8e2fa597a',
}

/** As Codex itself writes it. */
const CONFIG = `model = "gpt-5.5"

[features]
apps = false

[hooks.state]
${Object.entries(REAL)
  .map(
    ([event, hash]) =>
      `\n[hooks.state."${FILE}:${event}:0:0"]\ntrusted_hash = "sha256:${hash}"\nenabled = true\n`,
  )
  .join('')}`

const trust = (config: string | undefined, text = hooksText(), hooksFile = FILE) =>
  codexTrust({ config, hooksFile, hooksText: text, sha256 })

describe('what a person trusted', () => {
  it('is known by the hash Codex itself makes', () => {
    const { states, unknown, off } = trust(CONFIG)
    expect([...states.keys()]).toEqual(installer.events)
    expect(new Set(states.values())).toEqual(new Set(['trusted']))
    expect({ unknown, off }).toEqual({ unknown: false, off: false })
    expect(codexTrustWarnings({ config: CONFIG, hooksFile: FILE, hooksText: hooksText(), sha256 })).toEqual(
      [],
    )
  })

  it('is read the same from a file of Windows, and with comments', () => {
    const config = CONFIG.replaceAll('\n', '\r\n').replaceAll('"]\r', '"] # mine\r')
    expect(trust(config)).toEqual(trust(CONFIG))
  })

  const line = `trusted_hash = "sha256:${REAL.stop}"`
  const key = `"${FILE}:stop:0:0"`
  test.each<[string, string | undefined, TrustState]>([
    ['no file', undefined, 'missing'],
    ['nothing about it', '[hooks.state]\n', 'missing'],
    ['the hash', `[hooks.state.${key}]\n${line}`, 'trusted'],
    ['the hash, spaced', `  [ hooks . state . ${key} ]  # x\n\n# y\n  ${line}  # z`, 'trusted'],
    ['literal quotes', `[hooks.state.'${FILE}:stop:0:0']\n${line.replaceAll('"', "'")}`, 'trusted'],
    ['another hash', `[hooks.state.${key}]\ntrusted_hash = "sha256:00"`, 'changed'],
    ['no hash', `[hooks.state.${key}]\nenabled = true`, 'missing'],
    ['a hash that is switched off', `[hooks.state.${key}]\n${line}\nenabled = false`, 'off'],
    ['the hash under another table', `[hooks.state.${key}]\n[other]\n${line}`, 'missing'],
    ['the hash for another place', `[hooks.state."${FILE}:stop:1:0"]\n${line}`, 'missing'],
    ['the hash for another file', `[hooks.state."/etc/hooks.json:stop:0:0"]\n${line}`, 'missing'],
    ['the hash in a comment', `[hooks.state.${key}]\n# ${line}`, 'missing'],
    ['the lines inside a text', `x = """\n[hooks.state.${key}]\n${line}\n"""`, 'missing'],
    ['a text before it', `x = """\n"""\ny = '''a'''\n[hooks.state.${key}]\n${line}`, 'trusted'],
  ])('with %s is', (_name, config, expected) => {
    expect(trust(config).states.get('Stop')).toBe(expected)
  })

  it('is lost when the entry changes, or moves behind another', () => {
    expect(trust(CONFIG, hooksText('/elsewhere')).states.get('Stop')).toBe('changed')
    const moved = hooksText().replace('"Stop": [', '"Stop": [{ "hooks": [] },')
    expect(trust(CONFIG, moved).states.get('Stop')).toBe('missing')
    expect(trust(CONFIG, moved).states.get('PreToolUse')).toBe('trusted')
  })

  it('covers the matcher', () => {
    const limited = hooksText().replace('"Stop": [\n      {', '"Stop": [\n      { "matcher": "x",')
    expect(limited).not.toBe(hooksText())
    expect(trust(CONFIG, limited).states.get('Stop')).toBe('changed')
  })

  it('is not guessed for an entry that says more than ours do', () => {
    const more = hooksText().replaceAll('"timeout": 3\n', '"timeout": 3, "statusMessage": "x"\n')
    expect(trust(CONFIG, more).states.get('SessionEnd')).toBe('unchecked')
  })

  it('is read for a path with quotes and backslashes in it', () => {
    const file = '/tmp/real "q\'é\\x/.codex/hooks.json'
    const config = `[hooks.state."/tmp/real \\"q'é\\\\x/.codex/hooks.json:stop:0:0"]\n${line}`
    expect(trust(config, hooksText(), file).states.get('Stop')).toBe('trusted')
  })

  test.each([
    ['an inline table', `hooks = { state = { ${key} = { ${line} } } }`],
    ['a dotted key', `hooks.state.${key}.${line}`],
    ['a dotted key in a table', `[hooks]\nstate.${key}.${line}`],
    ['a key in a table', `[hooks.state]\n${key} = { ${line} }`],
    ['an escape that is not known here', `[hooks.state."\\U0000002F"]\n${line}`],
  ])('is unknown when it is written as %s', (_name, config) => {
    expect(trust(config)).toMatchObject({ unknown: true })
    expect(trust(config).states.get('Stop')).toBe('missing')
  })

  it('says so when hooks are switched off as a whole', () => {
    for (const config of [
      '[features]\nhooks = false # x',
      'features.hooks = false',
      '[features]\ncodex_hooks=false',
    ]) {
      expect(trust(config).off).toBe(true)
    }
    for (const config of [
      '[features]\nhooks = true',
      '[other]\nhooks = false',
      '[features]\n# hooks = false',
    ]) {
      expect(trust(config).off).toBe(false)
    }
  })

  it('is empty where nothing of ours is, or the file is broken', () => {
    expect(trust(CONFIG, '{}').states.size).toBe(0)
    expect(trust(CONFIG, '{').states.size).toBe(0)
  })
})

describe('what the person is told', () => {
  const told = (config: string | undefined) =>
    codexTrustWarnings({ config, hooksFile: FILE, hooksText: hooksText(), sha256 })

  it('names the events and what to do', () => {
    expect(told(undefined)).toEqual([expect.stringMatching(/^all 10 hooks: not trusted yet.*\/hooks/)])
    expect(told(CONFIG.replace(REAL.stop ?? '', '00'))).toEqual([
      expect.stringMatching(/^Stop: changed.*\/hooks/),
    ])
    expect(told(CONFIG.replace('enabled = true', 'enabled = false'))).toEqual([
      expect.stringMatching(/^PreToolUse: disabled/),
    ])
    expect(told(CONFIG.replace('apps = false', 'hooks = false'))).toEqual([
      expect.stringMatching(/\[features\]/),
    ])
  })

  it('mentions trust it cannot read only where some is missing', () => {
    const other = '[hooks.state]\n"x" = { enabled = true }\n'
    expect(told(other)).toEqual([expect.any(String), expect.stringMatching(/cannot be read here/)])
    expect(told(CONFIG.replace('[hooks.state]\n', other))).toEqual([])
  })
})
