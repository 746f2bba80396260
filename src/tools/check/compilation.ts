import { setFlagsFromString } from 'node:v8'

/** From here on, optimized code saves more than its compilation takes. */
const WORTH_IT_FROM_ROWS = 10_000

/**
 * The JavaScript engine compiles and optimizes what runs often, on the processors that have nothing else to do. Here all
 * have: up to some ten thousand rows, it is faster not to optimize. Returns what is told how many rows there are so far.
 */
export function optimizeLater(): (rows: number) => void {
  let isOptimizing = false
  setFlagsFromString('--no-opt')
  return (rows) => {
    if (isOptimizing || rows < WORTH_IT_FROM_ROWS) return
    isOptimizing = true
    setFlagsFromString('--opt')
  }
}
