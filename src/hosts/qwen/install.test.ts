import { expect, it } from 'vitest'
import { installerContract } from '../installer.contract.ts'
import { installer } from './install.ts'

installerContract({ installer, version: '0.24.4', tooOld: '0.23.9' })

it('warns of settings that switch hooks off', () => {
  expect(installer.warnings('{"disableAllHooks": true}')).toEqual([expect.stringContaining('Remove it')])
  expect(installer.warnings('{"disableAllHooks": false}')).toEqual([])
})
