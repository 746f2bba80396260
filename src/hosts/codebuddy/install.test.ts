import { expect, it } from 'vitest'
import { installerContract } from '../installer.contract.ts'
import { installer } from './install.ts'

installerContract({ installer, version: '2.117.0', tooOld: '2.99.0' })

it('warns of settings that switch hooks off', () => {
  expect(installer.warnings('{"disableAllHooks": true}')).toEqual([expect.stringContaining('Remove it')])
  expect(installer.warnings('{"disableAllHooks": false}')).toEqual([])
})
