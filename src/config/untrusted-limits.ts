import type { Problem } from '../core/errors.ts'
import type { Layer } from '../core/layer.ts'
import { namesCode } from '../handlers/kind-of.ts'

/** More than the skills of any real project. Anything above the limit is reported, not read. */
const HOOKS_MAX = 2_000
const HEADS_MAX_BYTES = 4 * 1024 * 1024
const TEXTS_MAX_BYTES = 64 * 1024 * 1024

/**
 * Limits the work for all untrusted skills and agents together: a repository may contain thousands that are written to
 * be slow. Trusted files are not counted.
 */
export function untrustedLimits() {
  let hooksLeft = HOOKS_MAX
  let headsLeftBytes = HEADS_MAX_BYTES
  let textsLeftBytes = TEXTS_MAX_BYTES
  let leftOut = 0
  let first: string | undefined
  const leaveOut = (path: string) => {
    leftOut += 1
    first ??= path
  }
  return {
    /** Whether there is still room to read this text. */
    takesText(path: string, text: string): boolean {
      const head = headLength(text)
      if (head > headsLeftBytes || text.length > textsLeftBytes) {
        leaveOut(path)
        return false
      }
      headsLeftBytes -= head
      textsLeftBytes -= text.length
      return true
    },
    /** Code would not run anyway: one hook for each event is kept, to report that. */
    withoutCode(layer: Layer): Layer {
      const told = new Set<string>()
      const wanted = layer.hooks.filter(({ run, on }) => {
        if (!namesCode(run)) return true
        const isNew = !told.has(on.join())
        told.add(on.join())
        return isNew
      })
      const hooks = wanted.slice(0, hooksLeft)
      hooksLeft -= hooks.length
      if (hooks.length < wanted.length) leaveOut(layer.file)
      return { ...layer, hooks }
    },
    problems(): readonly Problem[] {
      if (first === undefined) return []
      const message = `The skills and agents that are not trusted have too many hooks: the hooks of ${leftOut} files were left out.`
      const fix = 'Run `holdpoint trust` for the files you use, or remove the others.'
      return [{ code: 'CONFIG_TOO_LARGE', severity: 'warning', message, fix, file: first }]
    },
  }
}

/** Only the front matter of such a file is parsed. */
function headLength(text: string): number {
  if (!/^\uFEFF?---/.test(text)) return 0
  const end = text.indexOf('\n---', 3)
  return end < 0 ? text.length : end
}
