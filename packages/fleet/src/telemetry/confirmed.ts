import { type ExportResult, ExportResultCode } from '@opentelemetry/core'

/** Waits for the answer of the receiver. The exporters try again for a while by themselves. */
export function confirmed(start: (done: (result: ExportResult) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start(({ code, error }) => {
      if (code === ExportResultCode.SUCCESS) resolve()
      else
        reject(
          new Error(`the OpenTelemetry receiver did not take it: ${error?.message ?? 'no reason given'}`),
        )
    })
  })
}
