import type { ExportRecord } from '../../../../src/core/fleet-package.ts'

/** One signal on its way to the receiver. */
export interface SignalExporter {
  /** Resolves when the receiver has confirmed it. */
  send(records: readonly ExportRecord[]): Promise<void>
  close(): Promise<void>
}
