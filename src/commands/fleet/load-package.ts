import { createRequire } from 'node:module'
import { join } from 'node:path'
import { HoldpointError } from '../../core/errors.ts'
import type { CollectorPackage } from '../../core/fleet-package.ts'
import { packageRoot } from '../../system/package.ts'

/** The package for the central side, if it is installed next to this one. */
export function loadCollector(): CollectorPackage {
  const require = createRequire(join(packageRoot(), 'package.json'))
  try {
    return require('@holdpoint/fleet/collector')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    if (!isMissing) throw error
    throw new HoldpointError(
      {
        code: 'FLEET_PACKAGE',
        message: 'This command is in the package @holdpoint/fleet, which is not installed.',
      },
      { cause: error },
    )
  }
}
