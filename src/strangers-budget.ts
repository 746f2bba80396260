import type { Layer } from './config.ts'
import type { Problem } from './errors.ts'

/** More than the skills of any project have; what lies above is told, not read. */
const HOOKS_MAX = 2_000
const HEADS_MAX_BYTES = 4 * 1024 * 1024
const TEXTS_MAX_BYTES = 64 * 1024 * 1024

/**
 * Bounds the work on skills and agents nobody vouched for, all of them together: there may be thousands in a
 * repository, written to be slow. What the person vouched for is never counted here.
 */
export function strangersBudget() {
  let hooksLeft = HOOKS_MAX
  let headsLeftBytes = HEADS_MAX_BYTES
  let textsLeftBytes = TEXTS_MAX_BYTES
  let leftOut = 0
  let first: string | undefined
  const leave = (path: string) => {
    leftOut += 1
    first ??= path
  }
  return {
    /** Whether there is still room to read this text. */
    takesText(path: string, text: string): boolean {
      const head = headLength(text)
      if (head > headsLeftBytes || text.length > textsLeftBytes) {
        leave(path)
        return false
      }
      headsLeftBytes -= head
      textsLeftBytes -= text.length
      return true
    },
    /** Code would not run anyway: of it, one hook for each event stays to tell so. */
    withoutCode(layer: Layer): Layer {
      const told = new Set<string>()
      const wanted = layer.hooks.filter(({ run, on }) => {
        if (run.type === 'rule') return true
        const isNew = !told.has(on.join())
        told.add(on.join())
        return isNew
      })
      const hooks = wanted.slice(0, hooksLeft)
      hooksLeft -= hooks.length
      if (hooks.length < wanted.length) leave(layer.file)
      return { ...layer, hooks }
    },
    problems(): readonly Problem[] {
      if (first === undefined) return []
      const message = `Of skills and agents nobody vouched for there are too many hooks: those of ${leftOut} files were left out.`
      const fix = 'Run `holdpoint trust` for those you use, or remove the others.'
      return [{ code: 'CONFIG_TOO_LARGE', severity: 'warning', message, fix, file: first }]
    },
  }
}

/** Only the head of such a file is parsed. */
function headLength(text: string): number {
  if (!/^\uFEFF?---/.test(text)) return 0
  const end = text.indexOf('\n---', 3)
  return end < 0 ? text.length : end
}
