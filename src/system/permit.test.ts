import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkPermit, type Permit, signPermit } from './permit.ts'
import { permitKeysFile, publicFile } from './signatures.ts'
import { openSigner } from './signing-key.ts'

const DAY_MS = 86_400_000
const isRoot = process.getuid?.() === 0
let folder: string
let file: string
const keyHome = (name: string) => {
  const at = join(folder, name)
  mkdirSync(join(at, 'etc'), { recursive: true })
  return { folder: at, managedConfig: join(at, 'etc', 'config.yaml') }
}
const signed = (permit: Partial<Permit> = {}) => {
  const signer = openSigner(keyHome('person'), { user: 'ada (1000)', terminal: '/dev/pts/1' })
  if (!signer.ok) throw new Error(signer.problem.message)
  return signPermit({ commands: ['uninstall'], untilMs: Date.now() + DAY_MS, ...permit }, signer.value)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-permit-'))
  file = join(folder, 'permit.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Only root can say whose permits count, so only root can test it. */
describe.runIf(isRoot)('a permit that was signed elsewhere', () => {
  const here = () => {
    const home = keyHome('here')
    copyFileSync(publicFile(keyHome('person')), permitKeysFile(home))
    return home
  }
  const check = (text: string) => {
    writeFileSync(file, text)
    return checkPermit(here(), file, 'uninstall')
  }

  it('counts where root put the key', () => {
    expect(check(signed())).toMatchObject({ ok: true, value: { commands: ['uninstall'] } })
  })

  it.each<[string, () => string]>([
    ['another command', () => signed({ commands: ['trust'] })],
    ['a time that is over', () => signed({ untilMs: Date.now() - 1 })],
    ['another end', () => signed().replace(/"untilMs": \d+/, `"untilMs": ${Date.now() + 9 * DAY_MS}`)],
    ['a command more', () => signed({ commands: ['trust'] }).replace('"trust"', '"trust", "uninstall"')],
    ['other files', () => signed({ files: { a: '1' } }).replace('"a": "1"', '"a": "2"')],
    ['no end', () => signed().replace(/"untilMs": \d+,/, '')],
  ])('does not count for %s', (_name, text) => {
    expect(check(text())).toMatchObject({ ok: false, problem: { code: 'PERMIT_INVALID' } })
  })

  it('does not count where the key is not there, or not only root can write it', () => {
    writeFileSync(file, signed())
    expect(checkPermit(keyHome('person'), file, 'uninstall').ok).toBe(false)
    const home = here()
    chmodSync(permitKeysFile(home), 0o666)
    expect(checkPermit(home, file, 'uninstall').ok).toBe(false)
  })
})

describe('a file that nobody signed', () => {
  const check = (text: string | Buffer, mode = 0o600) => {
    writeFileSync(file, text)
    chmodSync(file, mode)
    return checkPermit(keyHome('here'), file, 'uninstall')
  }
  const plain = '{ "version": 1, "commands": ["uninstall"] }'

  it('counts for root alone', () => {
    expect(check(plain).ok).toBe(isRoot)
  })

  it('does not count if others can write it', () => {
    expect(check(plain, 0o666).ok).toBe(false)
  })

  it.each<[string, string | Buffer]>([
    ['no JSON', 'uninstall'],
    ['nothing', ''],
    ['another version', '{ "version": 2, "commands": ["uninstall"] }'],
    ['no commands', '{ "version": 1 }'],
    ['an unknown command', '{ "version": 1, "commands": ["uninstall", "pause"] }'],
    ['an end that is no number', '{ "version": 1, "commands": ["uninstall"], "untilMs": "later" }'],
    ['bytes that are no text', Buffer.from([0, 255, 0])],
    ['2 MB', `${plain}${' '.repeat(2_000_000)}`],
  ])('does not count with %s, and says what a permit is', (_name, text) => {
    const checked = check(text)
    expect(checked).toMatchObject({ ok: false, problem: { code: 'PERMIT_INVALID', file } })
  })

  it('does not count if there is none', () => {
    expect(checkPermit(keyHome('here'), join(folder, 'none'), 'uninstall').ok).toBe(false)
  })
})
