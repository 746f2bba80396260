/**
 * What the built programs run, in one file that all of them share. Each part is loaded when it is called: a hook that
 * starts for one event must not load the command line.
 */
export async function command(argv: readonly string[]): Promise<void> {
  const { processCaller } = await import('../src/commands/caller.ts')
  const { runCommandLine } = await import('../src/commands/main.ts')
  process.exitCode = await runCommandLine(argv, processCaller())
}

export async function hook(argv: readonly string[]): Promise<void> {
  const { runHook } = await import('../src/commands/hook.ts')
  await runHook(argv)
}

export async function daemon(): Promise<void> {
  const { daemonProcess } = await import('../src/commands/daemon-process.ts')
  await daemonProcess()
}

export async function evaluator(): Promise<void> {
  const { serveEvaluations } = await import('../src/daemon/evaluator-worker.ts')
  serveEvaluations()
}

export async function scanner(): Promise<void> {
  const { serveScans } = await import('../src/tools/scan/thread.ts')
  serveScans()
}

export async function checker(): Promise<void> {
  const { serveChecks } = await import('../src/tools/check/thread.ts')
  serveChecks()
}

/** `holdpoint/shell`, for packs: it is there although nothing is installed where they are. */
export function shellLibrary(): Promise<object> {
  return import('../src/library/shell/index.ts')
}

export async function boardReader(): Promise<void> {
  const { serveReader } = await import('../src/tools/board/reader-thread.ts')
  serveReader()
}
