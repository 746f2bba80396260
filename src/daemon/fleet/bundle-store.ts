import { join } from 'node:path'
import { type Bundle, verifyBundle } from '../../config/bundle/bundle.ts'
import type { Enrollment } from '../../config/bundle/enrollment.ts'
import { DOCUMENT_MAX_BYTES } from '../../config/bundle/envelope.ts'
import type { KeySet } from '../../config/bundle/keys.ts'
import { verifyStored } from '../../config/bundle/managed.ts'
import { PUBLICATION } from '../../config/bundle/publication.ts'
import {
  type InForce,
  keepBundle,
  keepKeys,
  keptKeys,
  readInForce,
  restoreBundle,
} from '../../config/bundle/store.ts'
import type { Result } from '../../core/errors.ts'
import { parseJsonObject, textAt } from '../../core/json.ts'
import { writeWhole } from '../../system/files.ts'
import { readRegularText } from '../../system/regular-file.ts'
import type { Validators } from './source.ts'

/** What a machine remembers between two requests. */
export interface BundleStore {
  inForce(): InForce | undefined
  /** Whether the files of the bundle in force are still what was signed. Puts them back if that is possible. */
  isWhole(): boolean
  /** All sets of keys since the enrollment, oldest first. */
  keys(): readonly KeySet[]
  keepKeys(version: number, text: string): void
  publication(): { readonly text: string; readonly validators: Validators } | undefined
  keepPublication(text: string, validators: Validators): void
  keepBundle(bundle: Bundle, archive: Buffer, now: Date): Result<InForce>
}

export function folderStore(folder: string, enrollment: Pick<Enrollment, 'keys' | 'threshold'>): BundleStore {
  const published = join(folder, PUBLICATION)
  const validatorsFile = join(folder, 'validators.json')
  return {
    inForce: () => readInForce(folder),
    isWhole() {
      const inForce = readInForce(folder)
      if (inForce === undefined) return false
      if (verifyStored({ store: folder, inForce }, enrollment, [folder]).ok) return true
      const sets = keptKeys(folder, enrollment)
      return restoreBundle(folder, inForce, (bundle) => sets.some((keys) => verifyBundle(bundle, keys).ok))
    },
    keys: () => keptKeys(folder, enrollment),
    keepKeys: (version, text) => keepKeys(folder, version, text),
    publication() {
      const text = readRegularText(published, DOCUMENT_MAX_BYTES)
      if (text === undefined) return undefined
      const validators = parseJsonObject(readRegularText(validatorsFile, DOCUMENT_MAX_BYTES) ?? '') ?? {}
      const [etag, lastModified] = ['etag', 'lastModified'].map((key) => textAt(validators, key))
      return {
        text,
        validators: {
          ...(etag === undefined ? {} : { etag }),
          ...(lastModified === undefined ? {} : { lastModified }),
        },
      }
    },
    keepPublication(text, validators) {
      // In this order: validators without their list would make the server say "unchanged" about a list that is not here.
      writeWhole(validatorsFile, '{}\n')
      writeWhole(published, text)
      writeWhole(validatorsFile, `${JSON.stringify(validators)}\n`)
    },
    keepBundle: (bundle, archive, now) => keepBundle(folder, bundle, archive, now),
  }
}
