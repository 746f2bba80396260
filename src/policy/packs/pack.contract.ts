import { describe, expect, it } from 'vitest'
import { mistakeIn } from '../../core/define-pack.ts'
import type { Pack } from '../../core/guard.ts'
import { describePack, tooMuchForOthers } from '../../core/pack-description.ts'
import { guardContract } from './guard.contract.ts'

/**
 * What a pack must have that others use with `from`: no mistakes, a description that is plain data, and guards that pass
 * their own contract suite, in plain form and in disguise.
 *
 * @example
 * packContract(pack) // in a file of vitest
 */
export function packContract(pack: Pack): void {
  describe(`pack ${pack.id}`, () => {
    it('has no mistakes, and nothing that only works inside a program', () => {
      expect(mistakeIn(pack)).toBeUndefined()
      expect(tooMuchForOthers(pack)).toBeUndefined()
    })
    it('describes itself as plain data', () => {
      const description = describePack(pack)
      expect(JSON.parse(JSON.stringify(description))).toEqual(description)
    })
    it('says what each option is for', () => {
      const silent = Object.entries(pack.options ?? {}).filter(([, option]) => !option.description)
      expect(silent.map(([name]) => name)).toEqual([])
    })
  })
  for (const guard of pack.guards) guardContract(guard)
}
