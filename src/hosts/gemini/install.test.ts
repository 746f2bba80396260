import { expect, it } from 'vitest'
import { nameOfKind } from '../dialect.ts'
import { installerContract } from '../installer.contract.ts'
import { GEMINI } from './dialect.ts'
import { installer } from './install.ts'

installerContract({
  installer,
  version: '0.61.0',
  tooOld: '0.38.9',
  keyOf: (event) => nameOfKind(GEMINI, event) ?? event,
})

it('writes milliseconds', () => {
  const text = installer.install(undefined, { command: '/x/holdpoint-hook', home: '/x', version: undefined })
  expect(text.ok && JSON.parse(text.value).hooks.BeforeTool[0].hooks[0].timeout).toBe(30_000)
})
