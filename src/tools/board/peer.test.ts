import { expect, it } from 'vitest'
import { isOtherUser } from './peer.ts'

it('leaves a connection to the token where nobody can say whose it is', () => {
  expect(isOtherUser({ remotePort: 1, localPort: 2 }, undefined)).toBe(false)
  expect(isOtherUser({ remotePort: undefined, localPort: 2 }, 1000)).toBe(false)
})
