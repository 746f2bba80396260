import { expect, it } from 'vitest'
import type { Pack } from '../../core/guard.ts'
import { lazyPack } from './lazy-pack.ts'
import { pack } from './mux/pack.ts'

function lazy(whole: Pack = pack) {
  let loads = 0
  const keys = Object.keys(whole).filter((key) => key !== 'id' && key !== 'title') as (keyof Pack)[]
  const made = lazyPack({ id: whole.id, title: whole.title }, keys, () => {
    loads += 1
    return whole
  })
  return { made, loads: () => loads }
}

it('has its name without being loaded', () => {
  const { made, loads } = lazy()
  expect([made.id, made.title, loads()]).toEqual([pack.id, pack.title, 0])
})

it('has everything of the pack, and so has a copy of it', () => {
  expect({ ...lazy().made }).toEqual(pack)
  expect(lazy().made.guards).toBe(pack.guards)
})

it('lacks what the pack lacks', () => {
  const { options: _options, ...rest } = pack
  expect('options' in lazy(rest).made).toBe(false)
})
