// Lists what is missing for a release, and what to do about each:
//   node scripts/release-check.mjs [--json] [--tag v1.2.0] [--tarball <what npm pack made>] [--root <folder>]
//   node scripts/release-check.mjs --notes     prints the changelog section of this version
// Exit code 1 when something is missing. RELEASING.md says when to run it.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isBuilt } from './build-id.mjs'
import {
  changelogSection,
  machineOf,
  missingForRelease,
  placeholdersIn,
  promisedFiles,
} from './release-rules.mjs'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    notes: { type: 'boolean', default: false },
    tag: { type: 'string' },
    tarball: { type: 'string' },
    root: { type: 'string', default: join(import.meta.dirname, '..') },
  },
})
const root = resolve(options.root)

/** Files in which the owner of the project fills in values. */
const WITH_PLACEHOLDERS = ['RELEASING.md', 'SECURITY.md', 'package.json', '.github/CODEOWNERS']

/** @param {string} path */
function textOf(path) {
  const file = join(root, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** @param {string} path */
function manifestOf(path) {
  const text = textOf(path)
  return text === undefined ? undefined : JSON.parse(text)
}

/** @param {string} path */
function versionIn(path) {
  return /\bVERSION = ['"]([^'"]*)['"]/.exec(textOf(path) ?? '')?.[1]
}

/** @returns {import('./release-rules.mjs').Facts} */
function collectFacts() {
  const manifest = JSON.parse(textOf('package.json') ?? '{}')
  return {
    manifest,
    lockVersion: JSON.parse(textOf('package-lock.json') ?? '{}').version,
    sourceVersion: versionIn('src/core/version.ts'),
    distVersion: versionIn('build/core/version.js'),
    isDistStale: !isBuilt(root),
    changelog: textOf('CHANGELOG.md') ?? '',
    security: textOf('SECURITY.md'),
    placeholders: WITH_PLACEHOLDERS.flatMap((path) => placeholdersIn(path, textOf(path) ?? '')),
    absentFiles: promisedFiles(manifest).filter((path) => !existsSync(join(root, path))),
    changedFiles: changedFiles(),
    tagPointsTo: tagPointsTo(`v${manifest.version}`),
    givenTag: options.tag,
    fleet: manifestOf('packages/fleet/package.json'),
    clients: options.tarball === undefined ? undefined : packedClients(resolve(options.tarball)),
    tarballBytes: options.tarball === undefined ? undefined : statSync(resolve(options.tarball)).size,
    publint: publintMessages(),
  }
}

/** @param {string[]} words */
function git(...words) {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trimEnd() : undefined
}

/** Undefined outside of a Git repository. */
function changedFiles() {
  const listed = git('status', '--porcelain')
  return listed?.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(3)]))
}

/** @param {string} tag */
function tagPointsTo(tag) {
  const commit = git('rev-parse', '--quiet', '--verify', `refs/tags/${tag}^{commit}`)
  if (commit === undefined) return undefined
  return commit === git('rev-parse', 'HEAD') ? 'this commit' : 'another commit'
}

/** @param {string} tarball */
function packedClients(tarball) {
  /** @param {string[]} words */
  const tar = (...words) => execFileSync('tar', words, { maxBuffer: 1 << 26 })
  const listed = tar('-tvzf', tarball).toString().split('\n')
  return listed.flatMap((line) => {
    const file = /package\/(dist\/native\/\S+)$/.exec(line)?.[1]
    if (file === undefined) return []
    const program = tar('-xzOf', tarball, `package/${file}`)
    return [{ file, machine: machineOf(program), isExecutable: line.startsWith('-rwxr-xr-x') }]
  })
}

/** What publint says about package.json and dist/; undefined if publint is not installed. */
function publintMessages() {
  const program = join(root, 'node_modules', 'publint', 'src', 'cli.js')
  if (!existsSync(program) || !existsSync(join(root, 'dist'))) return undefined
  // Only what is packed: other package.json files of the repository are none of its business.
  const words = [program, '--strict', '--level', 'warning', '--pack', 'npm']
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  if (status === 0) return []
  // The examples have packages of their own, which are copied out before they are used.
  const messages = stdout.split('\n').flatMap((line) => /^\d+\. (.*)/.exec(line)?.[1] ?? [])
  if (messages.length > 0) return messages.filter((message) => !message.startsWith('./examples/'))
  return [`it failed: ${stderr.trim() || stdout.trim()}`]
}

/**
 * @param {string | undefined} version
 * @param {readonly import('./release-rules.mjs').ReleaseProblem[]} problems
 * @param {readonly string[]} skipped
 */
function report(version, problems, skipped) {
  const lines = problems.flatMap(({ message, fix }) => [`- ${message}`, `  ${fix}`])
  const verdict =
    problems.length === 0
      ? `Ready to release ${version}. Next: git tag v${version} && git push origin v${version}`
      : `Not ready to release ${version}. Missing: ${problems.length}`
  return [...lines, ...skipped.map((text) => `Not checked: ${text}`), verdict].join('\n')
}

const facts = collectFacts()
const { version } = facts.manifest
if (options.notes) {
  const notes = changelogSection(facts.changelog, version ?? '')
  if (!notes) {
    console.error(`CHANGELOG.md has no section "## ${version}", or it is empty.`)
    process.exit(1)
  }
  console.log(notes)
} else {
  const problems = missingForRelease(facts)
  const skipped = [
    ...(facts.clients === undefined ? ['the native clients in the package (add --tarball <file>).'] : []),
    ...(facts.publint === undefined ? ['publint (not installed, or dist/ is not built).'] : []),
  ]
  const ready = problems.length === 0
  console.log(
    options.json
      ? JSON.stringify({ version, ready, problems, skipped }, null, 2)
      : report(version, problems, skipped),
  )
  process.exitCode = ready ? 0 : 1
}
