import { expect, it } from 'vitest'
import { ownFileContract } from '../own-file.contract.ts'
import { installer } from './install.ts'

ownFileContract(installer, '1.99.0')

it('is marked as not proved', () => {
  expect(installer.notProved).toBe(true)
})
