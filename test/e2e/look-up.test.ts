import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createScreenSandbox, type ScreenSandbox } from './screen.ts'

/** `guards`, `config` and `explain <guard>`: what exists, what applies here, and which file says so. Their screens: test/long. */

let sandbox: ScreenSandbox
beforeEach(() => {
  sandbox = createScreenSandbox()
  sandbox.write(
    '.config/holdpoint/config.yaml',
    'version: 1\npacks:\n  safety:\n    level: strict\n    guards: { safety/git/force-push: ask }\n  secrets: false\nsettings: { stopBlocksMax: 5 }\n',
  )
})
afterEach(() => sandbox.remove())

describe('holdpoint guards', () => {
  it('lists all guards, or those that match a pattern, with their mode here', async () => {
    const all = await sandbox.run(['guards'])
    expect(all).toMatch(/^safety\/git\/force-push {2}ask: /m)
    expect(all).toMatch(/^secrets\/\S+ {2}off \(its pack is off\): /m)
    const some = JSON.parse(await sandbox.run(['guards', 'safety/git/*', '--json']))
    expect(some.length).toBeGreaterThan(5)
    for (const { id } of some) expect(id).toMatch(/^safety\/git\//)
  })

  it('says what to type if nothing matches, and does not look like a denial', async () => {
    expect(await sandbox.run(['guards', 'nothing-like-it'])).toContain(
      'Run `holdpoint guards` to list all guards.',
    )
  })
})

describe('holdpoint explain', () => {
  it('explains a guard by its id', async () => {
    const explained = await sandbox.run(['explain', 'safety/git/force-push'])
    expect(explained).toBe(await sandbox.run(['guards', 'safety/git/force-push']))
    expect(JSON.parse(await sandbox.run(['explain', 'safety/git/force-push', '--json']))).toMatchObject({
      id: 'safety/git/force-push',
      mode: 'ask',
    })
    expect(await sandbox.run(['explain', 'safety/no/such-guard'])).toContain('GUARD_UNKNOWN')
  })
})

describe('holdpoint config', () => {
  it('prints the policy that applies, with the origin of every value', async () => {
    const printed = await sandbox.run(['config'])
    expect(printed).toContain('  safety:  # ~/.config/holdpoint/config.yaml:3\n    level: strict\n')
    expect(printed).toContain('      safety/git/force-push: ask  # ~/.config/holdpoint/config.yaml:3\n')
    expect(printed).toContain('      safety/git/amend-or-rebase: ask  # level strict\n')
    expect(printed).toContain('  secrets: false  # OFF: ~/.config/holdpoint/config.yaml:6\n')
    expect(printed).toContain('  stopBlocksMax: 5  # ~/.config/holdpoint/config.yaml\n')
    expect(printed).toContain('  journal.keepDays: 30  # default\n')
  })

  it('prints everything as JSON, and says which files are not trusted', async () => {
    sandbox.write(
      'project/.holdpoint/config.yaml',
      'version: 1\nrules: [{ id: r, match: Bash, deny: No. }]\n',
    )
    const { layers, entries, packs } = JSON.parse(await sandbox.run(['config', '--json']))
    expect(layers).toContainEqual(expect.objectContaining({ rank: 'project', trusted: false }))
    expect(entries).toContainEqual(expect.objectContaining({ id: 'r', kind: 'rule', trusted: false }))
    expect(packs).toContainEqual(expect.objectContaining({ pack: 'secrets', on: false }))
  })
})
