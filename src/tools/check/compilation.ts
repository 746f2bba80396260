import { setFlagsFromString } from 'node:v8'

/** From here on, optimized code saves more than its compilation takes. */
const WORTH_IT_FROM_ROWS = 10_000

/**
 * The JavaScript engine compiles and optimizes what runs often, on the processors that have nothing else to do. Here all
 * have: up to some ten thousand rows, it is faster not to optimize. Returns what is told how many rows there are so far,
 * first when all threads have loaded their code: with other flags, the engine refuses its code cache.
 */
export function optimizeLater(): (rows: number) => void {
  let isOptimizing: boolean | undefined
  // The cache that is made at the end is for a process that starts with the usual flags.
  process.prependOnceListener('exit', () => setFlagsFromString('--opt'))
  return (rows) => {
    const isWorthIt = rows >= WORTH_IT_FROM_ROWS
    if (isOptimizing === isWorthIt || isOptimizing === true) return
    isOptimizing = isWorthIt
    setFlagsFromString(isWorthIt ? '--opt' : '--no-opt')
  }
}
