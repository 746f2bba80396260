import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadPlan } from '../../app/load-plan.ts'
import type { ArchiveFiles } from '../../config/bundle/archive.ts'
import { BUNDLE_CONFIG, TESTS } from '../../config/bundle/manifest.ts'
import { good, type Problem, type Result } from '../../core/errors.ts'
import { homeLayout } from '../../system/home.ts'
import { readTestFile } from '../policy-tests/read-file.ts'
import { type CaseResult, runCase } from '../policy-tests/run-case.ts'

export interface CheckedPolicy {
  readonly results: readonly CaseResult[]
  /** What is wrong in the configuration. */
  readonly problems: readonly Problem[]
}

/**
 * Plays the tests of a bundle on its policy as machines will have it: as managed policy, in an empty home, without
 * any other configuration of this machine.
 */
export async function checkPolicy(files: ArchiveFiles): Promise<Result<CheckedPolicy>> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bundle-'))
  try {
    const policy = join(folder, 'policy')
    const project = join(folder, 'project')
    mkdirSync(project)
    for (const [path, content] of files) {
      mkdirSync(dirname(join(policy, path)), { recursive: true })
      writeFileSync(join(policy, path), content, { mode: 0o700 })
    }
    const home = {
      ...homeLayout(join(folder, 'home'), { HOME: folder }),
      managedConfig: join(policy, BUNDLE_CONFIG),
    }
    const loaded = await loadPlan(project, { home, uncached: true }, new Map())
    if (!loaded.ok) return { ok: false, problem: inBundle(loaded.problem, policy) }
    const cases = [...files.keys()]
      .filter((path) => path.startsWith(TESTS) && /\.ya?ml$/.test(path))
      .sort()
      .flatMap((path) => readTestFile(files.get(path)?.toString('utf8') ?? '', path))
    const context = { loaded: loaded.value, project, home: folder, env: {} }
    const results: CaseResult[] = []
    for (const test of cases) results.push(await runCase(test, context))
    const { plan, broken } = loaded.value
    return good({ results, problems: [...broken, ...plan.problems].map((each) => inBundle(each, policy)) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The temporary folder means nothing to a person. */
function inBundle(problem: Problem, policy: string): Problem {
  const file = problem.file?.replace(`${policy}/`, '')
  return {
    ...problem,
    message: problem.message.replaceAll(`${policy}/`, ''),
    ...(file === undefined ? {} : { file }),
  }
}
