// What a release needs, as functions from facts to problems. `release-check.mjs` collects the facts.
import { CLIENT_TARGETS, clientFile } from './build-native.mjs'

/**
 * @typedef {object} Manifest
 * @property {string} [name]
 * @property {string} [version]
 * @property {boolean} [private]
 * @property {string} [author]
 * @property {string | { readonly type?: string, readonly url?: string }} [repository]
 * @property {string} [homepage]
 * @property {string | { readonly url?: string }} [bugs]
 * @property {string} [license]
 * @property {string} [description]
 * @property {readonly string[]} [files]
 * @property {Readonly<Record<string, string>>} [bin]
 * @property {unknown} [exports]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 */

/**
 * @typedef {object} PackedClient
 * @property {string} file Its path in the package.
 * @property {string} machine The platform that the program is for, as its first bytes say.
 * @property {boolean} isExecutable
 */

/** @typedef {{ readonly file: string, readonly line: number, readonly name: string }} Placeholder */

/**
 * @typedef {object} Facts
 * @property {Manifest} manifest
 * @property {string | undefined} [lockVersion]
 * @property {string | undefined} [sourceVersion]
 * @property {string | undefined} [distVersion]
 * @property {boolean} isDistStale A source file was changed after the last build.
 * @property {string} changelog
 * @property {string | undefined} [security]
 * @property {readonly Placeholder[]} placeholders
 * @property {readonly string[]} absentFiles Paths that package.json names and that do not exist.
 * @property {readonly string[] | undefined} [changedFiles] Not committed; undefined outside of a Git repository.
 * @property {'this commit' | 'another commit' | undefined} [tagPointsTo] Undefined if this version has no tag.
 * @property {string | undefined} [givenTag] The tag that started the release.
 * @property {readonly PackedClient[] | undefined} [clients] In the tarball that is about to be published; undefined: not checked.
 * @property {number | undefined} [tarballBytes] Of that tarball.
 * @property {Manifest | undefined} [fleet] package.json of the package for fleets.
 * @property {readonly string[] | undefined} [publint] Its findings; undefined if it is not installed.
 */

/** @typedef {{ readonly id: string, readonly message: string, readonly fix: string }} ReleaseProblem */

/** The package of the central side, published together with `holdpoint`. */
export const FLEET_PACKAGE = '@holdpoint/fleet'

const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/

/**
 * Everything that is missing, in the order to work on it. An empty list means: ready.
 *
 *   missingForRelease(facts) // [{ id: 'repository', message: 'package.json has no …', fix: 'Add …' }]
 * @param {Facts} facts
 * @returns {readonly ReleaseProblem[]}
 */
export function missingForRelease(facts) {
  return [
    ...checkManifest(facts),
    ...checkVersions(facts),
    ...checkChangelog(facts),
    ...checkOwnerValues(facts),
    ...checkFiles(facts),
    ...checkClients(facts),
    ...checkSize(facts),
    ...checkFleet(facts),
    ...checkGit(facts),
    ...checkPublint(facts),
  ]
}

/**
 * The text below the heading of a version, without the heading; undefined if there is no such heading.
 * `## 1.2.0`, `## [1.2.0]` and `## 1.2.0 (2030-01-31)` are all headings of version 1.2.0.
 * @param {string} changelog
 * @param {string} version
 */
export function changelogSection(changelog, version) {
  const lines = changelog.split(/\r?\n/)
  const start = lines.findIndex((line) => headingOf(line) === version)
  if (start < 0) return undefined
  const after = lines.slice(start + 1)
  const end = after.findIndex((line) => line.startsWith('## '))
  return (end < 0 ? after : after.slice(0, end)).join('\n').trim()
}

/**
 * Every `<fill-in: …>` of a file: values that only the owner of the project knows.
 * @param {string} file
 * @param {string} text
 * @returns {readonly Placeholder[]}
 */
export function placeholdersIn(file, text) {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/<fill-in: (\w[^>]*)>/g)].map(([, name = '']) => ({ file, line: index + 1, name })),
    )
}

/**
 * Every path the manifest promises: `files`, `bin` and `exports`. Patterns are left out.
 * @param {Manifest} manifest
 */
export function promisedFiles(manifest) {
  const paths = [
    ...(manifest.files ?? []),
    ...Object.values(manifest.bin ?? {}),
    ...targetsOf(manifest.exports),
  ]
  return [...new Set(paths.map((path) => path.replace(/^\.\//, '')))].filter((path) => !/[*!]/.test(path))
}

/**
 * @param {unknown} entry
 * @returns {string[]}
 */
function targetsOf(entry) {
  if (typeof entry === 'string') return [entry]
  return entry === null || entry === undefined ? [] : Object.values(entry).flatMap(targetsOf)
}

/** @param {string} line */
function headingOf(line) {
  return /^## \[?([^\]\s]+)\]?(?:\s|$)/.exec(line)?.[1]
}

/**
 * @param {string} id
 * @param {string} message
 * @param {string} fix
 * @returns {ReleaseProblem}
 */
function problem(id, message, fix) {
  return { id, message, fix }
}

const FIELDS = {
  author: 'Add the name of the author or organisation.',
  repository: 'Add { "type": "git", "url": "git+https://…/holdpoint.git" }. Provenance needs it.',
  homepage: 'Add the address of the README or the documentation.',
  bugs: 'Add { "url": "…" }: the address of the issue tracker.',
  license: 'Add the SPDX name of the license, as in LICENSE.',
  description: 'Add one sentence that says what the package does.',
}

/** @param {Facts} facts */
function checkManifest({ manifest }) {
  const entries = new Map(Object.entries(manifest))
  const missing = Object.entries(FIELDS)
    .filter(([field]) => isEmpty(entries.get(field)))
    .map(([field, fix]) => problem(field, `package.json has no "${field}".`, fix))
  const url = repositoryUrl(manifest)
  if (url !== undefined && !/^git\+https:\/\/[^/\s]+\/.+\.git$/.test(url)) {
    const fix = 'Write it as npm does: "git+https://…/holdpoint.git". `npm pkg fix` corrects the form.'
    missing.push(problem('repository', `The repository in package.json is not a Git URL: ${url}`, fix))
  }
  if (manifest.private === true) {
    missing.push(
      problem('private', 'package.json says "private": true.', 'Remove it: npm refuses to publish.'),
    )
  }
  return missing
}

/** @param {unknown} value */
function isEmpty(value) {
  return value === undefined || value === null || value === ''
}

/** @param {{ readonly repository?: Manifest['repository'] | undefined }} manifest */
function repositoryUrl({ repository }) {
  return typeof repository === 'string' ? repository : repository?.url
}

const RENEW_LOCK = 'Run `npm install --package-lock-only && node scripts/complete-lock.mjs`.'

/** @param {Facts} facts */
function checkVersions({ manifest, lockVersion, sourceVersion, givenTag }) {
  const { version } = manifest
  /** @type {ReleaseProblem[]} */
  const problems = []
  if (!SEMVER.test(version ?? '')) {
    const fix = 'Set a version such as 1.2.0 or 1.2.0-rc.1; VERSIONING.md says which number to raise.'
    problems.push(problem('version', `"${version}" in package.json is not a semantic version.`, fix))
  }
  if (sourceVersion !== version) {
    const message = `src/core/version.ts says ${sourceVersion ?? 'nothing'}; package.json says ${version}.`
    problems.push(problem('source-version', message, `Write export const VERSION = '${version}'.`))
  }
  if (lockVersion !== version) {
    const message = `package-lock.json says ${lockVersion ?? 'nothing'}; package.json says ${version}.`
    problems.push(problem('lock-version', message, RENEW_LOCK))
  }
  if (givenTag !== undefined && givenTag !== `v${version}`) {
    const fix = `Delete the tag, then tag the commit whose version it is. For this commit: v${version}.`
    problems.push(problem('tag', `The tag is ${givenTag}; package.json says ${version}.`, fix))
  }
  return problems
}

/** @param {Facts} facts */
function checkChangelog({ changelog, manifest: { version } }) {
  const problems = []
  const section = changelogSection(changelog, version ?? '')
  if (!section) {
    const message =
      section === undefined
        ? `CHANGELOG.md has no section "## ${version}".`
        : `The section "## ${version}" of CHANGELOG.md is empty.`
    const fix = `Rename "## Unreleased" to "## ${version} (date)"; the section becomes the release notes.`
    problems.push(problem('changelog', message, fix))
  } else if (changelogSection(changelog, 'Unreleased')) {
    const fix = `Move its entries to "## ${version}": what is in the repository is in the release.`
    problems.push(problem('unreleased', 'CHANGELOG.md still has entries under "## Unreleased".', fix))
  }
  return problems
}

/** @param {Facts} facts */
function checkOwnerValues({ placeholders, security }) {
  const problems = placeholders.map(({ file, line, name }) =>
    problem(
      'placeholder',
      `${file}:${line}: the value "${name}" is not filled in.`,
      'Replace it, or write "none".',
    ),
  )
  if (security === undefined) {
    problems.push(problem('security', 'There is no SECURITY.md.', 'Write one, with a section "Reporting".'))
  } else if (!/[\w.+-]+@[\w-]+\.[\w.]+|https:\/\/\S+/.test(reportingSection(security))) {
    const message = 'The section "Reporting" of SECURITY.md names no contact.'
    const fix = 'Add an e-mail address, or the link to "Report a vulnerability" of the repository.'
    problems.push(problem('security', message, fix))
  }
  return problems
}

/** @param {string} security */
function reportingSection(security) {
  return security.split(/^## /m).find((section) => /^[^\n]*report/i.test(section)) ?? ''
}

/** @param {Facts} facts */
function checkFiles({ manifest, absentFiles, distVersion, isDistStale }) {
  const built = 'Run `npm run build`.'
  if (distVersion === undefined) return [problem('dist', 'dist/ is not built.', built)]
  const problems = absentFiles.map((path) =>
    problem('files', `package.json names ${path}, which does not exist.`, `Correct the entry. ${built}`),
  )
  if (distVersion !== manifest.version) {
    const message = `dist/ is version ${distVersion}; package.json says ${manifest.version}.`
    problems.push(problem('dist', message, built))
  } else if (isDistStale) {
    problems.push(problem('dist', 'dist/ is older than the sources.', built))
  }
  return problems
}

/** @param {Facts} facts */
function checkFleet({ manifest, fleet }) {
  const { version } = manifest
  const problems = []
  if (fleet?.version !== version) {
    const message = `packages/fleet/package.json says ${fleet?.version ?? 'nothing'}; package.json says ${version}.`
    problems.push(problem('fleet-version', message, `Write "version": "${version}".`))
  }
  const wanted = manifest.peerDependencies?.[FLEET_PACKAGE]
  if (wanted !== version) {
    const message = `package.json asks for ${FLEET_PACKAGE} ${wanted ?? 'nowhere'}; the version of this release is ${version}.`
    problems.push(problem('fleet-version', message, `Set it to "${version}" in "peerDependencies".`))
  }
  if (fleet !== undefined && repositoryUrl(fleet) !== repositoryUrl(manifest)) {
    const message = 'packages/fleet/package.json names another repository than package.json.'
    problems.push(problem('fleet-repository', message, 'Copy "repository". Provenance needs it.'))
  }
  return problems
}

/** What a user downloads, with the clients of all platforms. */
export const TARBALL_MAX_BYTES = 2_400_000

/** @param {Facts} facts */
function checkSize({ tarballBytes = 0 }) {
  if (tarballBytes <= TARBALL_MAX_BYTES) return []
  const message = `The tarball has ${tarballBytes} bytes; at most ${TARBALL_MAX_BYTES} are wanted.`
  return [problem('tarball-size', message, 'See what has grown with `npm pack --dry-run`.')]
}

/** @param {Facts} facts */
function checkClients({ clients }) {
  if (clients === undefined) return []
  const fix =
    'Build it on its platform, put it into dist/native, and pack again with `npm pack --ignore-scripts`.'
  return CLIENT_TARGETS.flatMap((target) => {
    const file = clientFile(target)
    const client = clients.find((each) => each.file === file)
    if (client === undefined) return [problem('client', `The tarball has no ${file}.`, fix)]
    if (client.machine !== target) {
      return [problem('client', `${file} in the tarball is a program for ${client.machine}.`, fix)]
    }
    return client.isExecutable
      ? []
      : [
          problem(
            'client',
            `${file} in the tarball may not be run.`,
            `Run \`chmod +x ${file}\`, and pack again.`,
          ),
        ]
  })
}

/**
 * The platform of a program, by the first bytes of the file: `linux-x64`, or `an unknown platform`.
 * @param {Buffer} bytes
 */
export function machineOf(bytes) {
  const known = [
    { target: 'linux-x64', magic: 0x464c457f, at: 18, size: 2, machine: 62 },
    { target: 'linux-arm64', magic: 0x464c457f, at: 18, size: 2, machine: 183 },
    { target: 'darwin-x64', magic: 0xfeedfacf, at: 4, size: 4, machine: 0x01000007 },
    { target: 'darwin-arm64', magic: 0xfeedfacf, at: 4, size: 4, machine: 0x0100000c },
  ]
  const found = known.find(
    ({ magic, at, size, machine }) =>
      bytes.length >= at + size && bytes.readUInt32LE(0) === magic && bytes.readUIntLE(at, size) === machine,
  )
  return found?.target ?? 'an unknown platform'
}

/** @param {Facts} facts */
function checkGit({ manifest, changedFiles, tagPointsTo }) {
  const problems = []
  if (changedFiles === undefined) {
    const fix = 'Run this in a clone: a release is built from a commit.'
    problems.push(problem('git', 'This folder is not a Git repository.', fix))
  } else if (changedFiles.length > 0) {
    const [first, ...others] = changedFiles
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    const fix = 'Commit or discard them: a release is built from a commit.'
    problems.push(problem('git', `Files are not committed: ${first}${more}.`, fix))
  }
  if (tagPointsTo === 'another commit') {
    const fix = 'Raise the version: a released version never changes.'
    problems.push(problem('tag', `The tag v${manifest.version} already exists on another commit.`, fix))
  }
  return problems
}

/** @param {Facts} facts */
function checkPublint({ publint = [] }) {
  const fix = 'See https://publint.dev/rules, or run `npx publint`.'
  return publint.map((message) => problem('publint', `publint: ${message}`, fix))
}
