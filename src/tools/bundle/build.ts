import type { ArchiveFiles } from '../../config/bundle/archive.ts'
import { packBundle } from '../../config/bundle/bundle.ts'
import type { Manifest } from '../../config/bundle/manifest.ts'
import { bad, good, type Result } from '../../core/errors.ts'
import { type CheckedPolicy, checkPolicy } from './check-policy.ts'

export interface BuiltBundle {
  readonly archive: Buffer
  readonly checked: CheckedPolicy
}

/** Builds a bundle only if its configuration is right and all its tests pass, at least one. */
export async function buildBundle(
  files: ArchiveFiles,
  about: Omit<Manifest, 'format' | 'files'>,
): Promise<Result<BuiltBundle>> {
  const checked = await checkPolicy(files)
  if (!checked.ok) return checked
  const { results, problems } = checked.value
  const wrong = problems.find(({ severity }) => severity !== 'warning')
  if (wrong !== undefined) return { ok: false, problem: wrong }
  const failed = results.filter(({ ok }) => !ok)
  const [first] = failed
  if (results.length === 0) {
    return bad('BUNDLE_TESTS', 'The bundle was not built: its policy has no tests.', {
      fix: 'Write at least one case to tests/*.yaml. `holdpoint docs test-your-policies` shows how.',
    })
  }
  if (first !== undefined) {
    const { file, line, name, differences } = first
    const more = failed.length === 1 ? '' : ` ${failed.length - 1} more cases fail.`
    const message = `The bundle was not built: the test "${name}" fails: ${differences.join(' ')}${more}`
    return bad('BUNDLE_TESTS', message, { file, line })
  }
  return good({ archive: packBundle(about, files), checked: checked.value })
}
