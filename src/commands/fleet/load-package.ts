import { createRequire } from 'node:module'
import { HoldpointError } from '../../core/errors.ts'
import type { CollectorPackage, TelemetryPackage } from '../../core/fleet-package.ts'
import { fleetPackageFile } from '../../system/package.ts'

/** The package for the central side, if it is installed next to this one. */
export function loadCollector(): CollectorPackage {
  return load('collector') as CollectorPackage
}

export function loadTelemetry(): TelemetryPackage {
  return load('telemetry') as TelemetryPackage
}

function load(entry: 'collector' | 'telemetry'): unknown {
  const file = fleetPackageFile(entry)
  if (file !== undefined) return createRequire(file)(file)
  throw new HoldpointError({
    code: 'FLEET_PACKAGE',
    message: 'This command is in the package @holdpoint/fleet, which is not installed.',
  })
}
