import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createScreenSandbox, type ScreenSandbox } from '../e2e/screen.ts'

/** `guards` on the screen of a terminal, drawn by tmux. */

let sandbox: ScreenSandbox
beforeEach(() => {
  sandbox = createScreenSandbox()
  sandbox.write(
    '.config/holdpoint/config.yaml',
    'version: 1\npacks:\n  safety:\n    level: strict\n    guards: { safety/git/force-push: ask }\n  secrets: false\n',
  )
})
afterEach(() => sandbox.remove())

describe('holdpoint guards', () => {
  it('lists them on a screen of 80 and of 60 columns, first those that are on', async () => {
    for (const columns of [80, 60]) {
      const shown = await sandbox.screen(['guards', 'push'], columns)
      await expect(shown).toMatchFileSnapshot(`screens/guards-${columns}.txt`)
    }
  })

  it('describes one guard on a screen of 80 and of 60 columns', async () => {
    for (const columns of [80, 60]) {
      const shown = await sandbox.screen(['guards', 'safety/git/force-push'], columns)
      await expect(shown).toMatchFileSnapshot(`screens/guard-${columns}.txt`)
    }
  })
})
