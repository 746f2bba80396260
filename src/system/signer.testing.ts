import type { KeyHome, Signer } from './signatures.ts'
import { openSigner } from './signing-key.ts'

/** A person at a terminal, for tests: the signatures are valid in this home. */
export function signerFor(home: KeyHome): Signer {
  const signer = openSigner(home, { user: 'dev (1000)', terminal: '/dev/pts/1' })
  if (!signer.ok) throw new Error(signer.problem.message)
  return signer.value
}
